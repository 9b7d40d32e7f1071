import * as suite from '../acceptance/accept.ts'
import { acceptance, type Rig } from './acceptance.ts'
import type { PaymentAdapter } from './kind.ts'

export { type CaseResult, countOutcomes as countOf, formatResults as asTable, type SuiteResult as Accepted } from '../acceptance/accept.ts'

type RigOf = (gateway: PaymentAdapter) => Rig

/** Runs the acceptance suite of gateways, or the cases that `isWanted` selects. */
export const accept = (gateway: PaymentAdapter, rigOf: RigOf, isWanted?: (name: string) => boolean) =>
  suite.accept(acceptance, gateway, rigOf, isWanted)

/** Lists the cases of the suite for this gateway, with the reasons of those that do not apply. */
export const casesOf = (gateway: PaymentAdapter, rigOf: RigOf) => suite.listCases(acceptance, gateway, rigOf)
