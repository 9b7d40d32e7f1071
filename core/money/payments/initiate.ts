import { type Checkout, CheckoutMade, type NewCheckout } from '../../../plugins/payment/model.ts'
import type { Context } from '../../context.ts'
import { enqueue } from '../../data/jobs.ts'
import { type Tx, transaction } from '../../data/sql.ts'
import { ApiError } from '../../http/errors/errors.ts'
import { asApiError, callAdapter } from '../../integrations/connections/calls/call.ts'
import type { PaymentConnection } from '../../integrations/connections/connection.ts'
import { AdapterFailure } from '../../integrations/egress/failure.ts'
import { newId } from '../../lib/ids.ts'
import { invariant } from '../../lib/invariant.ts'
import { type Decimal, decimal, decimalText } from '../../lib/money/decimal.ts'
import { type HeldOrder, holdDeletedToo, holdOrder } from '../../orders/change/hold.ts'
import type { OrderRow } from '../../orders/orders.queries.ts'
import { dueOf } from '../../orders/parcels/parcel-of.ts'
import { open } from '../../orders/statuses.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { assertTerms } from '../../shop/stores/stores.ts'
import { applyNews } from './events/apply-gateway-event.ts'
import { decimalsAt, stepAt, toUnits } from './gateway/amounts.ts'
import { holdGateway } from './gateway/hold-gateway.ts'
import { settleOrder } from './orders/settle.ts'
import { findPayment, insertPayment, listOfOrder, lockPayment, type PaymentRow, takeEarly, updatePayment } from './payments.queries.ts'
import { endOf, nextRead } from './schedule.ts'
import { isUnderWay } from './statuses.ts'

const CALL_MS = 20_000
/** Longer than a call: who asks is either done by then, or gone. */
const ASKING_MS = 25_000
/** Who waits for what another asks. */
const WAIT_MS = 15_000
const LOOK_EVERY_MS = 250
/** Of one order; whoever knows its id may begin, and each is a page at a gateway. */
const BEGUN_MAX = 50
/** A page that ends sooner is not given to a payer any more. */
const USABLE_MS = 60_000

/** Where the two sides find us. */
export interface Addresses {
  /** Of this server, without a slash at its end. */
  readonly origin: string
  readonly webhook: string
}

/**
 * Begins to pay an order, or goes on: who asks again for what is still payable gets the same page. The amount is what the order lacks.
 * Throws `conflict`, `adapter_not_enabled`, `invalid_transition`, `already_paid`, `payment_needs_attention`, `outcome_unknown`, `currency_not_supported`,
 * `amount_not_payable`, and what the gateway refused.
 */
export async function initiate(
  context: Context,
  { store, orderId }: { store: Store; orderId: string },
  connection: PaymentConnection,
  asked: NewCheckout,
  addresses: Addresses,
): Promise<PaymentRow> {
  const { payment, order, isMine } = await transaction(context.sql, (tx) => claim(tx, store, orderId, connection, asked))
  if (payment.checkoutUrl !== null) return payment
  return isMine ? askGateway(context, connection, payment, order, addresses) : awaitPage(context, payment)
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

interface Claimed {
  readonly payment: PaymentRow
  readonly order: OrderRow
  /** It is for us to ask the gateway; else somebody else is asking. */
  readonly isMine: boolean
}

async function claim(tx: Tx, store: Store, orderId: string, connection: PaymentConnection, asked: NewCheckout): Promise<Claimed> {
  await assertTerms(tx, store)
  const held = await holdOrder(tx, { projectId: store.projectId, storeId: store.id, orderId })
  const { order } = held
  await holdGateway(tx, connection)
  const amount = payable(held)
  const now = Date.now()
  const begun = await listOfOrder(tx, orderId)
  const payments = begun.filter(({ status }) => isUnderWay(status))
  const same = payments.find((payment) => isSame(payment, connection, amount, now))
  if (payments.some((payment) => payment !== same && payment.status === 'processing')) throw looked()
  for (const other of payments)
    if (other !== same) await enqueue(tx, 'payments.expire', { paymentId: other.id }, { key: `expire:${other.id}` })
  const askingUntil = new Date(now + ASKING_MS).toISOString()
  if (same) {
    const isMine = same.checkoutUrl === null && !(same.askingUntil && Date.parse(same.askingUntil) > now)
    return { payment: isMine ? await updatePayment(tx, same.id, { askingUntil }) : same, order, isMine }
  }
  const decimals = assertTakes(connection, store, amount)
  if (begun.length >= BEGUN_MAX)
    throw new ApiError('too_many_payments', `The order was begun to be paid ${begun.length} times. Take the money another way.`)
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
    readAt: new Date(now + ASKING_MS).toISOString(),
  })
  await settleOrder(tx, held)
  return { payment, order, isMine: true }
}

/** The payer did his part of another payment: whoever began one more would soon have paid twice. */
const looked = () =>
  new ApiError(
    'outcome_unknown',
    'The order was paid another way, and whether that money is there is not known yet. Until it is, nothing more is taken.',
  )

/** What the order lacks, where it may be paid now. */
function payable({ order, parcels }: HeldOrder): Decimal {
  if (!open.includes(order.status) || parcels.some(({ status }) => status !== 'created'))
    throw new ApiError('invalid_transition', `The order is ${order.status}: it can no longer be paid beforehand.`)
  if (order.paymentStatus === 'needs_attention')
    throw new ApiError('payment_needs_attention', 'One of the payments of the order waits for a person; until then nothing more is taken.')
  const amount = dueOf(order)
  if (amount === 0n) throw new ApiError('already_paid', 'Nothing of the order is left to pay.')
  return amount
}

const isSame = (payment: PaymentRow, { row }: PaymentConnection, amount: Decimal, now: number) =>
  payment.connectionId === row.id && decimal(payment.amount) === amount && endOf(payment) > now + USABLE_MS

/** The gateway takes this amount in this currency. Gives how many decimals it counts with. */
function assertTakes({ mounted: { adapter } }: PaymentConnection, { currencyCode }: Store, amount: Decimal): number {
  if (!adapter.currencies.includes(currencyCode))
    throw new ApiError(
      'currency_not_supported',
      `${adapter.label} takes ${adapter.currencies.slice(0, 10).join(', ')}; the store sells in ${currencyCode}.`,
    )
  const [decimals, step] = [decimalsAt(adapter.unit, currencyCode), stepAt(adapter, currencyCode)]
  if (amount % step !== 0n)
    throw new ApiError('amount_not_payable', `${adapter.label} takes multiples of ${decimalText(step)} ${currencyCode}, and this is none.`)
  if (toUnits(amount, decimals) < (adapter.minimum ?? 1))
    throw new ApiError('amount_not_payable', `${adapter.label} takes no amount as small as this.`)
  return decimals
}

async function askGateway(
  context: Context,
  connection: PaymentConnection,
  payment: PaymentRow,
  order: OrderRow,
  addresses: Addresses,
): Promise<PaymentRow> {
  const options = { operation: 'createCheckout', deadlineMs: CALL_MS, schema: CheckoutMade }
  const checkout = checkoutOf(payment, order, addresses)
  const made = await callAdapter(context, connection, (adapter, own) => adapter.createCheckout(own, checkout), options).catch(
    async (error: unknown) => {
      await noteFailure(context, payment, error)
      throw asApiError(error)
    },
  )
  return transaction(context.sql, (tx) => keep(tx, connection, payment, made))
}

/** What was refused for good is over; what got no answer is asked for again under the same payment. */
async function noteFailure({ sql }: Context, payment: PaymentRow, error: unknown) {
  const failure = error instanceof AdapterFailure ? error : null
  const isOver = failure?.reason === 'refused' || failure?.reason === 'unauthorized'
  await transaction(sql, async (tx) => {
    const held = await holdDeletedToo(tx, payment)
    const now = invariant(await lockPayment(tx, payment.id), 'A payment that was begun')
    const over = isOver && now.status === 'created' && { status: 'failed' as const, readAt: null }
    await updatePayment(tx, payment.id, { askingUntil: null, message: failure?.message ?? null, ...over })
    await settleOrder(tx, held)
  })
}

function checkoutOf(payment: PaymentRow, order: OrderRow, { origin, webhook }: Addresses): Checkout {
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

/** The gateway has it. Whoever asked at the same time, one page is given to all; and news may have come before this answer. */
async function keep(tx: Tx, { row }: PaymentConnection, payment: PaymentRow, made: CheckoutMade): Promise<PaymentRow> {
  const { id } = payment
  const held = await holdDeletedToo(tx, payment)
  const now = invariant(await lockPayment(tx, id), 'A payment that was begun')
  if (now.checkoutUrl !== null) return now
  const opened = {
    externalId: now.externalId ?? made.externalId,
    checkoutUrl: made.url,
    expiresAt: timeIn(made.expiresAt),
    directions: made.directions ?? null,
    askingUntil: null,
    message: null,
    ...(now.status === 'created' && { status: 'open' as const }),
  }
  const kept = await updatePayment(tx, id, opened)
  await updatePayment(tx, id, { readAt: nextRead(kept, Date.now()) })
  await settleOrder(tx, held)
  for (const { news } of await takeEarly(tx, row.id, made.externalId, id)) await applyNews(tx, kept, news)
  return invariant(await findPayment(tx, id), 'A payment that was begun')
}

const timeIn = (text: string | undefined): string | null => {
  const ms = text === undefined ? Number.NaN : Date.parse(text)
  return Number.isFinite(ms) ? new Date(ms).toISOString() : null
}
