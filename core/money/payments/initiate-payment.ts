import { type Checkout, CheckoutMade } from '../../../plugins/payment/model.ts'
import type { NewCheckout } from '../../../plugins/payment/payments.model.ts'
import type { Context } from '../../context.ts'
import { enqueue } from '../../data/jobs.ts'
import { type Tx, transaction } from '../../data/sql.ts'
import { toDomainError } from '../../integrations/connections/calls/adapter-failures.ts'
import { callAdapter } from '../../integrations/connections/calls/call-adapter.ts'
import type { PaymentConnection } from '../../integrations/connections/connection.ts'
import { AdapterFailure } from '../../integrations/egress/adapter-failure.ts'
import { DomainError } from '../../lib/errors/domain-error.ts'
import { newId } from '../../lib/ids.ts'
import { invariant } from '../../lib/invariant.ts'
import { type Decimal, decimal, decimalText } from '../../lib/money/decimal.ts'
import { type LockedOrder, lockOrderWithParcels, lockOrderWithParcelsIncludingDeleted } from '../../orders/change/lock-order.ts'
import type { OrderRow } from '../../orders/orders.queries.ts'
import { amountDueOf } from '../../orders/parcels/parcel-values.ts'
import { openStatuses } from '../../orders/statuses.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { assertTermsUnchanged } from '../../shop/stores/stores.ts'
import { applyGatewayEvent } from './events/apply-gateway-event.ts'
import { expiryOf, nextPollAt } from './events/poll-schedule.ts'
import { amountStepAt, decimalsAtGateway, toUnits } from './gateway/amounts.ts'
import { lockGateway } from './gateway/checkouts.ts'
import { updateOrderPayment } from './orders/update-order-payment.ts'
import { paymentErrors } from './payments.errors.ts'
import {
  claimEarlyEvents,
  findPayment,
  insertPayment,
  listPaymentsOfOrder,
  lockPayment,
  type PaymentRow,
  updatePayment,
} from './payments.queries.ts'
import { isUnderWay } from './statuses.ts'

const CALL_MS = 20_000
/** Time for which one request may create the checkout. Longer than a call, so that a slower request has failed. */
const CREATING_MS = 25_000
/** Time for which a concurrent request waits for the checkout page. */
const WAIT_MS = 15_000
const CHECK_EVERY_MS = 250
/** Maximum number of payments of one order. Anyone who knows the order's id can start one, and each creates a checkout at a gateway. */
const PAYMENTS_MAX = 50
/** Minimum remaining lifetime of a checkout page that is offered again. */
const USABLE_MS = 60_000

/** Our addresses that a gateway needs. */
export interface CheckoutAddresses {
  /** Public origin of this server, without a trailing slash. */
  readonly origin: string
  readonly webhook: string
}

/**
 * Starts a payment of an order's remaining amount, or returns the payment in progress with the same checkout page. Throws `conflict`,
 * `adapter_not_enabled`, `invalid_transition`, `already_paid`, `payment_needs_attention`, `outcome_unknown`, `currency_not_supported`,
 * `amount_not_payable`, `too_many_payments`, and errors of the gateway.
 */
export async function initiatePayment(
  context: Context,
  { store, orderId }: { store: Store; orderId: string },
  connection: PaymentConnection,
  asked: NewCheckout,
  addresses: CheckoutAddresses,
): Promise<PaymentRow> {
  const { payment, order, isMine } = await transaction(context.sql, (tx) => claimPayment(tx, store, orderId, connection, asked))
  if (payment.checkoutUrl !== null) return payment
  return isMine ? requestCheckout(context, connection, payment, order, addresses) : waitForPage(context, payment)
}

/**
 * Waits until a concurrent request has created the checkout page, without a lock. Throws `upstream_error` if that request failed, and
 * `upstream_timeout` after 15 s.
 */
async function waitForPage({ sql }: Context, { id }: PaymentRow): Promise<PaymentRow> {
  for (const until = Date.now() + WAIT_MS; Date.now() < until; await Bun.sleep(CHECK_EVERY_MS)) {
    const now = invariant(await findPayment(sql, id), 'A payment that was started')
    if (now.checkoutUrl !== null) return now
    if (now.askingUntil === null) throw now.message === null ? paymentErrors.noCheckout() : new DomainError('upstream_error', now.message)
  }
  throw paymentErrors.checkoutMissing()
}

interface ClaimedPayment {
  readonly payment: PaymentRow
  readonly order: OrderRow
  /** True when this request must create the checkout; false when a concurrent request does. */
  readonly isMine: boolean
}

async function claimPayment(
  tx: Tx,
  store: Store,
  orderId: string,
  connection: PaymentConnection,
  asked: NewCheckout,
): Promise<ClaimedPayment> {
  await assertTermsUnchanged(tx, store)
  const locked = await lockOrderWithParcels(tx, { projectId: store.projectId, storeId: store.id, orderId })
  const { order } = locked
  await lockGateway(tx, connection)
  const amount = payableAmount(locked)
  const now = Date.now()
  const begun = await listPaymentsOfOrder(tx, orderId)
  const payments = begun.filter(({ status }) => isUnderWay(status))
  const reusable = payments.find((payment) => isReusable(payment, connection, amount, now))
  if (payments.some((payment) => payment !== reusable && payment.status === 'processing')) throw paymentErrors.paymentOutcomeUnknown()
  for (const other of payments)
    if (other !== reusable) await enqueue(tx, 'payments.expire', { paymentId: other.id }, { key: `expire:${other.id}` })
  const askingUntil = new Date(now + CREATING_MS).toISOString()
  if (reusable) {
    const isMine = reusable.checkoutUrl === null && !(reusable.askingUntil && Date.parse(reusable.askingUntil) > now)
    return { payment: isMine ? await updatePayment(tx, reusable.id, { askingUntil }) : reusable, order, isMine }
  }
  const decimals = assertAcceptsAmount(connection, store, amount)
  if (begun.length >= PAYMENTS_MAX) throw paymentErrors.tooManyPayments({ begunCount: begun.length })
  const payment = await insertPayment(tx, {
    storeId: store.id,
    id: newId('pay'),
    projectId: store.projectId,
    orderId,
    connectionId: connection.row.id,
    gateway: connection.row.key,
    status: 'created',
    amount: decimalText(amount),
    currency: store.currencyCode,
    decimals,
    language: asked.language ?? 'ar',
    returnTo: asked.returnTo ?? null,
    askingUntil,
    readAt: new Date(now + CREATING_MS).toISOString(),
  })
  await updateOrderPayment(tx, locked)
  return { payment, order, isMine: true }
}

/** Returns the remaining amount of an order. Throws if the order cannot be paid in advance now. */
function payableAmount({ order, parcels }: LockedOrder): Decimal {
  if (!openStatuses.includes(order.status) || parcels.some(({ status }) => status !== 'created'))
    throw paymentErrors.orderNotPayable({ status: order.status })
  if (order.paymentStatus === 'needs_attention') throw paymentErrors.paymentNeedsAttention()
  const amount = amountDueOf(order)
  if (amount === 0n) throw paymentErrors.alreadyPaid()
  return amount
}

const isReusable = (payment: PaymentRow, { row }: PaymentConnection, amount: Decimal, now: number) =>
  payment.connectionId === row.id && decimal(payment.amount) === amount && expiryOf(payment) > now + USABLE_MS

/** Checks that the gateway accepts this amount and currency. Returns the number of decimals of its amounts. */
function assertAcceptsAmount({ mounted: { adapter } }: PaymentConnection, { currencyCode }: Store, amount: Decimal): number {
  if (!adapter.currencies.includes(currencyCode))
    throw paymentErrors.currencyNotSupported({ label: adapter.label, currencies: adapter.currencies.slice(0, 10).join(', '), currencyCode })
  const [decimals, step] = [decimalsAtGateway(adapter.unit, currencyCode), amountStepAt(adapter, currencyCode)]
  if (amount % step !== 0n) throw paymentErrors.amountNotMultiple({ label: adapter.label, step: decimalText(step), currencyCode })
  if (toUnits(amount, decimals) < (adapter.minimum ?? 1)) throw paymentErrors.amountTooSmall({ label: adapter.label })
  return decimals
}

async function requestCheckout(
  context: Context,
  connection: PaymentConnection,
  payment: PaymentRow,
  order: OrderRow,
  addresses: CheckoutAddresses,
): Promise<PaymentRow> {
  const options = { operation: 'createCheckout', deadlineMs: CALL_MS, schema: CheckoutMade }
  const checkout = checkoutOf(payment, order, addresses)
  const made = await callAdapter(context, connection, (adapter, own) => adapter.createCheckout(own, checkout), options).catch(
    async (error: unknown) => {
      await recordFailure(context, payment, error)
      throw toDomainError(error)
    },
  )
  return transaction(context.sql, (tx) => saveCheckout(tx, connection, payment, made))
}

/** Records that creating the checkout failed. A refused payment fails; one without a response can be retried under the same id. */
async function recordFailure({ sql }: Context, payment: PaymentRow, error: unknown) {
  const failure = error instanceof AdapterFailure ? error : null
  const isOver = failure?.reason === 'refused' || failure?.reason === 'unauthorized'
  await transaction(sql, async (tx) => {
    const locked = await lockOrderWithParcelsIncludingDeleted(tx, payment)
    const now = invariant(await lockPayment(tx, payment.id), 'A payment that was started')
    const over = isOver && now.status === 'created' && { status: 'failed' as const, readAt: null }
    await updatePayment(tx, payment.id, { askingUntil: null, message: failure?.message ?? null, ...over })
    await updateOrderPayment(tx, locked)
  })
}

function checkoutOf(payment: PaymentRow, order: OrderRow, { origin, webhook }: CheckoutAddresses): Checkout {
  const back = `${origin}/v1/payments/${payment.id}/return`
  return {
    paymentId: payment.id,
    reference: order.reference,
    amount: toUnits(decimal(payment.amount), payment.decimals),
    currency: payment.currency,
    description: order.reference,
    customer: { name: order.customerName, phone: order.customerPhone, email: order.customerEmail },
    language: payment.language,
    returnUrl: back,
    cancelUrl: `${back}?given_up=1`,
    webhookUrl: webhook,
    proofUrl: `${origin}/v1/payments/${payment.id}/proof`,
  }
}

/**
 * Stores the created checkout. If a concurrent request stored one first, its page is used. Applies gateway events that arrived before this
 * response.
 */
async function saveCheckout(tx: Tx, { row }: PaymentConnection, payment: PaymentRow, made: CheckoutMade): Promise<PaymentRow> {
  const { id } = payment
  const locked = await lockOrderWithParcelsIncludingDeleted(tx, payment)
  const now = invariant(await lockPayment(tx, id), 'A payment that was started')
  if (now.checkoutUrl !== null) return now
  const opened = {
    externalId: now.externalId ?? made.externalId,
    checkoutUrl: made.url,
    expiresAt: parseTime(made.expiresAt),
    directions: made.directions ?? null,
    askingUntil: null,
    message: null,
    ...(now.status === 'created' && { status: 'open' as const }),
  }
  const saved = await updatePayment(tx, id, opened)
  await updatePayment(tx, id, { readAt: nextPollAt(saved, Date.now()) })
  await updateOrderPayment(tx, locked)
  for (const { news } of await claimEarlyEvents(tx, row.id, made.externalId, id)) await applyGatewayEvent(tx, saved, news)
  return invariant(await findPayment(tx, id), 'A payment that was started')
}

const parseTime = (text: string | undefined): string | null => {
  const ms = text === undefined ? Number.NaN : Date.parse(text)
  return Number.isFinite(ms) ? new Date(ms).toISOString() : null
}
