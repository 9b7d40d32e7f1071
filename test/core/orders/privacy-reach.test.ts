import { describe, expect, test } from 'bun:test'
import { handlePrivacyRequest } from '../../../core/connectors/shops/inbox/privacy-requests.ts'
import { projectIdOf } from '../../../core/data/project-ids.ts'
import { DAY_MS } from '../../../core/lib/durations.ts'
import { eraseOutdatedPeople } from '../../../core/orders/privacy/apply-retention.ts'
import { findStore } from '../../../core/shop/stores/stores.queries.ts'
import { startApp } from '../../support/app.ts'
import { until } from '../../support/until.ts'
import { paymentShop } from '../money/payment-shop.ts'

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
const erased = (id: string) => until(async () => (await ok('GET', `${at}/erasures/${id}`, { as })).data.state === 'done')

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
  await sql`insert into order_parts (project_id, order_id, id, name) values (${projectIdOf(storeId)}, ${id}, 'prt_1', 'for Amina Cherif')`
  await sql`insert into files (id, project_id, owner, key, name, content_type, bytes, hash)
    values ('fil_1', ${projectId}, 'store', ${`${storeId}/x`}, 'Amina Cherif.pdf', 'application/pdf', 1, 'x')`
  await sql`insert into ads_events (connection_id, order_id, event, pixel_id, project_id, with_value, message)
    values (${connectionId}, ${id}, 'Purchase', 'p', ${projectIdOf(storeId)}, false, '0663000003 is no phone number')`
  await sql`insert into gateway_payouts (id, project_id, connection_id, gateway, external_id, status, amount, currency, decimals, detail, made_at)
    values ('gpo_1', ${projectId}, ${connectionId}, 'sandbox-payment', 'x', 'paid', 1, 'DZD', 2, 'ready', now())`
  await sql`insert into gateway_payout_lines (project_id, payout_id, id, line, external_id, kind, gross, fee, net, currency, message)
    values (${projectId}, 'gpo_1', 'gpl_1', 1, 'x', 'adjustment', 1, 0, 1, 'DZD', 'Charge for Amina Cherif')`
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
  await eraseOutdatedPeople(context, new AbortController().signal)
  for (const { id, cause } of (await ok('GET', `${at}/erasures`, { as })).data) if (cause === 'retention') await erased(id)
  expect(await Promise.all([old, open, recent, travels].map(({ id }) => recipientOf(id)))).toEqual([
    '[erased]',
    'Open Recipient',
    'Recent Recipient',
    'Customer Underway',
  ])
  expect(await nameOf(done.id)).toBe('Customer Underway')
}, 30_000)

describe('retention and what belongs to no order', () => {
  const OLD = new Date(Date.now() - 60 * DAY_MS)
  const feedback = async (name: string, contact: object) =>
    (await ok('POST', '/v1/feedbacks', { as: key, body: { storeId, name, text: `I am ${name}`, rating: 5, ...contact } })).data.id as string
  const connection = async () => (await ok('GET', `${at}/integrations`, { as })).data[0].id as string
  /** As a shop tells it, and as the pull that brought it is traced. */
  const shopOrder = async (
    externalId: string,
    customer: { name: string; phone?: string },
    { createdAt = OLD, raw = null as object | null } = {},
  ) => {
    const connectionId = await connection()
    const told = { externalId, customer, address: { state: '16', city: 'Alger', address: '9 rue du Lac' }, items: [] }
    await sql`insert into connector_orders (project_id, connection_id, external_id, id, number, state, why, told, told_at, raw, created_at)
      values (${projectId}, ${connectionId}, ${externalId}, ${`cho_${externalId}`}, ${`#${externalId}`}, 'waiting', 'goods',
        ${sql.json(told as never)}, now(), ${raw === null ? null : sql.json(raw as never)}, ${createdAt})`
    const exchanges = [{ response: { body: JSON.stringify([raw ?? { billing: { first_name: customer.name, phone: customer.phone } }]) } }]
    await sql`insert into carrier_traces (connection_id, id, project_id, parcel_ids, at, ms, operation, outcome, exchanges)
      values (${connectionId}, ${`trc_${externalId}`}, ${projectId}, '{}', ${createdAt}, 5, 'orders', 'ok', ${sql.json(exchanges as never)})`
    return connectionId
  }
  const traceOf = async (externalId: string) =>
    (await sql<{ text: string }[]>`select exchanges::text as text from carrier_traces where id = ${`trc_${externalId}`}`)[0]?.text
  const toldOf = async (externalId: string) =>
    (
      await sql<
        { text: string; state: string }[]
      >`select told::text || coalesce(raw::text, '') as text, state from connector_orders where external_id = ${externalId}`
    )[0]
  const retain = async () => {
    await ok('PATCH', at, { as, body: { settings: { retentionDays: 30 } } })
    await eraseOutdatedPeople(context, new AbortController().signal)
    for (const { id } of (await ok('GET', `${at}/erasures`, { as })).data) await erased(id)
  }

  test('old feedback without an order is erased, with and without a number, and that of a customer whom the store keeps stays', async () => {
    const ids = [
      await feedback('Lounes Kadi', { phone: '0663 00 00 21' }),
      await feedback('Nameless Only', {}),
      await feedback('Kept Customer', { phone: '0663000022' }),
      await feedback('Recent Writer', { phone: '0663000023' }),
    ]
    await order({ name: 'Kept Customer', phone: '0663000022' })
    await sql`update feedbacks set created_at = ${OLD} where id = any (${ids.slice(0, 3)})`
    await retain()
    const rows = await sql<
      { id: string; name: string; phone: string | null }[]
    >`select id, name, phone from feedbacks where id = any (${ids})`
    const names = ids.map((id) => rows.find((row) => row.id === id)?.name)
    expect(names).toEqual(['[erased]', '[erased]', 'Kept Customer', 'Recent Writer'])
    const [customer] = (await ok('GET', `${at}/customers?phone=0663000022`, { as })).data
    await erased((await ok('POST', `${at}/customers/${customer.id}/erase`, { as })).data.id)
    const [kept] = await sql<{ name: string; phone: string }[]>`select name, phone from feedbacks where id = ${ids[2] ?? ''}`
    expect(kept).toEqual({ name: '[erased]', phone: '[erased]' })
  }, 60_000)

  test('old orders of shops that never became one here are erased with the traces of their pulls, and younger ones stay', async () => {
    await shopOrder('770001', { name: 'Tinhinane', phone: '0663 00 00 31' })
    await shopOrder('770002', { name: 'Young Customer', phone: '0663000032' }, { createdAt: new Date() })
    await shopOrder('770003', { name: '' }, { raw: { billing: { first_name: 'Sihem', phone: '0663 00 00 33' } } })
    await retain()
    expect(await toldOf('770001')).toMatchObject({ state: 'over', text: expect.not.stringMatching(/Tinhinane|663/) })
    expect(await traceOf('770001')).toBe('[]')
    expect(await toldOf('770003')).toMatchObject({ state: 'over', text: expect.not.stringContaining('Sihem') })
    expect(await traceOf('770003')).toBe('[]')
    expect(await toldOf('770002')).toMatchObject({ state: 'waiting', text: expect.stringContaining('Young Customer') })
    expect(await traceOf('770002')).toContain('Young Customer')
  }, 60_000)

  test("a shop's wish to forget reaches an order that still waits, and the traces of its pull", async () => {
    const connectionId = await shopOrder('770004', { name: 'Massinissa', phone: '0663000041' }, { createdAt: new Date() })
    const store = await findStore(sql, storeId)
    if (!store) throw new Error('The store is gone.')
    const shop = { store, connection: { row: { projectId, id: connectionId, name: '' }, mounted: { adapter: { label: 'A shop' } } } }
    await handlePrivacyRequest(context, shop as never, { wants: 'forget', orders: ['770004'] }, 'c1')
    for (const { id } of (await ok('GET', `${at}/erasures`, { as })).data) await erased(id)
    expect(await traceOf('770004')).toBe('[]')
    expect(await toldOf('770004')).toMatchObject({ state: 'over', text: expect.not.stringMatching(/Massinissa|663000041/) })
  }, 60_000)
})
