import { amount, type CheckoutStatus, type GatewayEvent, instant, isRow, present, text, yes } from 'serai/payment'

/** Every status of the gateway and its meaning. An unknown status is never guessed. */
const statuses: Readonly<Record<string, CheckoutStatus>> = {
  waiting: 'open',
  pending: 'processing',
  succeeded: 'paid',
  declined: 'failed',
  given_up: 'cancelled',
  closed: 'expired',
}

/** Reads a checkout of the gateway in the contract's words; undefined when it cannot be read. */
export function newsOf(row: unknown): GatewayEvent | undefined {
  if (!isRow(row)) return undefined
  const [externalId, said] = [text(row.id), text(row.status)]
  const status = said !== undefined && Object.hasOwn(statuses, said) ? statuses[said] : undefined
  const paid = amount(row.paid)
  if (externalId === undefined || status === undefined || (status === 'paid' && paid === undefined)) return undefined
  return {
    externalId,
    status,
    ...present({ paymentId: text(row.merchantId), currency: text(row.currency), at: instant(row.at, '+00:00') }),
    ...(status === 'paid' && present({ amount: paid, fee: amount(row.fee), refunded: amount(row.refunded) })),
    // A chargeback: no refund states its amount.
    ...(status === 'paid' && yes(row.disputed) && { takenBack: true }),
  }
}
