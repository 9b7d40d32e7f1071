import * as suite from '../acceptance/accept.ts'
import { acceptance, type Rig } from './acceptance.ts'
import type { Carrier } from './contract.ts'

export { type CaseResult, countOutcomes as countOf, formatResults as asTable, type SuiteResult as Accepted } from '../acceptance/accept.ts'

type RigOf = (carrier: Carrier) => Rig

/** Runs the acceptance suite of carriers, or the cases that `isWanted` selects. */
export const accept = (carrier: Carrier, rigOf: RigOf, isWanted?: (name: string) => boolean) =>
  suite.accept(acceptance, carrier, rigOf, isWanted)

/** Lists the cases of the suite for this carrier, with the reasons of those that do not apply. */
export const casesOf = (carrier: Carrier, rigOf: RigOf) => suite.listCases(acceptance, carrier, rigOf)
