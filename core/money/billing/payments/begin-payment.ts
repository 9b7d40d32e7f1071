import { type Checkout, CheckoutMade } from '../../../../plugins/payment/model.ts'
import type { Context } from '../../../context.ts'
import { enqueue } from '../../../data/jobs.ts'
import { type Queryable, type Tx, transaction } from '../../../data/sql.ts'
import { findPublicUser } from '../../../identity/auth/account.ts'
import { toDomainError } from '../../../integrations/connections/calls/adapter-failures.ts'
import { callAdapter } from '../../../integrations/connections/calls/call-adapter.ts'
import { notEnabledError, openConnection, type PaymentConnection } from '../../../integrations/connections/connection.ts'
import { listConnections } from '../../../integrations/connections/connections.queries.ts'
import { AdapterFailure } from '../../../integrations/egress/adapter-failure.ts'
import { DomainError } from '../../../lib/errors/domain-error.ts'
import { newId } from '../../../lib/ids.ts'
import { invariant } from '../../../lib/invariant.ts'
import { decimal, decimalText } from '../../../lib/money/decimal.ts'
import type { Store } from '../../../shop/stores/stores.model.ts'
import { expiryOf, nextPollAt } from '../../payments/events/poll-schedule.ts'
import { amountStepAt, decimalsAtGateway, roundUp, toUnits } from '../../payments/gateway/amounts.ts'
import { lockGateway } from '../../payments/gateway/checkouts.ts'
import { billingErrors } from '../billing.errors.ts'
import { lockStoreSubscription } from '../periods/save-subscription.ts'
import type { DuePayment } from '../subscriptions.model.ts'
import { lockSubscription } from '../subscriptions.queries.ts'
import { type AmountDue, findAmountDue } from './due.ts'
import {
  countRecentPayments,
  findPayment,
  insertPayment,
  listPaymentsUnderWay,
  lockPayment,
  type PaymentRow,
  updatePayment,
} from './payments.queries.ts'

const CALL_MS = 20_000
/** Time for which one request may create the checkout. Longer than a call, so that a slower request has failed. */
const CREATING_MS = 25_000
const WAIT_MS = 15_000
const CHECK_EVERY_MS = 250
/** Minimum remaining lifetime of a checkout page that is offered again. */
const USABLE_MS = 60_000
const PAYMENT_LIMIT = { most: 50, hours: 24 } as const
const CONNECTIONS_MAX = 100
const DESCRIPTION_MAX = 200

/** Our addresses that a gateway needs. */
export interface CheckoutAddresses {
  /** Public origin of this server, without a trailing slash. */
  readonly origin: string
  /** Returns the webhook address of a connection. */
  webhookOf(connection: PaymentConnection): string
}

/**
 * Starts a payment of what a store owes at a gateway of the platform, or returns the payment in progress with the same checkout page. Null
 * if nothing is due. Throws `adapter_not_enabled`, `currency_not_supported`, `amount_not_payable`, `too_many_payments`, `outcome_unknown`,
 * and errors of the gateway.
 */
export async function beginPayment(
  context: Context,
  store: Store,
  asked: DuePayment,
  addresses: CheckoutAddresses,
): Promise<PaymentRow | null> {
  const claimed = await transaction(context.sql, (tx) => claimDuePayment(context, tx, store, asked))
  return claimed && openCheckout(context, store, claimed, addresses)
}

/** Payment whose checkout page this request creates (`isMine`), or another one does. */
interface ClaimedPayment {
  readonly connection: PaymentConnection
  readonly payment: PaymentRow
  readonly isMine: boolean
}

/**
 * Claims a payment of what a store owes. Null if nothing is due. Throws `adapter_not_enabled`, `currency_not_supported`,
 * `amount_not_payable`, `too_many_payments`, `outcome_unknown`.
 */
export async function claimDuePayment(context: Context, tx: Tx, store: Store, asked: DuePayment): Promise<ClaimedPayment | null> {
  await lockStoreSubscription(tx, store.id)
  const owed = await findAmountDue(tx, store.id, Date.now())
  if (!owed) return null
  const connection = await chooseGateway(context, tx, asked.gateway, owed.currency)
  return { connection, ...(await claimPayment(tx, store, connection, owed, asked)) }
}

/** Returns the payment once it has a checkout page. Throws errors of the gateway. */
export async function openCheckout(
  context: Context,
  store: Store,
  { connection, payment, isMine }: ClaimedPayment,
  addresses: CheckoutAddresses,
): Promise<PaymentRow> {
  if (payment.checkoutUrl !== null) return payment
  return isMine ? requestCheckout(context, connection, payment, store, addresses) : waitForPage(context, payment)
}

/**
 * Finds the payment under way that can be used again. Throws `outcome_unknown` while another one is in `processing`, because the store
 * could pay twice.
 */
function findReusable(begun: readonly PaymentRow[], connection: PaymentConnection, due: AmountDue, now: number): PaymentRow | undefined {
  const reusable = begun.find((payment) => isReusable(payment, connection, due, now))
  if (begun.every((payment) => payment === reusable || payment.status !== 'processing')) return reusable
  throw billingErrors.paymentOutcomeUnknown()
}

async function assertPaymentLimit(tx: Tx, storeId: string): Promise<void> {
  if ((await countRecentPayments(tx, storeId, PAYMENT_LIMIT.hours)) < PAYMENT_LIMIT.most) return
  throw billingErrors.tooManyPayments({ most: PAYMENT_LIMIT.most })
}

/**
 * Returns the named gateway of the platform, or the first one that accepts the currency. A gateway with manual review is used only if it is
 * named.
 */
async function chooseGateway(context: Context, sql: Queryable, key: string | undefined, currency: string): Promise<PaymentConnection> {
  const rows = await listConnections(sql, null, null, CONNECTIONS_MAX)
  const on = rows.filter((row) => row.kind === 'payment' && row.enabled && (key === undefined || row.key === key))
  const there = on
    .filter((row) => context.plugins.find('payment', row.key))
    .map((row) => openConnection(context, 'payment', row))
    .filter(({ mounted }) => key !== undefined || !mounted.adapter.settle)
  if (there.length === 0)
    throw notEnabledError('payment', 'The operator of this server has connected no such gateway: PUT /v1/platform/integrations/{key}.')
  const fitting = there.find(({ mounted }) => mounted.adapter.currencies.includes(currency))
  if (!fitting) throw billingErrors.currencyNotSupported({ currency })
  return fitting
}

async function claimPayment(
  tx: Tx,
  store: Store,
  connection: PaymentConnection,
  owed: AmountDue,
  asked: DuePayment,
): Promise<Pick<ClaimedPayment, 'payment' | 'isMine'>> {
  await lockGateway(tx, connection)
  const now = Date.now()
  const due = payableDue(connection, owed)
  const begun = await listPaymentsUnderWay(tx, store.id)
  const reusable = findReusable(begun, connection, due, now)
  for (const other of begun)
    if (other !== reusable) await enqueue(tx, 'subscriptions.expire', { paymentId: other.id }, { key: `expire:${other.id}` })
  const askingUntil = new Date(now + CREATING_MS).toISOString()
  if (reusable) {
    const isMine = reusable.checkoutUrl === null && !(reusable.askingUntil && Date.parse(reusable.askingUntil) > now)
    return { payment: isMine ? await updatePayment(tx, reusable.id, { askingUntil }) : reusable, isMine }
  }
  await assertPaymentLimit(tx, store.id)
  const payment = await insertPayment(tx, {
    storeId: store.id,
    id: newId('spy'),
    connectionId: connection.row.id,
    gateway: connection.row.key,
    status: 'created',
    amount: decimalText(due.amount),
    currency: due.currency,
    decimals: due.decimals,
    language: asked.language ?? 'ar',
    returnTo: asked.returnTo ?? null,
    askingUntil,
    readAt: askingUntil,
  })
  return { payment, isMine: true }
}

const isReusable = (payment: PaymentRow, { row }: PaymentConnection, { amount, currency }: AmountDue, now: number) =>
  payment.connectionId === row.id &&
  decimal(payment.amount) === amount &&
  payment.currency === currency &&
  expiryOf(payment) > now + USABLE_MS

/** Rounds the amount up to the gateway's step. The excess becomes credit of the store. */
function payableDue(
  { mounted: { adapter } }: PaymentConnection,
  { amount: owed, currency }: AmountDue,
): AmountDue & { readonly decimals: number } {
  if (!adapter.currencies.includes(currency)) throw billingErrors.currencyNotAccepted({ label: adapter.label, currency })
  const decimals = decimalsAtGateway(adapter.unit, currency)
  const amount = roundUp(owed, amountStepAt(adapter, currency))
  if (toUnits(amount, decimals) < (adapter.minimum ?? 1)) throw billingErrors.amountTooSmall({ label: adapter.label })
  return { amount, currency, decimals }
}

/**
 * Waits until a concurrent request has created the checkout page, without a lock. Throws `upstream_error` if that request failed, and
 * `upstream_timeout` after 15 s.
 */
async function waitForPage({ sql }: Context, { id }: PaymentRow): Promise<PaymentRow> {
  for (const until = Date.now() + WAIT_MS; Date.now() < until; await Bun.sleep(CHECK_EVERY_MS)) {
    const now = invariant(await findPayment(sql, id), 'A payment that was started')
    if (now.checkoutUrl !== null) return now
    if (now.askingUntil === null) throw now.message === null ? billingErrors.noCheckout() : new DomainError('upstream_error', now.message)
  }
  throw billingErrors.checkoutMissing()
}

async function requestCheckout(
  context: Context,
  connection: PaymentConnection,
  payment: PaymentRow,
  store: Store,
  addresses: CheckoutAddresses,
): Promise<PaymentRow> {
  const checkout = await checkoutOf(context, connection, payment, store, addresses)
  const options = { operation: 'createCheckout', deadlineMs: CALL_MS, schema: CheckoutMade }
  const made = await callAdapter(context, connection, (adapter, own) => adapter.createCheckout(own, checkout), options).catch(
    async (error: unknown) => {
      await recordFailure(context, payment, error)
      throw toDomainError(error)
    },
  )
  return transaction(context.sql, (tx) => saveCheckout(tx, payment, made))
}

/** Records that creating the checkout failed. A refused payment fails; one without a response can be retried under the same id. */
const recordFailure = ({ sql }: Context, { storeId, id }: PaymentRow, error: unknown) =>
  transaction(sql, async (tx) => {
    await lockSubscription(tx, storeId)
    const { status } = await lockPayment(tx, id)
    const failure = error instanceof AdapterFailure ? error : null
    const isOver = status === 'created' && (failure?.reason === 'refused' || failure?.reason === 'unauthorized')
    const over = isOver && { status: 'failed' as const, readAt: null }
    await updatePayment(tx, id, { askingUntil: null, message: failure?.message ?? null, ...over })
  })

async function checkoutOf(
  { sql }: Context,
  connection: PaymentConnection,
  payment: PaymentRow,
  store: Store,
  { origin, webhookOf }: CheckoutAddresses,
): Promise<Checkout> {
  const owner = await findPublicUser(sql, store.ownerId)
  const back = `${origin}/v1/subscription-payments/${payment.id}/return`
  return {
    paymentId: payment.id,
    reference: store.slug,
    amount: toUnits(decimal(payment.amount), payment.decimals),
    currency: payment.currency,
    description: store.name.slice(0, DESCRIPTION_MAX),
    customer: { name: owner?.name ?? store.name, phone: store.phone ?? '', email: owner?.email ?? null },
    language: payment.language,
    returnUrl: back,
    cancelUrl: `${back}?given_up=1`,
    webhookUrl: webhookOf(connection),
    proofUrl: `${origin}/v1/subscription-payments/${payment.id}/proof`,
  }
}

/** Stores the created checkout. Gateway events may have arrived before this response. */
async function saveCheckout(tx: Tx, { storeId, id }: PaymentRow, made: CheckoutMade): Promise<PaymentRow> {
  await lockSubscription(tx, storeId)
  const now = await lockPayment(tx, id)
  if (now.checkoutUrl !== null) return now
  const ends = made.expiresAt === undefined ? Number.NaN : Date.parse(made.expiresAt)
  const saved = await updatePayment(tx, id, {
    externalId: now.externalId ?? made.externalId,
    checkoutUrl: made.url,
    directions: made.directions ?? null,
    expiresAt: Number.isFinite(ends) ? new Date(ends).toISOString() : null,
    askingUntil: null,
    message: null,
    ...(now.status === 'created' && { status: 'open' as const }),
  })
  return updatePayment(tx, id, { readAt: nextPollAt(saved, Date.now()) })
}
