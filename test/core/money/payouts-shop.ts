import { afterAll } from 'bun:test'
import { pullPayouts, requestPull } from '../../../core/money/gateway-payouts/pull-payouts.ts'
import { insertMissingPulls } from '../../../core/money/gateway-payouts/pulls.queries.ts'
import { startStripe } from '../../adapters/payment/stripe/simulator.ts'
import type { Answer, TestApp } from '../../support/app.ts'
import { paymentShop } from './payment-shop.ts'

export const PRICE = 19.99

/** Where Stripe is asked for, and who answers there. */
export function stripeAt() {
  const stripe = startStripe()
  afterAll(() => stripe.stop())
  return { stripe, simulators: { 'api.stripe.com': stripe.url } }
}
export type Stripe = ReturnType<typeof stripeAt>['stripe']

/** A shop whose customers pay with Stripe, and what of that is sent to its bank. */
export async function payoutShop(app: TestApp, stripe: Stripe) {
  const { call, ok, context } = app
  const { sql } = context
  const ours = await paymentShop({ ...app, shop: () => app.shop({ currencyCode: 'USD' }) }, {}, PRICE)
  const { storeId, projectId, owner, key } = ours
  const { data } = await ok('PUT', `/v1/stores/${storeId}/integrations/stripe`, {
    as: owner.token,
    body: { enabled: true, credentials: { ...stripe.credentials }, settings: {} },
  })
  const connectionId: string = data.id
  const at = `/v1/stores/${storeId}/payouts`

  /** An order that was paid, and whose news came. */
  async function sell(quantity = 1) {
    const begun = await begin(quantity)
    stripe.move(begun.externalId, 'paid')
    await ours.onPayment(begun.orderId, begun.paymentId, 'sync')
    return begun
  }

  async function begin(quantity = 1) {
    const { id: orderId } = await ours.order(quantity)
    const { body, status } = await ours.initiate(orderId, { as: key, gateway: 'stripe' })
    if (status !== 201) throw new Error(`initiate answered ${status}: ${JSON.stringify(body)}`)
    const paymentId: string = body.data.id
    const { externalId } = await ours.read(orderId, paymentId)
    return { orderId, paymentId, externalId: String(externalId) }
  }

  /** One reading, from its beginning to its end, in this very process. */
  async function pull() {
    await insertMissingPulls(sql, ['stripe'], projectId)
    await sql.begin((tx) => requestPull(tx, { projectId, connectionId }))
    await pullPayouts(context, connectionId)
  }

  const list = async (query = '') => (await ok('GET', `${at}${query}`, { as: key })).data
  const named = async (externalId: string) => {
    const found = (await list('?limit=100')).find((payout: { externalId: string }) => payout.externalId === externalId)
    if (!found) throw new Error(`There is no payout ${externalId} here.`)
    return found
  }
  const read = async (id: string) => (await ok('GET', `${at}/${id}`, { as: key })).data
  const lines = async (id: string, query = '') => (await ok('GET', `${at}/${id}/lines?limit=100${query}`, { as: key })).data
  const accept = (id: string, lineId: string, reason = 'as agreed', as = owner.token): Promise<Answer> =>
    call('POST', `${at}/${id}/lines/${lineId}/accept`, { as, body: { reason } })

  /** What stands on each account of the connection. */
  async function balances() {
    const [row] = await sql<{ carrier: number; sales: number; fees: number; bank: number; difference: number }[]>`
      select coalesce(sum(carrier), 0)::float8 as carrier, coalesce(sum(sales), 0)::float8 as sales, coalesce(sum(fees), 0)::float8 as fees,
        coalesce(sum(bank), 0)::float8 as bank, coalesce(sum(difference), 0)::float8 as difference
      from ledger_entries where connection_id = ${connectionId}`
    return row!
  }

  return { ...ours, at, connectionId, sell, begin, pull, list, named, readPayout: read, lines, accept, balances }
}
