import * as suite from '../acceptance/accept.ts'
import { acceptance, type Rig } from './acceptance.ts'
import type { AdsAdapter } from './kind.ts'

export { type CaseResult, countOutcomes as countOf, formatResults as asTable, type SuiteResult as Accepted } from '../acceptance/accept.ts'

type RigOf = (adapter: AdsAdapter) => Rig

/** Runs the acceptance suite of advertising platforms, or the cases that `isWanted` selects. */
export const accept = (adapter: AdsAdapter, rigOf: RigOf, isWanted?: (name: string) => boolean) =>
  suite.accept(acceptance, adapter, rigOf, isWanted)

/** Lists the cases of the suite for this platform, with the reasons of those that do not apply. */
export const casesOf = (adapter: AdsAdapter, rigOf: RigOf) => suite.listCases(acceptance, adapter, rigOf)
