import type { Context } from '../../../context.ts'
import { enqueue } from '../../../data/jobs.ts'
import type { Tx } from '../../../data/sql.ts'
import { notEnabledError, type PaymentConnection } from '../../../integrations/connections/connection.ts'
import { notEnabledSentences } from '../../../integrations/connections/connections.errors.ts'
import { newId } from '../../../lib/ids.ts'
import { type Decimal, decimal, decimalText } from '../../../lib/money/decimal.ts'
import { expiryOf } from '../events/poll-schedule.ts'
import { amountStepAt, decimalsAtGateway, roundUp, toUnits } from '../gateway/amounts.ts'
import type { Payable } from '../payable.ts'
import { paymentErrors } from '../payments.errors.ts'
import type { PayableRef, PaymentRow } from '../payments.model.ts'
import { countPayments, insertPayment, listPaymentsUnderWay, lockEnabledConnection, updatePayment } from '../payments.queries.ts'

/** Time for which one request may create the checkout. Longer than a call, so that a slower request has failed. */
const CREATING_MS = 25_000
/** Minimum remaining lifetime of a checkout page that is offered again. */
const USABLE_MS = 60_000

/** Amount that is due for a payable. */
export interface AmountDue {
  readonly amount: Decimal
  readonly currency: string
}

/** Wishes of the payer for the pages of a payment. */
export interface PageOptions {
  readonly language?: PaymentRow['language'] | undefined
  readonly returnTo?: string | undefined
}

/** Payment whose checkout page this request must create (`isMine`), or a concurrent request does. */
export interface ClaimedPayment {
  readonly connection: PaymentConnection
  readonly payment: PaymentRow
  readonly isMine: boolean
}

/**
 * Claims a payment of the amount that is due, or the payment in progress whose page can be offered again. Expires other payments in
 * progress. The caller holds the lock of the payable. Throws `adapter_not_enabled`, `outcome_unknown`, `currency_not_supported`,
 * `amount_not_payable` and `too_many_payments`.
 */
export async function claimPayment(
  context: Context,
  tx: Tx,
  ref: PayableRef,
  connection: PaymentConnection,
  owed: AmountDue,
  { language = 'ar', returnTo }: PageOptions,
): Promise<ClaimedPayment> {
  await lockGateway(tx, connection)
  const payable = context.payables.of(ref.payableKind)
  const now = Date.now()
  const due = payable.roundsUp ? roundedUp(connection, owed) : owed
  const reusable = await findReusable(tx, payable, ref, connection, due)
  const askingUntil = new Date(now + CREATING_MS).toISOString()
  if (reusable) {
    const isMine = reusable.checkoutUrl === null && !(reusable.askingUntil && Date.parse(reusable.askingUntil) > now)
    return { connection, payment: isMine ? await updatePayment(tx, reusable, { askingUntil }) : reusable, isMine }
  }
  const decimals = assertAcceptsAmount(connection, due)
  const { most, hours } = payable.startLimit
  const started = await countPayments(tx, ref, hours)
  if (started >= most) throw payable.errors.tooManyPayments(started)
  const payment = await insertPayment(tx, {
    payableKind: ref.payableKind,
    payableId: ref.payableId,
    projectId: ref.projectId,
    id: newId(payable.idPrefix),
    connectionId: connection.row.id,
    gateway: connection.row.key,
    status: 'created',
    amount: decimalText(due.amount),
    currency: due.currency,
    decimals,
    language,
    returnTo: returnTo ?? null,
    askingUntil,
    readAt: askingUntil,
  })
  return { connection, payment, isMine: true }
}

/**
 * Locks a gateway's connection against removal until the transaction ends. Throws `adapter_not_enabled` if it is gone or off, because
 * events of its payments would be lost.
 */
async function lockGateway(tx: Tx, { row }: PaymentConnection): Promise<void> {
  if (!(await lockEnabledConnection(tx, row))) throw notEnabledError('payment', notEnabledSentences.gatewayGone)
}

/**
 * Finds the payment in progress that can be used again, and enqueues the expiry of all others. Throws `outcome_unknown` while another one is
 * in `processing`, because the payer could pay twice.
 */
async function findReusable(
  tx: Tx,
  { errors }: Payable,
  ref: PayableRef,
  connection: PaymentConnection,
  due: AmountDue,
): Promise<PaymentRow | undefined> {
  const underWay = await listPaymentsUnderWay(tx, ref)
  const now = Date.now()
  const reusable = underWay.find((payment) => isReusable(payment, connection, due, now))
  const others = underWay.filter((payment) => payment !== reusable)
  if (others.some(({ status }) => status === 'processing')) throw errors.outcomeUnknown()
  for (const { id } of others) await enqueue(tx, 'payments.expire', { paymentId: id }, { key: `expire:${id}` })
  return reusable
}

const isReusable = (payment: PaymentRow, { row }: PaymentConnection, { amount, currency }: AmountDue, now: number) =>
  payment.connectionId === row.id &&
  decimal(payment.amount) === amount &&
  payment.currency === currency &&
  expiryOf(payment) > now + USABLE_MS

const roundedUp = ({ mounted: { adapter } }: PaymentConnection, { amount, currency }: AmountDue): AmountDue => ({
  amount: roundUp(amount, amountStepAt(adapter, currency)),
  currency,
})

/** Checks that the gateway accepts this amount and currency. Returns the number of decimals of its amounts. */
function assertAcceptsAmount({ mounted: { adapter } }: PaymentConnection, { amount, currency }: AmountDue): number {
  const { label, currencies } = adapter
  if (!currencies.includes(currency))
    throw paymentErrors.currencyNotSupported({ label, currencies: currencies.slice(0, 10).join(', '), currency })
  const [decimals, step] = [decimalsAtGateway(adapter.unit, currency), amountStepAt(adapter, currency)]
  if (amount % step !== 0n) throw paymentErrors.amountNotMultiple({ label, step: decimalText(step), currency })
  if (toUnits(amount, decimals) < (adapter.minimum ?? 1)) throw paymentErrors.amountTooSmall({ label })
  return decimals
}
