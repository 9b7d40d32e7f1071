import * as suite from '../acceptance/accept.ts'
import { acceptance, type Rig } from './acceptance.ts'
import type { PaymentAdapter } from './kind.ts'

export { type Accepted, asTable, type CaseResult, countOf } from '../acceptance/accept.ts'

type RigOf = (gateway: PaymentAdapter) => Rig

/** Runs the acceptance suite of gateways, or the cases that are wanted of it. */
export const accept = (gateway: PaymentAdapter, rigOf: RigOf, isWanted?: (name: string) => boolean) =>
  suite.accept(acceptance, gateway, rigOf, isWanted)

/** What there is to run for this gateway, and what does not concern it. */
export const casesOf = (gateway: PaymentAdapter, rigOf: RigOf) => suite.casesOf(acceptance, gateway, rigOf)
