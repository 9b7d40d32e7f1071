import * as suite from '../acceptance/accept.ts'
import { acceptance, type Rig } from './acceptance.ts'
import type { ModelAdapter } from './kind.ts'

export { type CaseResult, countOutcomes as countOf, formatResults as asTable, type SuiteResult as Accepted } from '../acceptance/accept.ts'

type RigOf = (adapter: ModelAdapter) => Rig

/** Runs the acceptance suite of model sources, or the cases that `isWanted` selects. */
export const accept = (adapter: ModelAdapter, rigOf: RigOf, isWanted?: (name: string) => boolean) =>
  suite.accept(acceptance, adapter, rigOf, isWanted)

/** Lists the cases of the suite for this source, with the reasons of those that do not apply. */
export const casesOf = (adapter: ModelAdapter, rigOf: RigOf) => suite.listCases(acceptance, adapter, rigOf)
