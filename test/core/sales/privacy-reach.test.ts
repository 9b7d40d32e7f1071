import { expect, test } from 'bun:test'
import { retainPeople } from '../../../core/sales/privacy/retain.ts'
import { startApp } from '../../support/app.ts'
import { eventually } from '../../support/receiver.ts'
import { paymentShop } from './payment-shop.ts'

const app = await startApp()
const { call, ok, person, context } = app
const { sql } = context
const { storeId, projectId, owner, key } = await paymentShop(app)
const as = owner.token
const at = `/v1/stores/${storeId}`
const destination = { country: 'DZ', stateCode: '16', cityName: 'Bab Ezzouar', address: '3 rue Didouche', deliveryType: 'home' }
const { data: product } = await ok('POST', '/v1/products', {
  as: key,
  body: { storeId, name: 'Lamp', sku: 'L', price: 1200, initialStock: 500 },
})
const orderBody = (customer: object) => ({ storeId, customer, destination, items: [{ productId: product.id, quantity: 2 }] })
const order = async (customer: object) => (await ok('POST', '/v1/orders', { as: key, body: orderBody(customer) })).data
const parcel = async (recipient: object) =>
  (await ok('POST', '/v1/parcels', { as: key, body: { recipient, destination, codAmount: 10 } })).data
const recipientOf = async (id: string) => (await ok('GET', `/v1/parcels/${id}`, { as: key })).data.recipient.name
const nameOf = async (id: string) => (await ok('GET', `/v1/orders/${id}`, { as })).data.customer.name

/** Waits until an erasure has gone through all tables once. */
const erased = (id: string) => eventually(async () => (await ok('GET', `${at}/erasures/${id}`, { as })).data.state === 'done')

test('an erasure by e-mail address reaches the customer and the orders that only the phone number of one order leads to', async () => {
  const customer = { name: 'Meriem Ouali', phone: '0663000001' }
  const first = await order(customer)
  const second = await order({ ...customer, email: 'Meriem@example.dz' })
  const { data } = await ok('POST', `${at}/erasures`, { as, body: { email: 'meriem@example.dz' } })
  expect(data).toMatchObject({ customers: 1, orders: 2 })
  await erased(data.id)
  expect([await nameOf(first.id), await nameOf(second.id)]).toEqual(['[erased]', '[erased]'])
  expect((await ok('GET', `${at}/customers?phone=0663000001`, { as })).data).toEqual([])
  const [{ events }] = await sql<[{ events: number }]>`select count(*)::int as events from events where body like '%663000001%'`
  expect(events).toBe(0)
}, 30_000)

test('an e-mail address that many phone numbers share is refused: it is of no one person', async () => {
  for (let at = 0; at < 21; at += 1)
    await order({ name: 'Somebody', phone: `06640000${String(at).padStart(2, '0')}`, email: 'none@shop.example' })
  const { status, body } = await call('POST', `${at}/erasures`, { as, body: { email: 'none@shop.example' } })
  expect([status, body.error.code]).toEqual([409, 'conflict'])
}, 60_000)

test('an answer that was kept for somebody who has left the store since, or never belonged to it, is erased as well', async () => {
  const guest = await person()
  await sql`insert into store_members (store_id, user_id, role) values (${storeId}, ${guest.id}, 'agent')`
  const headers = { 'idempotency-key': 'left-1' }
  await ok('POST', '/v1/orders', { as: guest.token, body: orderBody({ name: 'Djamel Kaci', phone: '0663000002' }), headers })
  await sql`delete from store_members where store_id = ${storeId} and user_id = ${guest.id}`
  const [customer] = (await ok('GET', `${at}/customers?phone=0663000002`, { as })).data
  const { data } = await ok('POST', `${at}/customers/${customer.id}/erase`, { as })
  await erased(data.id)
  const [kept] = await sql<[{ owner: string; body: string }]>`select owner, body from idempotency_keys where key = 'left-1'`
  expect(context.vault.open(kept.body, kept.owner)).not.toContain('663000002')
}, 30_000)

test('names of parts and files, and what platforms said of orders, are erased as well', async () => {
  const { id } = await order({ name: 'Amina Cherif', phone: '0663000003' })
  const { id: connectionId } = (await ok('GET', `${at}/integrations`, { as })).data[0]
  await sql`insert into order_parts (store_id, order_id, id, name) values (${storeId}, ${id}, 'prt_1', 'for Amina Cherif')`
  await sql`insert into files (id, store_id, key, name, content_type, bytes, hash)
    values ('fil_1', ${storeId}, ${`${storeId}/x`}, 'Amina Cherif.pdf', 'application/pdf', 1, 'x')`
  await sql`insert into ads_events (connection_id, order_id, event, pixel_id, store_id, with_value, message)
    values (${connectionId}, ${id}, 'Purchase', 'p', ${storeId}, false, '0663000003 is no phone number')`
  await sql`insert into gateway_payouts (store_id, id, project_id, connection_id, gateway, external_id, status, amount, currency, decimals, detail, made_at)
    values (${storeId}, 'gpo_1', ${projectId}, ${connectionId}, 'sandbox-payment', 'x', 'paid', 1, 'DZD', 2, 'ready', now())`
  await sql`insert into gateway_payout_lines (payout_id, id, line, external_id, kind, gross, fee, net, currency, message)
    values ('gpo_1', 'gpl_1', 1, 'x', 'adjustment', 1, 0, 1, 'DZD', 'Charge for Amina Cherif')`
  const [customer] = (await ok('GET', `${at}/customers?phone=0663000003`, { as })).data
  const { data } = await ok('POST', `${at}/customers/${customer.id}/erase`, { as })
  await erased(data.id)
  const texts = await sql<
    { text: string }[]
  >`select name as text from order_parts where id = 'prt_1' union all select name from files where id = 'fil_1'
    union all select message from ads_events where order_id = ${id} union all select message from gateway_payout_lines where id = 'gpl_1'`
  expect(texts.map(({ text }) => text)).toEqual(['for [erased]', '[erased].pdf', '[erased] is no phone number', 'Charge for [erased]'])
}, 30_000)

test('retention reaches recipients of parcels without an order, and nobody whose parcel is under way', async () => {
  const [old, open, recent] = [
    await parcel({ name: 'Old Recipient', phone: '0663000010' }),
    await parcel({ name: 'Open Recipient', phone: '0663000011' }),
    await parcel({ name: 'Recent Recipient', phone: '0663000012' }),
  ]
  const done = await order({ name: 'Customer Underway', phone: '0663000013' })
  await ok('PATCH', `/v1/orders/${done.id}`, { as, body: { status: 'cancelled' } })
  const travels = await parcel({ name: 'Customer Underway', phone: '0663000013' })
  await sql`update parcels set created_at = now() - interval '60 days', status = case when id = ${old.id} then 'delivered' else 'in_transit' end
    where id in (${old.id}, ${open.id}, ${travels.id})`
  await sql`update orders set created_at = now() - interval '60 days' where id = ${done.id}`
  await sql`update customers set created_at = now() - interval '60 days' where phone = '+213663000013'`
  await ok('PATCH', at, { as, body: { settings: { retentionDays: 30 } } })
  await retainPeople(context, new AbortController().signal)
  for (const { id, cause } of (await ok('GET', `${at}/erasures`, { as })).data) if (cause === 'retention') await erased(id)
  expect(await Promise.all([old, open, recent, travels].map(({ id }) => recipientOf(id)))).toEqual([
    '[erased]',
    'Open Recipient',
    'Recent Recipient',
    'Customer Underway',
  ])
  expect(await nameOf(done.id)).toBe('Customer Underway')
}, 30_000)
