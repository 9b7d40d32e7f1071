import { describe, expect, test } from 'bun:test'
import { basket, startWooShop } from './woo-shop.ts'

const { woo, app, connected } = await startWooShop()
const { call, ok, context } = app
const { sql } = context

const unreadable = [
  ['a quantity of 1.5', { quantity: 1.5 }, /Line 1 \(Basket\): the quantity is “1.5”/],
  ['a quantity of 0', { quantity: 0 }, /the quantity is “0”/],
  ['a quantity in words that say more', { quantity: '2 douzaines' }, /the quantity is “2 douzaines”/],
  ['an empty name', { name: '' }, /Line 1 has no product name/],
  ['a name of null', { name: null }, /Line 1 has no product name/],
  [
    'a price below nothing',
    { price: -5 },
    /Line 1 \(Basket\): the price of a piece is “-5”; it must be an amount of 0 or more. Correct it in the shop/,
  ],
  ['no price and a total in words', { price: undefined, total: 'gratuit' }, /Line 1 \(Basket\): the price of a piece is “gratuit”/],
  ['neither price nor total', { price: undefined, total: undefined }, /the price of a piece is missing/],
] as const

describe('an order of a shop that cannot be read', () => {
  test.each(unreadable)('waits with its reason and what the shop sent, pulled or told: %s', async (_, line, reason) => {
    const shop = await connected()
    const [bad, good] = [woo.place({ line_items: [{ ...basket, ...line } as never] }), woo.place()]
    expect(await shop.pull()).toMatchObject({ status: 'done', seen: 2, unreadable: 1 })
    expect(await shop.ours()).toMatchObject([{ externalId: String(good.id) }])
    const [waiting] = await shop.theirs('&state=waiting&why=unreadable')
    expect(waiting).toMatchObject({ externalId: String(bad.id), why: 'unreadable', raw: { id: bad.id, line_items: [{ sku: 'B' }] } })
    expect(waiting.message).toMatch(reason)
    const other = { ...bad, id: bad.id + 1_000 }
    await shop.tell(other, 'order.created')
    expect((await shop.theirs('&state=waiting')).map(({ externalId }: { externalId: string }) => externalId)).toContain(String(other.id))
    expect((await shop.inbox()).orders.length).toBe(2)
    expect((await shop.read()).orders).toMatchObject({ waiting: 2 })
  })

  test('waits without lines, and is made once the shop tells it rightly', async () => {
    const shop = await connected()
    const bad = woo.place({ line_items: [] })
    await shop.tell(bad)
    expect(await shop.theirs()).toMatchObject([
      { state: 'waiting', why: 'unreadable', message: 'It has no lines. Add its products in the shop.' },
    ])
    await shop.tell(woo.touch(bad, { line_items: [basket] }))
    expect(await shop.ours()).toMatchObject([{ externalId: String(bad.id), items: [{ quantity: 2 }] }])
    expect(await shop.theirs()).toMatchObject([{ state: 'taken', why: null, message: null, raw: null }])
  })

  test('is made when somebody has it tried again and the shop has put it right without a word', async () => {
    const shop = await connected()
    const bad = woo.place({ line_items: [{ ...basket, quantity: 1.5 }] })
    await shop.tell(bad)
    const [{ id }] = await shop.theirs()
    const still = await ok('POST', `${shop.at}/orders/${id}/retry`, { as: shop.key })
    expect(still.data).toMatchObject({ state: 'waiting', why: 'unreadable' })
    bad.line_items = [basket]
    expect((await ok('POST', `${shop.at}/orders/${id}/retry`, { as: shop.key })).data).toMatchObject({ state: 'taken', raw: null })
    expect(await shop.ours()).toHaveLength(1)
  })

  test('that is ours already stays as it is and says so, and is followed once it can be read', async () => {
    const shop = await connected()
    const order = woo.place()
    await shop.tell(order)
    await shop.tell(woo.touch(order, { line_items: [{ ...basket, quantity: 0.5 }] }))
    expect(await shop.ours()).toMatchObject([{ items: [{ quantity: 2 }] }])
    expect(await shop.theirs()).toMatchObject([{ state: 'taken', why: 'unreadable', raw: { id: order.id } }])
    await shop.tell(woo.touch(order, { line_items: [{ ...basket, quantity: 3, total: '7500.00' }], total: '7900.00' }))
    expect(await shop.ours()).toMatchObject([{ items: [{ quantity: 3 }], totals: { total: 7900 } }])
    expect(await shop.theirs()).toMatchObject([{ why: null, raw: null }])
    await shop.tell(woo.touch(order, { status: 'cancelled', line_items: [] }))
    expect(await shop.ours()).toMatchObject([{ status: 'cancelled' }])
  })

  test('that the shop called off or sent before does not wait', async () => {
    const shop = await connected()
    woo.place({ line_items: [], status: 'cancelled' })
    woo.place({ line_items: [], status: 'completed' })
    await shop.pull()
    expect(await shop.theirs('&state=waiting')).toEqual([])
    expect(await shop.theirs('&state=over')).toHaveLength(2)
  })

  test('that is forgotten leaves nothing of what the shop sent', async () => {
    const shop = await connected()
    await shop.tell(woo.place({ line_items: [] }))
    const { eraseShopCustomers: forgetPeople } = await import('../../../core/connectors/shops/orders/shop-orders.queries.ts')
    const [row = { projectId: '', id: '' }] = await sql<
      { projectId: string; id: string }[]
    >`select project_id, connection_id as id from connector_orders order by connector_orders.id desc limit 1`
    await forgetPeople(sql, row, null, 10)
    expect(await sql`select raw, state from connector_orders where connection_id = ${row.id}`).toMatchObject([{ raw: null, state: 'over' }])
  })
})

test.each([
  ['٢', 2],
  ['2 قطع', 2],
  ['2 pièces', 2],
  ['3.00', 3],
] as const)('a quantity that is written %p is %p', async (quantity, pieces) => {
  const shop = await connected()
  await shop.tell(woo.place({ line_items: [{ ...basket, quantity: quantity as never }] }))
  expect(await shop.ours()).toMatchObject([{ items: [{ quantity: pieces }] }])
})

test('a price that the shop shared out over pieces ends as whole lines', async () => {
  const shop = await connected()
  const line = { ...basket, quantity: 3, price: 33.333333333333336, total: '100.00' }
  await shop.tell(woo.place({ line_items: [line], shipping_total: '0.00', total: '100.00' }))
  const [order] = await shop.ours()
  expect(order.totals).toMatchObject({ subtotal: 100, delivery: 0, discount: 0, total: 100 })
  expect(order.items).toMatchObject([
    { quantity: 2, unitPrice: 33.33 },
    { quantity: 1, unitPrice: 33.34 },
  ])
})

test('an order of a shop without a credential, or of another store, is not shown', async () => {
  const shop = await connected()
  await shop.tell(woo.place({ line_items: [] }))
  const other = await app.shop()
  expect((await call('GET', `${shop.at}/orders?why=unreadable`)).status).toBe(401)
  expect((await call('GET', `${shop.at}/orders?why=unreadable`, { as: other.key })).status).toBeGreaterThanOrEqual(403)
  expect((await call('GET', `${shop.at}/orders?why=nothing`, { as: shop.key })).status).toBe(400)
})
