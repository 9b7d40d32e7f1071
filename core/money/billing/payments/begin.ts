import { type Checkout, CheckoutMade } from '../../../../plugins/payment/model.ts'
import type { Context } from '../../../context.ts'
import { enqueue } from '../../../data/jobs.ts'
import { type Queryable, type Tx, transaction } from '../../../data/sql.ts'
import { ApiError } from '../../../http/errors/errors.ts'
import { findPerson } from '../../../identity/auth/account.ts'
import { asApiError, callAdapter } from '../../../integrations/connections/calls/call.ts'
import { notEnabled, openConnection, type PaymentConnection } from '../../../integrations/connections/connection.ts'
import { listConnections } from '../../../integrations/connections/connections.queries.ts'
import { AdapterFailure } from '../../../integrations/egress/failure.ts'
import { newId } from '../../../lib/ids.ts'
import { invariant } from '../../../lib/invariant.ts'
import { decimal, decimalText } from '../../../lib/money/decimal.ts'
import type { Store } from '../../../shop/stores/stores.model.ts'
import { decimalsAt, roundUp, stepAt, toUnits } from '../../payments/gateway/amounts.ts'
import { holdGateway } from '../../payments/gateway/hold-gateway.ts'
import { endOf, nextRead } from '../../payments/schedule.ts'
import { holdSubscription } from '../hold.ts'
import type { DuePayment } from '../subscriptions.model.ts'
import { lockSubscription } from '../subscriptions.queries.ts'
import { type Due, dueOf } from './due.ts'
import { countBegun, findPayment, insertPayment, listUnderWay, lockPayment, type PaymentRow, updatePayment } from './payments.queries.ts'

const CALL_MS = 20_000
/** Longer than a call: who asks is either done by then, or gone. */
const ASKING_MS = 25_000
const WAIT_MS = 15_000
const LOOK_EVERY_MS = 250
/** A page that ends sooner is not given to a payer any more. */
const USABLE_MS = 60_000
const BEGUN = { most: 50, hours: 24 } as const
const CONNECTIONS_MAX = 100
const DESCRIPTION_MAX = 200

/** Where the two sides find us. */
export interface Addresses {
  /** Of this server, without a slash at its end. */
  readonly origin: string
  /** Where a connection's gateway tells its news. */
  webhookOf(connection: PaymentConnection): string
}

/**
 * Begins to pay what the store owes, at a gateway of whoever runs this server, or goes on: who asks again for what is still payable gets the
 * same page. Null where nothing is left to pay. Throws `adapter_not_enabled`, `currency_not_supported`, `amount_not_payable`,
 * `too_many_payments`, `outcome_unknown`, and what the gateway refused.
 */
export async function beginPayment(context: Context, store: Store, asked: DuePayment, addresses: Addresses): Promise<PaymentRow | null> {
  const due = await dueOf(context.sql, store.id, Date.now())
  if (!due) return null
  const connection = await gatewayFor(context, context.sql, asked.gateway, due.currency)
  const claimed = await transaction(context.sql, (tx) => claim(tx, store, connection, asked))
  if (!claimed) return null
  const { payment, isMine } = claimed
  if (payment.checkoutUrl !== null) return payment
  return isMine ? askGateway(context, connection, payment, store, addresses) : awaitPage(context, payment)
}

/**
 * What the store owes can be paid here: who chooses a plan that nobody could take money for has not chosen it. Throws `adapter_not_enabled`,
 * `currency_not_supported`, `amount_not_payable`, `too_many_payments`, `outcome_unknown`.
 */
export async function assertPayable(context: Context, tx: Tx, storeId: string, { gateway }: DuePayment): Promise<void> {
  const now = Date.now()
  const owed = await dueOf(tx, storeId, now)
  if (!owed) return
  const connection = await gatewayFor(context, tx, gateway, owed.currency)
  const due = payable(connection, owed)
  if (!sameOf(await listUnderWay(tx, storeId), connection, due, now)) await assertFewBegun(tx, storeId)
}

/** Of those under way, the one that is asked for again. Whoever did his part of another would soon have paid twice. */
function sameOf(begun: readonly PaymentRow[], connection: PaymentConnection, due: Due, now: number): PaymentRow | undefined {
  const same = begun.find((payment) => isSame(payment, connection, due, now))
  if (begun.every((payment) => payment === same || payment.status !== 'processing')) return same
  throw new ApiError(
    'outcome_unknown',
    'The subscription was paid another way, and whether that money is there is not known yet. Until it is, nothing more is taken.',
  )
}

async function assertFewBegun(tx: Tx, storeId: string): Promise<void> {
  if ((await countBegun(tx, storeId, BEGUN.hours)) < BEGUN.most) return
  throw new ApiError('too_many_payments', `${BEGUN.most} payments were begun within a day. Pay one of them, or wait until tomorrow.`)
}

/** The platform's gateway that is named, or the first that takes the currency and sees money itself: a person is troubled only where that is asked for. */
async function gatewayFor(context: Context, sql: Queryable, key: string | undefined, currency: string): Promise<PaymentConnection> {
  const rows = await listConnections(sql, null, null, CONNECTIONS_MAX)
  const on = rows.filter((row) => row.kind === 'payment' && row.enabled && (key === undefined || row.key === key))
  const there = on
    .filter((row) => context.plugins.find('payment', row.key))
    .map((row) => openConnection(context, 'payment', row))
    .filter(({ mounted }) => key !== undefined || !mounted.adapter.settle)
  if (there.length === 0)
    throw notEnabled('payment', 'Whoever runs this server has connected no such gateway: PUT /v1/platform/integrations/{key}.')
  const fitting = there.find(({ mounted }) => mounted.adapter.currencies.includes(currency))
  if (!fitting) throw new ApiError('currency_not_supported', `No gateway here takes ${currency}, which the plan is paid in.`)
  return fitting
}

async function claim(
  tx: Tx,
  store: Store,
  connection: PaymentConnection,
  asked: DuePayment,
): Promise<{ payment: PaymentRow; isMine: boolean } | null> {
  await holdSubscription(tx, store.id)
  await holdGateway(tx, connection)
  const now = Date.now()
  const owed = await dueOf(tx, store.id, now)
  if (!owed) return null
  const due = payable(connection, owed)
  const begun = await listUnderWay(tx, store.id)
  const same = sameOf(begun, connection, due, now)
  for (const other of begun)
    if (other !== same) await enqueue(tx, 'subscriptions.expire', { paymentId: other.id }, { key: `expire:${other.id}` })
  const askingUntil = new Date(now + ASKING_MS).toISOString()
  if (same) {
    const isMine = same.checkoutUrl === null && !(same.askingUntil && Date.parse(same.askingUntil) > now)
    return { payment: isMine ? await updatePayment(tx, same.id, { askingUntil }) : same, isMine }
  }
  await assertFewBegun(tx, store.id)
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

const isSame = (payment: PaymentRow, { row }: PaymentConnection, { amount, currency }: Due, now: number) =>
  payment.connectionId === row.id && decimal(payment.amount) === amount && payment.currency === currency && endOf(payment) > now + USABLE_MS

/** What the gateway takes for it: the next amount that it can count in, and what is too much stays to the store's credit. */
function payable({ mounted: { adapter } }: PaymentConnection, { amount: owed, currency }: Due): Due & { readonly decimals: number } {
  if (!adapter.currencies.includes(currency)) throw new ApiError('currency_not_supported', `${adapter.label} does not take ${currency}.`)
  const decimals = decimalsAt(adapter.unit, currency)
  const amount = roundUp(owed, stepAt(adapter, currency))
  if (toUnits(amount, decimals) < (adapter.minimum ?? 1))
    throw new ApiError('amount_not_payable', `${adapter.label} takes no amount as small as this.`)
  return { amount, currency, decimals }
}

/** Somebody else asks the gateway: what comes of it is given to all who wait, without a lock, and not for ever. */
async function awaitPage({ sql }: Context, { id }: PaymentRow): Promise<PaymentRow> {
  for (const until = Date.now() + WAIT_MS; Date.now() < until; await Bun.sleep(LOOK_EVERY_MS)) {
    const now = invariant(await findPayment(sql, id), 'A payment that was begun')
    if (now.checkoutUrl !== null) return now
    if (now.askingUntil === null) throw new ApiError('upstream_error', now.message ?? 'The gateway gave no page to pay on. Begin again.')
  }
  throw new ApiError('upstream_timeout', 'The gateway has not given a page to pay on yet. Begin again in a moment.')
}

async function askGateway(
  context: Context,
  connection: PaymentConnection,
  payment: PaymentRow,
  store: Store,
  addresses: Addresses,
): Promise<PaymentRow> {
  const checkout = await checkoutOf(context, connection, payment, store, addresses)
  const options = { operation: 'createCheckout', deadlineMs: CALL_MS, schema: CheckoutMade }
  const made = await callAdapter(context, connection, (adapter, own) => adapter.createCheckout(own, checkout), options).catch(
    async (error: unknown) => {
      await noteFailure(context, payment, error)
      throw asApiError(error)
    },
  )
  return transaction(context.sql, (tx) => keepPage(tx, payment, made))
}

/** What was refused for good is over; what got no answer is asked for again under the same payment. */
const noteFailure = ({ sql }: Context, { storeId, id }: PaymentRow, error: unknown) =>
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
  { origin, webhookOf }: Addresses,
): Promise<Checkout> {
  const owner = await findPerson(sql, store.ownerId)
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

/** The gateway has it; news may have come before this answer. */
async function keepPage(tx: Tx, { storeId, id }: PaymentRow, made: CheckoutMade): Promise<PaymentRow> {
  await lockSubscription(tx, storeId)
  const now = await lockPayment(tx, id)
  if (now.checkoutUrl !== null) return now
  const ends = made.expiresAt === undefined ? Number.NaN : Date.parse(made.expiresAt)
  const kept = await updatePayment(tx, id, {
    externalId: now.externalId ?? made.externalId,
    checkoutUrl: made.url,
    directions: made.directions ?? null,
    expiresAt: Number.isFinite(ends) ? new Date(ends).toISOString() : null,
    askingUntil: null,
    message: null,
    ...(now.status === 'created' && { status: 'open' as const }),
  })
  return updatePayment(tx, id, { readAt: nextRead(kept, Date.now()) })
}
