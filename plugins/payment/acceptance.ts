import type { Case } from '../acceptance/accept.ts'
import { runCase } from './acceptance/bench.ts'
import { callbackCases } from './acceptance/callbacks.ts'
import { captureCases } from './acceptance/capturing.ts'
import { closingCases } from './acceptance/closing.ts'
import { definitionCases } from './acceptance/definition.ts'
import { creationCases } from './acceptance/making.ts'
import { payoutCases } from './acceptance/payouts.ts'
import { proofCases } from './acceptance/proofs.ts'
import { readingCases } from './acceptance/reading.ts'
import { refundCases } from './acceptance/refunds.ts'
import type { Rig } from './acceptance/rig.ts'
import { wireCases } from './acceptance/wire.ts'
import type { PaymentAdapter } from './kind.ts'

export type { Case } from '../acceptance/accept.ts'
export type { SeenCall } from '../acceptance/calls.ts'
export { type Connection, createStorage, type Desk, type DeskOptions, openDesk } from '../acceptance/desk.ts'
export { checkout } from './acceptance/checkout.ts'
export type { CallbackEvent, Fault, Lacking, Proof, Rig } from './acceptance/rig.ts'
export type { Seen, SeenCheckout, SeenPayout, SeenPayoutLine, SeenRefund } from './acceptance/seen.ts'

const chapters = [
  definitionCases,
  creationCases,
  readingCases,
  closingCases,
  captureCases,
  refundCases,
  payoutCases,
  proofCases,
  callbackCases,
  wireCases,
]

/** Acceptance suite of payment gateways. Runs under any test runner, or without one. */
export function acceptance(gateway: PaymentAdapter, rig: Rig): Case[] {
  return chapters
    .flatMap((chapter) => chapter(gateway, rig))
    .map(({ name, unless, run }) => ({
      name,
      ...(unless && { skip: unless }),
      run: () => runCase(gateway, rig, run),
    }))
}
