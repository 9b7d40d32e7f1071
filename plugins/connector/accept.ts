import * as suite from '../acceptance/accept.ts'
import { acceptance, type Rig } from './acceptance.ts'
import type { ConnectorAdapter } from './kind.ts'

export { type CaseResult, countOutcomes as countOf, formatResults as asTable, type SuiteResult as Accepted } from '../acceptance/accept.ts'

type RigOf = (platform: ConnectorAdapter) => Rig

/** Runs the acceptance suite of connectors, or the cases that `isWanted` selects. */
export const accept = (platform: ConnectorAdapter, rigOf: RigOf, isWanted?: (name: string) => boolean) =>
  suite.accept(acceptance, platform, rigOf, isWanted)

/** Lists the cases of the suite for this connector, with the reasons of those that do not apply. */
export const casesOf = (platform: ConnectorAdapter, rigOf: RigOf) => suite.listCases(acceptance, platform, rigOf)
