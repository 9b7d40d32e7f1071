import { afterAll, describe, expect, test } from 'bun:test'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { submitRefund } from '../../../core/money/payments/refunds/submit-refund.ts'
import { startApp } from '../../support/app.ts'
import { findPaymentDifferences } from '../../support/checks.ts'
import { scratchFolder } from '../../support/scratch.ts'
import { paymentShop } from './payment-shop.ts'

/** A gateway that cannot be asked twice for one refund: what got no answer may have been done. */
const TILL = `import { AdapterError, ask, payment } from 'serai/payment'
const call = async (context, path, json) => {
  const answer = await ask(context, 'Till', 'https://api.till.example' + path, json ? { method: 'POST', json } : {})
  if (!answer.ok) throw new AdapterError('unavailable', 'Till answered ' + answer.status + '.')
  return answer.value
}
export default payment({
  slug: 'till', label: 'Till', net: ['api.till.example'], credentials: {}, settings: {}, rateWindows: [],
  currencies: ['DZD'], unit: 'minor', refunds: { partial: true, exactlyOnce: 'unsafe' },
  testConnection: () => ({}),
  createCheckout: (context, asked) => call(context, '/checkouts', asked),
  read: (context, externalId) => call(context, '/checkouts/' + externalId),
  refund: (context, asked) => call(context, '/refunds', asked),
})`

const folder = await scratchFolder()
await mkdir(join(folder, 'till'), { recursive: true })
await writeFile(join(folder, 'till/index.ts'), TILL)

const asked: string[] = []
let refunds: () => Response | Promise<Response> = () => Response.json({ externalId: 'r1', status: 'done' })
let delayMs = 0
const answer = async (request: Request): Promise<Response> => {
  const { pathname } = new URL(request.url)
  asked.push(`${request.method} ${pathname}`)
  if (pathname === '/refunds') return refunds()
  if (request.method === 'GET') return Response.json({ externalId: pathname.split('/').at(-1), status: 'paid' })
  await Bun.sleep(delayMs)
  const { paymentId } = (await request.json()) as { paymentId: string }
  return Response.json({ externalId: paymentId.slice(4), url: 'https://till.example/pay' })
}
let till = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: answer })
afterAll(() => till.stop(true))
const { port } = till

const app = await startApp({ adapterDirs: [folder], simulators: { 'api.till.example': `http://127.0.0.1:${port}` } })
const { ok, call, context } = app
const { sql } = context
const ours = await paymentShop(app)
await ok('PUT', `/v1/stores/${ours.storeId}/integrations/till`, {
  as: ours.owner.token,
  body: { enabled: true, credentials: {}, settings: {} },
})
const begin = (orderId: string) => ours.initiate(orderId, { as: ours.key, gateway: 'till' })

async function paid() {
  const { id: orderId } = await ours.order()
  const { id } = (await begin(orderId)).body.data
  await ok('POST', `/v1/orders/${orderId}/payments/${id}/sync`, { as: ours.key })
  asked.length = 0
  return { orderId, id, refund: async () => (await ours.onPayment(orderId, id, 'refund', { amount: 1000 })).body.data }
}
const timesRefunded = () => asked.filter((one) => one === 'POST /refunds').length

describe('a refund that cannot be asked for twice', () => {
  test('that got no answer waits for a person, who decides on its outcome', async () => {
    const { orderId, id, refund } = await paid()
    refunds = () => new Response('oops', { status: 500 })
    const { refunds: made, concern } = await refund()
    expect([made[0].status, concern]).toEqual(['unknown', 'refund_unknown'])
    await submitRefund(context, made[0].id)
    expect(timesRefunded()).toBe(1)
    expect((await ours.onPayment(orderId, id, 'accept')).status).toBe(409)
    const said = await ours.onPayment(orderId, id, `refunds/${made[0].id}`, { status: 'done' }, 'PATCH')
    expect(said.body.data).toMatchObject({ status: 'partially_refunded', refunded: 1000, concern: null })
    expect((await ours.onPayment(orderId, id, `refunds/${made[0].id}`, { status: 'failed' }, 'PATCH')).status).toBe(409)
  })

  test('that is pending at the gateway waits for a person too', async () => {
    const { refund } = await paid()
    refunds = () => Response.json({ externalId: 'r2', status: 'pending' })
    const { refunds: made } = await refund()
    expect(made[0]).toMatchObject({ status: 'unknown', message: expect.stringContaining('pending') })
    expect(timesRefunded()).toBe(1)
  })

  test('that was never sent, as the gateway was unreachable, is requested again', async () => {
    const { orderId, id, refund } = await paid()
    refunds = () => Response.json({ externalId: 'r3', status: 'done' })
    await till.stop(true)
    const { refunds: made, concern } = await refund()
    expect([made[0].status, concern]).toEqual(['pending', null])
    till = Bun.serve({ port: port ?? 0, hostname: '127.0.0.1', fetch: answer })
    await submitRefund(context, made[0].id)
    expect(timesRefunded()).toBe(1)
    expect(await ours.read(orderId, id)).toMatchObject({ status: 'partially_refunded', refunded: 1000 })
  })

  test('that is unanswered for a day is handed to a person', async () => {
    const { orderId, id, refund } = await paid()
    await till.stop(true)
    const { refunds: made } = await refund()
    await sql`update payment_refunds set created_at = now() - interval '2 days' where id = ${made[0].id}`
    await submitRefund(context, made[0].id)
    expect((await ours.read(orderId, id)).concern).toBe('refund_unknown')
    till = Bun.serve({ port: port ?? 0, hostname: '127.0.0.1', fetch: answer })
  })
})

test('checkout: ten requests for one slow page make one call, and all get the page', async () => {
  const { id } = await ours.order()
  asked.length = 0
  delayMs = 800
  const answers = await Promise.all(Array.from({ length: 10 }, () => begin(id)))
  delayMs = 0
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
  expect(asked).toEqual(['POST /checkouts'])
})

test('checkout: twenty returns at once ask the gateway once', async () => {
  const { id: orderId } = await ours.order()
  const { id } = (await begin(orderId)).body.data
  await sql`update payments set updated_at = now() - interval '10 seconds' where id = ${id}`
  asked.length = 0
  await Promise.all(Array.from({ length: 20 }, () => call('GET', `/v1/payments/${id}/return`)))
  expect(asked.length).toBe(1)
})

test('payments: the totals of all payments add up', async () => {
  expect(await findPaymentDifferences(sql)).toEqual([])
})
