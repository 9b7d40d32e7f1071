import { describe, expect, test } from 'bun:test'
import { projectIdOf } from '../../../core/data/project-ids.ts'
import { type Shop, startApp } from '../../support/app.ts'
import { findDifferences } from '../../support/checks.ts'
import { until } from '../../support/until.ts'

const { call, ok, shop, context } = await startApp({ trustedProxies: 1 })
const { sql } = context
let phones = 0
let addresses = 0
const newPhone = () => `0550${String(++phones).padStart(6, '0')}`
const newAddress = () => `203.0.113.${++addresses}`

async function stocked(limits: object = {}) {
  const on = await shop()
  const publicOrderLimits = { duplicateMinutes: 0, ...limits }
  await ok('PATCH', `/v1/stores/${on.storeId}`, { as: on.owner.token, body: { settings: { publicOrderLimits } } })
  const body = { storeId: on.storeId, name: 'Basket', sku: 'B', price: 1000, initialStock: 500 }
  const { data: product } = await ok('POST', '/v1/products', { as: on.key, body })
  return { ...on, productId: product.id as string }
}

interface Placed {
  readonly phone?: string
  readonly address?: string
  readonly items?: readonly object[]
  readonly as?: string
  readonly more?: object
}

function place(on: { storeId: string; productId: string }, { phone = newPhone(), address = newAddress(), items, as, more }: Placed = {}) {
  const body = {
    storeId: on.storeId,
    customer: { name: 'Lina', phone },
    destination: { country: 'DZ', stateCode: '16', cityName: 'Bab Ezzouar', address: '', deliveryType: 'home' },
    items: items ?? [{ productId: on.productId, quantity: 1 }],
    ...more,
  }
  return call('POST', '/v1/orders', { body, headers: { 'x-forwarded-for': address }, ...(as && { as }) })
}

const codeOf = ({ status, body }: { status: number; body: { error?: { code: string } } }) => [status, body.error?.code]
const taken = [201, undefined]

async function freeStock({ projectId, key }: Pick<Shop, 'projectId' | 'key'>): Promise<number> {
  expect(projectId).toStartWith('prj_')
  const { data } = await ok('GET', '/v1/inventory/balances', { as: key })
  return data.reduce((sum: number, { onHand, reserved }: { onHand: number; reserved: number }) => sum + onHand - reserved, 0)
}

describe('an order without an account', () => {
  test('is of so many pieces, lines and money; members and keys order what they will', async () => {
    const on = await stocked({ pieces: 10, lines: 2, value: 5_000 })
    const of = (...quantities: number[]) => quantities.map((quantity) => ({ productId: on.productId, quantity }))
    expect(codeOf(await place(on, { items: of(2, 2) }))).toEqual(taken)
    for (const items of [of(11), of(6, 5), of(1, 1, 1), of(6)]) expect(codeOf(await place(on, { items }))).toEqual([422, 'order_too_large'])
    expect(codeOf(await place(on, { items: of(6, 5, 1), as: on.key }))).toEqual(taken)
    expect(codeOf(await place(on, { items: of(40), as: on.owner.token }))).toEqual(taken)
  })

  test('has sane limits where the store says nothing', async () => {
    const on = await stocked()
    expect(codeOf(await place(on, { items: [{ productId: on.productId, quantity: 101 }] }))).toEqual([422, 'order_too_large'])
    expect(codeOf(await place(on, { items: [{ productId: on.productId, quantity: 100 }] }))).toEqual(taken)
  })

  test('is one of few of its phone that nobody confirmed, also when all come at once', async () => {
    const on = await stocked({ openPerPhone: 3 })
    const phone = newPhone()
    const answers = await Promise.all(Array.from({ length: 12 }, () => place(on, { phone })))
    expect(answers.filter(({ status }) => status === 201).length).toBe(3)
    expect(codeOf(answers.find(({ status }) => status !== 201)!)).toEqual([422, 'too_many_open_orders'])
    const one = answers.find(({ status }) => status === 201)!.body.data
    await ok('PATCH', `/v1/orders/${one.id}`, { as: on.key, body: { status: 'confirmed' } })
    expect(codeOf(await place(on, { phone }))).toEqual(taken)
    expect(codeOf(await place(on, { phone }))).toEqual([422, 'too_many_open_orders'])
    expect(codeOf(await place(on, { phone, as: on.key }))).toEqual(taken)
  })

  test('is one of few of its network', async () => {
    const on = await stocked({ openPerAddress: 4 })
    const answers = await Promise.all(Array.from({ length: 9 }, (_, at) => place(on, { address: `2001:db8:7:1::${at + 1}` })))
    expect(answers.filter(({ status }) => status === 201).length).toBe(4)
    expect(codeOf(await place(on, { address: '2001:db8:7:2::1' }))).toEqual(taken)
  })

  test('is taken once where a button was pressed several times, and again after some minutes', async () => {
    const on = await stocked({ duplicateMinutes: 2, openPerPhone: 50 })
    const phone = newPhone()
    const of = (...quantities: number[]) => quantities.map((quantity) => ({ productId: on.productId, quantity }))
    const answers = await Promise.all(Array.from({ length: 6 }, () => place(on, { phone, items: of(1, 2) })))
    expect(answers.filter(({ status }) => status === 201).length).toBe(1)
    expect(codeOf(answers.find(({ status }) => status !== 201)!)).toEqual([409, 'duplicate_order'])
    expect(codeOf(await place(on, { phone, items: of(2, 1) }))).toEqual([409, 'duplicate_order'])
    expect(codeOf(await place(on, { phone, items: of(3) }))).toEqual(taken)
    expect(codeOf(await place(on, { items: of(1, 2) }))).toEqual(taken)
    expect(codeOf(await place(on, { phone, items: of(1, 2), as: on.key }))).toEqual(taken)
    await sql`update orders set created_at = now() - interval '3 minutes' where project_id = ${projectIdOf(on.storeId)}`
    expect(codeOf(await place(on, { phone, items: of(1, 2) }))).toEqual(taken)
  })

  test('that nobody confirms gives its stock back when its time is over, and can be taken up again', async () => {
    const on = await stocked({ holdMinutes: 60 })
    const before = await freeStock(on)
    const [left, seen, sent] = await Promise.all([place(on), place(on), place(on)])
    expect(Date.parse(left.body.data.heldUntil) - Date.now()).toBeWithin(3_500_000, 3_601_000)
    await ok('PATCH', `/v1/orders/${seen.body.data.id}`, { as: on.key, body: { status: 'unreachable' } })
    expect((await ok('GET', `/v1/orders/${seen.body.data.id}`, { as: on.key })).data.heldUntil).toBeNull()
    const connection = { enabled: true, credentials: { webhookSecret: 'x' }, settings: {} }
    await ok('PUT', `/v1/stores/${on.storeId}/integrations/sandbox`, { as: on.owner.token, body: connection })
    await ok('POST', `/v1/stores/${on.storeId}/orders/${sent.body.data.id}/carriers/sandbox/send`, { as: on.key })
    expect(await freeStock(on)).toBe(before - 3)

    await sql`update orders set held_until = now() - interval '1 minute' where project_id = ${projectIdOf(on.storeId)} and held_until is not null`
    await sql`select graphile_worker.add_job('orders.cancelUnconfirmed', '{}')`
    const statusOf = async (id: string) => (await ok('GET', `/v1/orders/${id}`, { as: on.key })).data.status
    await until(async () => (await statusOf(left.body.data.id)) === 'cancelled')
    expect([await statusOf(seen.body.data.id), await statusOf(sent.body.data.id)]).toEqual(['unreachable', 'sent'])
    expect(await freeStock(on)).toBe(before - 2)
    await ok('PATCH', `/v1/orders/${left.body.data.id}`, { as: on.key, body: { status: 'pending' } })
    expect(await freeStock(on)).toBe(before - 3)
    expect(await findDifferences(sql)).toEqual([])
  })

  test('learns what is not available, not how much there is; members learn both, by the place in the body', async () => {
    const on = await stocked({ pieces: 1000, value: 1e9 })
    const { data: loose } = await ok('POST', '/v1/products', { as: on.key, body: { storeId: on.storeId, name: 'Advice', price: 1 } })
    const items = [
      { productId: loose.id, quantity: 1 },
      { productId: on.productId, quantity: 501 },
    ]
    const refused = await place(on, { items })
    expect(codeOf(refused)).toEqual([422, 'reserved_stock_conflict'])
    expect(refused.body.error.details).toEqual([{ path: '/body/items/1/quantity', message: 'Basket is not available in this quantity.' }])
    // Its request id is of chance, and may have any digits.
    expect(JSON.stringify({ ...refused.body.error, requestId: '' })).not.toContain('500')
    const told = (await place(on, { items, as: on.key })).body.error.details
    expect(told[0].path).toBe('/body/items/1/quantity')
    expect(told[0].message).toContain('has 500 free, 501 requested')
  })

  test('carries sixteen kibibytes of its own at most', async () => {
    const on = await stocked()
    const big = (bytes: number) => ({ metadata: { note: 'x'.repeat(bytes - 11) } })
    expect(codeOf(await place(on, { more: big(16_384) }))).toEqual(taken)
    const refused = await place(on, { more: big(16_385) })
    expect(codeOf(refused)).toEqual([400, 'invalid_request'])
    expect(refused.body.error.details[0]).toMatchObject({ path: '/body/metadata', message: expect.stringContaining('16 KiB') })
    const names = Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`n${at}`, at]))
    expect(codeOf(await place(on, { more: { metadata: names } }))).toEqual([400, 'invalid_request'])
  })
})

test('an order keeps what its promotion promised, whatever becomes of the promotion', async () => {
  const on = await stocked()
  const promo = { storeId: on.storeId, code: 'TEN', kind: 'percent', value: 10, minimumSubtotal: 2000 }
  const { data: made } = await ok('POST', '/v1/promos', { as: on.owner.token, body: promo })
  const items = (quantity: number) => [{ productId: on.productId, quantity }]
  const { body } = await place(on, { items: items(3), more: { promoCode: 'TEN' } })
  expect(body.data.totals).toMatchObject({ subtotal: 3000, discount: 300 })
  await ok('DELETE', `/v1/promos/${made.id}`, { as: on.owner.token })
  const edit = async (quantity: number) =>
    (await ok('PATCH', `/v1/orders/${body.data.id}`, { as: on.key, body: { items: items(quantity) } })).data.totals
  expect(await edit(5)).toMatchObject({ subtotal: 5000, discount: 500 })
  expect(await edit(1)).toMatchObject({ subtotal: 1000, discount: 0 })
  expect(codeOf(await place(on, { items: items(3), more: { promoCode: 'TEN' } }))).toEqual([422, 'invalid_promo'])
})
