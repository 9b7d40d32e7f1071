import { number, type RefundAsked } from 'serai/payment'
import type { Context } from './fields.ts'

const REFUNDS_MAX = 1000
const notesOf = (externalId: string) => `refund:${externalId}:`

/** Stores the amount of a refund, since SATIM reports refunds without a reliable amount. */
export const noteRefund = ({ storage }: Context, { externalId, refundId, amount }: RefundAsked): Promise<boolean> =>
  storage.add(`${notesOf(externalId)}${refundId}`, amount)

export async function refundedSoFar({ storage }: Context, externalId: string): Promise<number> {
  const notes = await storage.list(notesOf(externalId), { limit: REFUNDS_MAX })
  return notes.reduce((sum, { value }) => sum + (number(value) ?? 0), 0)
}
