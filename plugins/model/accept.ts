import * as suite from '../acceptance/accept.ts'
import { acceptance, type Rig } from './acceptance.ts'
import type { ModelAdapter } from './kind.ts'

export { type Accepted, asTable, type CaseResult, countOf } from '../acceptance/accept.ts'

type RigOf = (adapter: ModelAdapter) => Rig

/** Runs the acceptance suite of sources of models, or the cases that are wanted of it. */
export const accept = (adapter: ModelAdapter, rigOf: RigOf, isWanted?: (name: string) => boolean) =>
  suite.accept(acceptance, adapter, rigOf, isWanted)

/** What there is to run for this source, and what does not concern it. */
export const casesOf = (adapter: ModelAdapter, rigOf: RigOf) => suite.casesOf(acceptance, adapter, rigOf)
