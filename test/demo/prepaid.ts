import type { Order } from '../../core/orders/orders.model.ts'
import type { Payment } from '../../plugins/payment/payments.model.ts'
import type { Chargily } from '../adapters/payment/chargily/simulator.ts'
import { type Api, Refusal } from './api.ts'
import { openBranch } from './branch.ts'
import type { Check } from './report.ts'
import type { Shop } from './shop.ts'

const PRICE = 4_500

export interface PrepaidRow {
  readonly story: string
  readonly asked: number
  readonly paid: number
  readonly refunded: number
  readonly counts: number
  /** Null if no parcel was sent. */
  readonly collects: number | null
  readonly status: string
}

export interface Prepaid {
  readonly rows: readonly PrepaidRow[]
  readonly checks: readonly Check[]
}

/** Runs prepayments with Chargily in a second store, with the possible outcomes of a payment. */
export async function takePayments(api: Api, { owner }: Shop, chargily: Chargily, say: (line: string) => void): Promise<Prepaid> {
  const store = await openPrepaidStore(api, owner.token, chargily)
  const rows: PrepaidRow[] = []
  const checks: Check[] = []
  const so = (name: string, isSo: boolean) => void checks.push({ name, isSo })

  async function begin(): Promise<{ order: Order; payment: Payment }> {
    const order = await store.order()
    const { id } = await api.post<{ id: string }>(`/v1/orders/${order.id}/payment/chargily/initiate`, { as: store.key, body: {} })
    return { order, payment: await api.get<Payment>(`/v1/orders/${order.id}/payments/${id}`, store.key) }
  }
  const read = async (order: Order, payment: Payment) => ({
    order: await api.get<Order>(`/v1/orders/${order.id}`, store.key),
    payment: await api.get<Payment>(`/v1/orders/${order.id}/payments/${payment.id}`, store.key),
  })
  const act = (order: Order, payment: Payment, what: string, body = {}) =>
    api.post<Payment>(`/v1/orders/${order.id}/payments/${payment.id}/${what}`, { as: owner.token, body })
  async function note(story: string, first: { order: Order; payment: Payment }, collects: number | null) {
    const { order, payment } = await read(first.order, first.payment)
    rows.push({
      story,
      asked: payment.amount,
      paid: payment.paid ?? 0,
      refunded: payment.refunded,
      counts: order.paid,
      collects,
      status: order.paymentStatus,
    })
    return { order, payment }
  }
  const pay = async ({ externalId }: Payment, amount?: number) => {
    chargily.move(String(externalId), 'paid', amount === undefined ? {} : { amount })
    return chargily.tell(String(externalId), { times: 2 })
  }

  const full = await begin()
  const asked = chargily.checkouts(full.payment.id)[0]?.asked.amount
  const heard = await pay(full.payment)
  const whole = await note('Paid in full, then sent', full, await store.send(full.order.id))
  so('the gateway was asked for the total of the order', asked === full.order.totals.total)
  so(
    'signed callbacks about a payment were accepted, and a repeated one counted once',
    heard.join() === '200,200' && whole.payment.paid === asked,
  )
  so('the carrier collects nothing for a paid order', whole.order.paymentStatus === 'paid' && rows[0]?.collects === 0)

  const less = await begin()
  await pay(less.payment, 3_000)
  const waits = await read(less.order, less.payment)
  const refused = await store.send(less.order.id).catch((error: unknown) => error)
  await act(less.order, less.payment, 'accept')
  const rest = await store.send(less.order.id)
  await note('Underpaid, then accepted by you', less, rest)
  so(
    'an underpaid order is flagged, and is not sent until you decide',
    waits.payment.concern === 'paid_less' && refused instanceof Refusal && refused.code === 'payment_needs_attention',
  )
  so('the carrier collects the remaining amount', rest === less.order.totals.total - 3_000)

  const given = await begin()
  await pay(given.payment)
  await api.call('PATCH', `/v1/orders/${given.order.id}`, { as: store.key, body: { status: 'cancelled' } })
  const named = (await read(given.order, given.payment)).payment.concern
  const unsupported = await act(given.order, given.payment, 'refund').catch((error: unknown) => error)
  await act(given.order, given.payment, 'refund', { byHand: true, reason: 'cancelled' })
  const back = await note('Paid, cancelled, refunded by hand', given, null)
  so('the payment of a cancelled order is flagged for a refund', named === 'order_ended')
  so(
    'a gateway without refunds refuses one, and a refund in its dashboard can be recorded',
    unsupported instanceof Refusal && unsupported.code === 'refund_unsupported' && back.payment.status === 'refunded',
  )

  const lost = await begin()
  chargily.move(String(lost.payment.externalId), 'paid')
  await api.call('POST', `/v1/orders/${lost.order.id}/payments/${lost.payment.id}/sync`, { as: store.key })
  const found = await note('Paid, but the callback was lost', lost, null)
  so('a payment whose callback was lost was found by polling the gateway', found.payment.status === 'paid')

  say(`${rows.length} orders, ${chargily.checkouts().length} checkout pages at Chargily`)
  return { rows, checks }
}

async function openPrepaidStore(api: Api, token: string, chargily: Chargily) {
  const { key, product, connect, order, send } = await openBranch(api, token, 'Boutique Amina, prepaid')
  const tray = await product({ name: 'Copper tray', sku: 'TRAY', price: PRICE, initialStock: 20 })
  await connect('chargily', { ...chargily.credentials })
  await connect('sandbox', { webhookSecret: crypto.randomUUID() })
  /** Returns the amount that the carrier collects. */
  const collected = async (orderId: string) => (await send(orderId)).codAmount
  return { key, order: () => order(tray.id), send: collected }
}
