import * as suite from '../acceptance/accept.ts'
import { acceptance, type Rig } from './acceptance.ts'
import type { Carrier } from './contract.ts'

export { type Accepted, asTable, type CaseResult, countOf } from '../acceptance/accept.ts'

type RigOf = (carrier: Carrier) => Rig

/** Runs the acceptance suite of carriers, or the cases that are wanted of it. */
export const accept = (carrier: Carrier, rigOf: RigOf, isWanted?: (name: string) => boolean) =>
  suite.accept(acceptance, carrier, rigOf, isWanted)

/** What there is to run for this carrier, and what does not concern it. */
export const casesOf = (carrier: Carrier, rigOf: RigOf) => suite.casesOf(acceptance, carrier, rigOf)
