import { expect, test } from 'bun:test'
import { eraseShopCustomers } from '../../../core/connectors/shops/orders/shop-orders.queries.ts'
import { projectIdOf } from '../../../core/data/project-ids.ts'
import { until } from '../../support/until.ts'
import { basket, startWooShop } from './woo-shop.ts'

const { woo, app, connected } = await startWooShop()
const { ok, context } = app
const { sql } = context

const person = { first_name: 'Lina', last_name: 'Saadi', address_1: '3 rue A', city: 'Bab Ezzouar', state: 'DZ-16', country: 'DZ' }
const phone = '0550 12 34 56'
const again = 'The order is then imported by itself.'

const waiting = [
  [
    'without a phone number',
    { billing: person },
    'phone',
    `The order has no phone number, which carriers need. Add one in the shop. ${again}`,
  ],
  [
    'with a phone number that none can have',
    { billing: { ...person, phone: '0123' } },
    'phone',
    `The phone number is “0123”, which is no valid phone number of DZ. Correct its digits in the shop, or begin it with + and the country code. ${again}`,
  ],
  [
    'in another currency',
    { currency: 'EUR' },
    'currency',
    "The order is in EUR, and the store sells in DZD. Set the shop's currency to DZD, or connect the shop to a store that sells in EUR.",
  ],
  [
    'with goods that match no product',
    { line_items: [{ ...basket, name: 'Hat', sku: 'H' }] },
    'goods',
    'The store sells no product for “Hat” (SKU H). Match it in the inbox, or add it to the catalogue.',
  ],
  [
    'with more goods than are in stock',
    { line_items: [{ ...basket, quantity: 9 }] },
    'stock',
    /^Basket: .*9.* Add stock, or change the quantity in the shop\.$/,
  ],
  [
    'whose goods come to more than can be stored',
    { line_items: [{ ...basket, price: 99_999_999_999 }] },
    'refused',
    /^The order: .* exceeds [\d.]+\. Correct it in the shop\. The order is then imported by itself\.$/,
  ],
] as const

test.each(waiting)('an order of a shop %s waits with a plain reason and what the shop sent', async (_, change, why, reason) => {
  const shop = await connected(5)
  const order = woo.place(change as never)
  await shop.tell(order, 'order.created')
  const [found, another] = await shop.theirs('&state=waiting')
  expect(another).toBeUndefined()
  expect(found).toMatchObject({ why, raw: { id: order.id, billing: { city: 'Bab Ezzouar' } } })
  expect(found.message).toMatch(reason)
  await shop.pull()
  expect(await shop.theirs('&state=waiting')).toMatchObject([{ why, raw: { id: order.id } }])
})

test('an order of a shop that waited keeps nothing of what the shop sent once it is imported', async () => {
  const shop = await connected()
  const order = woo.place({ billing: person } as never)
  await shop.tell(order, 'order.created')
  expect(await shop.theirs()).toMatchObject([{ why: 'phone', raw: { id: order.id } }])
  await shop.tell(woo.touch(order, { billing: { ...person, phone } }))
  expect(await shop.theirs()).toMatchObject([{ state: 'taken', why: null, raw: null }])
  expect(await shop.ours()).toHaveLength(1)
})

test('an order of a shop that waits since before its raw data were kept receives them when it is read again', async () => {
  const shop = await connected()
  const order = woo.place({ billing: person } as never)
  await shop.tell(order, 'order.created')
  await sql`update connector_orders set raw = null where project_id = ${projectIdOf(shop.storeId)}`
  await shop.pull()
  expect(await shop.theirs()).toMatchObject([{ why: 'phone', raw: { id: order.id } }])
})

test('a change of a shop that is not applied is shown with what the shop sent', async () => {
  const shop = await connected()
  const order = woo.place()
  await shop.tell(order, 'order.created')
  await shop.tell(woo.touch(order, { line_items: [{ ...basket, name: 'Hat', sku: 'H' }] }))
  const [found] = await shop.theirs()
  expect(found).toMatchObject({ state: 'taken', why: 'busy', raw: { line_items: [{ sku: 'H' }] } })
  expect(found.message).toBe(
    'The shop changed the goods. The store sells no product for “Hat” (SKU H). Match it in the inbox, or add it to the catalogue.',
  )
})

test('the erasure of all customers of a shop reaches the message that quotes a phone number', async () => {
  const shop = await connected()
  const order = woo.place()
  await shop.tell(order, 'order.created')
  await shop.tell(woo.touch(order, { billing: { ...person, phone: '0123' } }))
  expect(await shop.theirs()).toMatchObject([{ state: 'taken', why: 'phone', message: expect.stringContaining('“0123”') }])
  const projectId = projectIdOf(shop.storeId)
  const [row] = await sql<{ connectionId: string }[]>`select connection_id from connector_orders where project_id = ${projectId}`
  await eraseShopCustomers(sql, { projectId, id: row?.connectionId ?? '' }, null, 10)
  expect(await shop.theirs()).toMatchObject([{ state: 'taken', why: 'phone', message: '[erased]', raw: null }])
})

test('the erasure of a person reaches what a shop sent of an order that waits, and a later version is not stored', async () => {
  const shop = await connected()
  const order = woo.place({ currency: 'EUR' })
  await shop.tell(order, 'order.created')
  await sql`update connector_orders set raw = raw || '{"meta": "0550123456"}'::jsonb where project_id = ${projectIdOf(shop.storeId)}`
  const at = `/v1/stores/${shop.storeId}/erasures`
  const { data: erasure } = await ok('POST', at, { as: shop.owner.token, body: { phone } })
  await until(async () => (await ok('GET', `${at}/${erasure.id}`, { as: shop.owner.token })).data.state === 'done')
  const rows = () => sql`select raw, state from connector_orders where project_id = ${projectIdOf(shop.storeId)}`
  expect(await rows()).toMatchObject([{ raw: null, state: 'over' }])
  await shop.tell(woo.touch(order, { customer_note: 'later' }))
  expect(await rows()).toMatchObject([{ raw: null }])
})
