import { describe, expect, test } from 'bun:test'
import { projectIdOf } from '../../../core/data/project-ids.ts'
import { DAY_MS } from '../../../core/lib/durations.ts'
import { startApp } from '../../support/app.ts'
import { findPaymentDifferences } from '../../support/checks.ts'
import { formOf, jpegOf } from '../../support/uploads.ts'
import { paymentShop } from './payment-shop.ts'

const app = await startApp({}, { socket: true })
const { call, ok, context } = app
const { sql } = context
const ours = await paymentShop(app)
const { key, owner, storeId, read, readOrder } = ours
await ok('PUT', `/v1/stores/${storeId}/integrations/offline`, {
  as: owner.token,
  body: { enabled: true, credentials: {}, settings: { account: '00799999000123456789', holder: '<b>Lina</b>' } },
})
const receipt = await jpegOf(400, 300)

async function begun(language = 'fr') {
  const { id, reference, totals } = await ours.order()
  const { body, status } = await ours.initiate(id, { as: key, gateway: 'offline', body: { language } })
  if (status !== 201) throw new Error(JSON.stringify(body))
  return { orderId: id, reference, total: totals.total, id: body.data.id as string, checkoutUrl: body.data.checkoutUrl as string }
}
const page = (id: string) => call('GET', `/v1/payments/${id}/proof`)
async function send(id: string, bytes: Uint8Array | string = receipt, name = 'receipt.jpg') {
  const { raw, type } = await formOf(bytes, name)
  return call('POST', `/v1/payments/${id}/proof`, { raw, headers: { 'content-type': type } })
}
const settle = (one: { orderId: string; id: string }, body: object, as = owner.token) =>
  call('POST', `/v1/orders/${one.orderId}/payments/${one.id}/settle`, { as, body })
const proofsOf = async ({ orderId, id }: { orderId: string; id: string }) =>
  (await ok('GET', `/v1/orders/${orderId}/payments/${id}/proofs`, { as: key })).data

describe('the page', () => {
  test('says how much, where to, and what to say with it; nothing of it is markup', async () => {
    const { id, reference, checkoutUrl } = await begun()
    expect(checkoutUrl).toBe(`${app.origin}/v1/payments/${id}/proof`)
    const { status, body } = await page(id)
    expect(status).toBe(200)
    for (const words of ['00799999000123456789', '&lt;b&gt;Lina&lt;/b&gt;', reference, 'enctype="multipart/form-data"', 'lang="fr"'])
      expect(body).toContain(words)
  })

  test('of a payment whose gateway sees money itself is not there', async () => {
    const { id } = await ours.order()
    const { body } = await ours.initiate(id, { as: key })
    expect((await page(body.data.id)).status).toBe(404)
    expect((await send(body.data.id)).status).toBe(404)
    expect((await page('pay_01m00000000000000000000000')).status).toBe(404)
    const answer = await settle({ orderId: id, id: body.data.id }, { status: 'paid' })
    expect([answer.status, answer.body.error.code]).toEqual([409, 'invalid_transition'])
  })
})

describe('a receipt', () => {
  test('makes the payment wait for a person, who says that the money is there', async () => {
    const one = await begun()
    expect((await send(one.id)).body).toContain('Le reçu est arrivé')
    expect(await read(one.orderId, one.id)).toMatchObject({ status: 'processing', paid: null })
    const [proof] = await proofsOf(one)
    const file = await call('GET', new URL(proof.url, app.origin).pathname)
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
    expect((await settle(one, { status: 'paid' })).body.data).toMatchObject({ status: 'paid', paid: one.total, concern: null })
    expect((await readOrder(one.orderId)).paymentStatus).toBe('paid')
    expect((await page(one.id)).body).toContain('Paiement effectué')
    expect((await send(one.id)).status).toBe(409)
    await ok('POST', `/v1/orders/${one.orderId}/payments/${one.id}/sync`, { as: key })
    expect(await read(one.orderId, one.id)).toMatchObject({ status: 'paid', paid: one.total })
  })

  test('that is refused may be followed by a better one', async () => {
    const one = await begun('en')
    await send(one.id)
    expect((await settle(one, { status: 'failed', reason: 'It is of last year.' })).body.data.status).toBe('failed')
    expect((await page(one.id)).body).toContain('It is of last year.')
    expect((await send(one.id)).status).toBe(200)
    expect((await read(one.orderId, one.id)).status).toBe('processing')
    expect((await proofsOf(one)).length).toBe(2)
  })

  test('is a picture or a PDF by its bytes, with a limit, and of others nothing is kept', async () => {
    const one = await begun()
    const before = (await ok('GET', `/v1/files?storeId=${storeId}`, { as: owner.token })).data.length
    expect((await send(one.id, '<html></html>', 'receipt.jpg')).status).toBe(415)
    expect((await send(one.id, 'a,b\n1,2', 'receipt.csv')).status).toBe(415)
    expect((await send(one.id, new Uint8Array(8 * 1024 * 1024 + 1))).status).toBe(413)
    expect((await call('POST', `/v1/payments/${one.id}/proof`, { body: { file: 'x' } })).status).toBe(415)
    expect((await ok('GET', `/v1/files?storeId=${storeId}`, { as: owner.token })).data.length).toBe(before)
    expect((await read(one.orderId, one.id)).status).toBe('open')
  })

  test('is one of few, however many are sent at once', async () => {
    const one = await begun()
    const answers = await Promise.all(Array.from({ length: 6 }, () => send(one.id)))
    const more = [await send(one.id), await send(one.id)]
    const statuses = [...answers, ...more].map(({ status }) => status)
    expect((await proofsOf(one)).length).toBe(5)
    expect(statuses.filter((status) => status === 200).length).toBe(5)
    expect(more.at(-1)?.body.error.code).toBe('limit_reached')
    const kept =
      await sql`select 1 from files f where f.project_id = ${projectIdOf(storeId)} and f.owner = 'store' and not exists (select 1 from payment_proofs p where p.file_id = f.id)`
    expect(kept.length).toBe(0)
  })

  test('keeps its payment from being over before somebody looked', async () => {
    const one = await begun()
    await send(one.id)
    const { expiresAt } = await read(one.orderId, one.id)
    expect(Date.parse(expiresAt) - Date.now()).toBeGreaterThan(29 * DAY_MS)
  })
})

test('receipts: no receipt is accepted for a deleted order, and its payer is told the outcome', async () => {
  const one = await begun('fr')
  await settle(one, { status: 'failed', reason: 'Nothing came.' })
  await ok('DELETE', `/v1/orders/${one.orderId}`, { as: key })
  const files = async () => (await sql`select 1 from files where project_id = ${projectIdOf(storeId)} and owner = 'store'`).length
  const before = await files()
  expect([(await page(one.id)).status, (await send(one.id)).status, await files()]).toEqual([404, 404, before])
  const back = await call('GET', `/v1/payments/${one.id}/return`)
  expect(back.status).toBe(200)
  expect(back.body).toContain(one.reference)
})

describe('a person', () => {
  test('says what is there, also without a receipt, and what differs is named', async () => {
    const cash = await begun()
    expect((await settle(cash, { status: 'paid' })).body.data).toMatchObject({ status: 'paid', concern: null })
    const less = await begun()
    expect((await settle(less, { status: 'paid', amount: 100 })).body.data).toMatchObject({ paid: 100, concern: 'paid_less' })
  })

  test.each([
    [{ status: 'paid', amount: 0.001 }, 422],
    [{ status: 'failed', amount: 5 }, 422],
    [{ status: 'open' }, 400],
    [{ status: 'paid', more: 1 }, 400],
  ])('who says %j is answered %d', async (body, status) => {
    const one = await begun()
    expect((await settle(one, body)).status).toBe(status)
    expect((await read(one.orderId, one.id)).status).toBe('open')
  })

  test('and another, who decide differently at once, leave one payment that is valid', async () => {
    const one = await begun()
    await send(one.id)
    await Promise.all([settle(one, { status: 'paid' }), settle(one, { status: 'failed' }), settle(one, { status: 'paid' }), send(one.id)])
    const now = await read(one.orderId, one.id)
    expect([now.status, now.paid]).toEqual(['paid', one.total])
    expect((await settle(one, { status: 'failed' })).status).toBe(409)
  })

  test('says so too where the gateway was switched off meanwhile', async () => {
    const one = await begun()
    await send(one.id)
    const switched = (enabled: boolean) => ok('PATCH', `/v1/stores/${storeId}/integrations/offline`, { as: owner.token, body: { enabled } })
    await switched(false)
    expect((await send(one.id)).status).toBe(404)
    expect((await settle(one, { status: 'failed' })).body.data.status).toBe('failed')
    await switched(true)
    await ok('POST', `/v1/orders/${one.orderId}/payments/${one.id}/sync`, { as: key })
    expect((await read(one.orderId, one.id)).status).toBe('failed')
  })

  test('of another store, or of nobody, says nothing', async () => {
    const one = await begun()
    const other = await app.shop()
    expect((await settle(one, { status: 'paid' }, other.owner.token)).status).toBe(404)
    expect((await call('POST', `/v1/orders/${one.orderId}/payments/${one.id}/settle`, { body: { status: 'paid' } })).status).toBe(401)
    expect((await call('GET', `/v1/orders/${one.orderId}/payments/${one.id}/proofs`, { as: other.owner.token })).status).toBe(404)
    expect((await settle({ ...one, orderId: (await begun()).orderId }, { status: 'paid' })).status).toBe(404)
  })
})

test('receipts: the totals of all payments add up', async () => {
  expect(await findPaymentDifferences(sql)).toEqual([])
})
