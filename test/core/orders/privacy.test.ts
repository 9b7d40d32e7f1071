import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectIdOf } from '../../../core/data/project-ids.ts'
import { eraseOutdatedPeople } from '../../../core/orders/privacy/apply-retention.ts'
import { resumeErasures } from '../../../core/orders/privacy/run-erasure.ts'
import { startApp } from '../../support/app.ts'
import { receiver } from '../../support/receiver.ts'
import { until } from '../../support/until.ts'
import { formOf, jpegOf } from '../../support/uploads.ts'
import { paymentShop } from '../money/payment-shop.ts'

const hook = receiver()
const app = await startApp({}, { socket: true })
const { call, ok, context } = app
const { sql } = context
const ours = await paymentShop(app)
const { storeId, projectId, owner, key } = ours
const as = owner.token
const at = `/v1/stores/${storeId}`

const NAME = 'Zoulikha Benyoucef'
const PHONE = '+213661987654'
const EMAIL = 'zoulikha.b@example.dz'
const ADDRESS = '17 impasse des Orangers'
const NOTE = 'sonner chez la voisine Tassadit'
const SPELLINGS = ['661987654', '661 98 76 54', '0661-98-76-54', '661.98.76.54', '770445566', '770 44 55 66', '٠٦٦١٩٨٧٦٥٤']
const TRACES = [
  NAME,
  'Zoulikha',
  'zoulikha',
  'Benyoucef',
  'benyoucef',
  EMAIL,
  ADDRESS,
  'Orangers',
  NOTE,
  'Tassadit',
  'crm-77123',
  ...SPELLINGS,
]

const destination = { country: 'DZ', stateCode: '16', cityName: 'Bab Ezzouar', address: ADDRESS, deliveryType: 'home' }
const person = { name: NAME, phone: '0661987654', phoneAlt: '0770445566', email: EMAIL }
const { data: product } = await ok('POST', '/v1/products', {
  as: key,
  body: { storeId, name: 'Lamp', sku: 'L', price: 1200, initialStock: 500 },
})
const orderBody = (customer: object, more: object = {}) => ({
  storeId,
  customer,
  destination,
  items: [{ productId: product.id, quantity: 2 }],
  ...more,
})
const order = async (customer: object = person, more: object = {}, headers: Record<string, string> = {}) =>
  (await ok('POST', '/v1/orders', { as: key, body: orderBody(customer, { note: NOTE, metadata: { crm: 'crm-77123' }, ...more }), headers }))
    .data

const { data: accounts } = await ok('GET', `${at}/integrations`, { as })
const carrierAccountId = accounts.find(({ key: slug }: { key: string }) => slug === 'sandbox').id as string

/** All tables as text, of every schema of ours. */
async function dump(): Promise<Map<string, string>> {
  const tables = await sql<
    { name: string }[]
  >`select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema') and n.nspname not like 'pg_toast%'`
  const texts = new Map<string, string>()
  for (const { name } of tables) {
    const rows = await sql.unsafe(`select t::text as line from ${name} t`)
    texts.set(name, rows.map(({ line }) => line).join('\n'))
  }
  return texts
}

/** Places where something of the person still stands: tables, sealed columns, and the files folder. */
async function traces(): Promise<string[]> {
  const found: string[] = []
  const look = (where: string, text: string) =>
    found.push(...TRACES.filter((trace) => text.includes(trace)).map((trace) => `${where}: ${trace}`))
  for (const [name, text] of await dump()) look(name, text)
  for (const { owner: whose, body } of await sql<{ owner: string; body: string }[]>`select owner, body from idempotency_keys`)
    look('idempotency_keys (opened)', context.vault.open(body, whose))
  for (const { body } of await sql<{ body: Buffer }[]>`select body from connector_callbacks`)
    look('connector_callbacks (bytes)', body.toString('utf8'))
  const folder = join(context.config.dataDir, 'files')
  for (const path of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (path.isFile()) look(`files/${path.name}`, readFileSync(join(path.parentPath, path.name), 'latin1'))
  return found
}

const erased = (id: string, state = 'done') => until(async () => (await ok('GET', `${at}/erasures/${id}`, { as })).data.state === state)
const erase = async (customerId: string) => (await ok('POST', `${at}/customers/${customerId}/erase`, { as })).data
const customerOf = async (phone: string) => (await ok('GET', `${at}/customers?phone=${encodeURIComponent(phone)}`, { as })).data[0]

async function plant() {
  await ok('POST', '/v1/webhook-endpoints', { as: key, body: { url: hook.url, events: ['*'] } })
  await ok('POST', `${at}/integrations/webhooks`, { as, body: { url: hook.url, events: ['*'] } })
  const first = await order(person, {}, { 'idempotency-key': 'planted-1' })
  const second = await order(person, {}, { 'idempotency-key': 'planted-2' })
  await ok('PATCH', `/v1/orders/${second.id}`, { as, body: { status: 'confirmed', reason: `${NAME} said yes on 0661 98 76 54` } })
  await ok('POST', `${at}/orders/${second.id}/carriers/sandbox/send`, { as, body: { notes: NOTE } })
  await call('POST', '/v1/orders', { body: orderBody({ ...person, phone: '0661 98 76 54' }), headers: { 'idempotency-key': 'planted-3' } })
  await ok('POST', '/v1/parcels/batches', {
    as: key,
    body: {
      carrierAccountId,
      submit: true,
      parcels: [{ recipient: { name: NAME, phone: '0661987654' }, destination, codAmount: 10, notes: NOTE }],
    },
  })
  await ok('POST', '/v1/feedbacks', { as: key, body: { storeId, name: NAME, phone: PHONE, email: EMAIL, text: `I am ${NAME}`, rating: 5 } })
  await ok('POST', '/v1/inventory/operations', {
    as: key,
    body: { type: 'receive', note: `for ${NAME}`, legs: [{ namespace: 'main', key: 'X', quantity: 1 }] },
  })
  await ok('PUT', `${at}/integrations/offline`, {
    as,
    body: { enabled: true, credentials: {}, settings: { account: '1', holder: 'Shop' } },
  })
  const { body: payment } = await ours.initiate(first.id, { as: key, gateway: 'offline' })
  const { raw, type } = await formOf(await jpegOf(40, 30), 'Zoulikha.jpg')
  await call('POST', `/v1/payments/${payment.data.id}/proof`, { raw, headers: { 'content-type': type } })
  await ok('POST', '/v1/orders/confirmation/next', { as, body: { storeId } })
  await ok('POST', `${at}/integrations/security/block`, { as, body: { phone: '0661987654', reason: `${NAME} never opens` } })
  // What only models and platforms write.
  await sql`insert into chat_conversations (id, project_id, user_id, title) values ('cnv_1', ${projectIdOf(storeId)}, ${owner.id}, ${`About ${NAME}`})`
  await sql`insert into notifications (user_id, id, title, message) values (${owner.id}, 'ntf_1', 'An order', ${`${NAME} ordered, call 0661.98.76.54`})`
  await sql`insert into adapter_storage (project_id, connection_id, key, value) values (${projectId}, ${carrierAccountId}, 'last', ${sql.json({ phone: '213661987654', familyname: 'Benyoucef' })})`
  await sql`insert into connector_callbacks (project_id, id, connection_id, url, method, headers, body, worked_at)
    values (${projectId}, 'ccb_p', ${carrierAccountId}, '/', 'POST', '{}', ${Buffer.from(`{"name":"${NAME}","phone":"0661987654"}`)}, now())`
  await hook.got(1)
  return { first, second }
}

test('a person who was planted everywhere is found nowhere after the erasure, while amounts and stock stay', async () => {
  const { first, second } = await plant()
  const other = await order(
    { name: 'Karima Mansouri', phone: '0550123456', phoneAlt: '0661987654' },
    { note: '', metadata: {}, destination: { ...destination, address: 'Cité 5' } },
  )
  await until(async () => (await sql`select 1 from carrier_traces`).length > 0)
  expect((await traces()).length).toBeGreaterThan(20)
  const amounts = () =>
    sql`select id, status, subtotal::text, delivery::text, discount::text, total::text, paid::text from orders where project_id = ${projectIdOf(storeId)} order by id`
  const stock = () => sql`select key, on_hand::text, reserved::text from inventory_balances where project_id = ${projectId} order by key`
  const [amountsBefore, stockBefore] = [await amounts(), await stock()]
  const customer = await customerOf('0661 98 76 54')
  expect(customer).toMatchObject({ name: NAME, phone: PHONE, phones: [PHONE], outcomes: { orders: 3 } })
  const erasure = await erase(customer.id)
  expect(erasure).toMatchObject({ cause: 'request', customers: 1, orders: 3, carriers: ['sandbox'] })
  await erased(erasure.id)
  expect([await amounts(), await stock()]).toEqual([amountsBefore, stockBefore])
  expect(await traces()).toEqual([])
  // Another person, whose order named this one's number as the second.
  const stays = (await ok('GET', `/v1/orders/${other.id}`, { as })).data
  expect(stays.customer).toEqual({ name: 'Karima Mansouri', phone: '+213550123456', phoneAlt: '[erased]', email: null })
  expect((await call('GET', `${at}/customers/${customer.id}`, { as })).status).toBe(404)
  const shown = (await ok('GET', `/v1/orders/${first.id}`, { as })).data
  expect(shown.customer).toEqual({ name: '[erased]', phone: '[erased]', phoneAlt: '[erased]', email: '[erased]' })
  expect(shown.destination).toMatchObject({ address: '[erased]', stateCode: '16' })
  const again = await call('POST', `${at}/orders/${first.id}/carriers/sandbox/send`, { as })
  expect([again.status, again.body.error.code]).toEqual([409, 'conflict'])
  expect((await ok('GET', `/v1/parcels?filter[phone]=${encodeURIComponent('[erased]')}`, { as: key })).data.length).toBeGreaterThan(0)
  expect(second.id).not.toBe(first.id)
}, 60_000)

test('a kept callback that names the person in Arabic alone is found, as UTF-8 and as escapes of JSON, and others stay', async () => {
  const name = 'زليخة بن يوسف'
  await order({ name, phone: '0662000099' })
  const escaped = JSON.stringify({ buyer: name }).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  const bodies = { ccb_utf8: JSON.stringify({ buyer: name }), ccb_json: escaped, ccb_other: JSON.stringify({ buyer: 'زليخة منصوري' }) }
  for (const [id, body] of Object.entries(bodies))
    await sql`insert into connector_callbacks (project_id, id, connection_id, url, method, headers, body, worked_at)
      values (${projectId}, ${id}, ${carrierAccountId}, '/', 'POST', '{}', ${Buffer.from(body)}, now())`
  await sql`insert into image_generations (project_id, id, prompt) values (${projectIdOf(storeId)}, 'img_p', ${`A poster for ${name}, 0662000099`})`
  await sql`insert into sheet_imports (project_id, id, kind, status, total, ignored) values (${projectIdOf(storeId)}, 'imp_p', 'orders', 'completed', 1, ${[name, 'City']})`
  await erased((await erase((await customerOf('0662000099')).id)).id)
  const left = await sql<{ id: string }[]>`select id from connector_callbacks where id = any (${Object.keys(bodies)})`
  expect(left.map(({ id }) => id)).toEqual(['ccb_other'])
  const [image] = await sql<{ prompt: string }[]>`select prompt from image_generations where id = 'img_p'`
  expect(image?.prompt).toBe('A poster for [erased], [erased]')
  const [sheet] = await sql<{ ignored: string[] }[]>`select ignored from sheet_imports where id = 'imp_p'`
  expect(sheet?.ignored).toEqual(['[erased]', 'City'])
}, 60_000)

test("erasure: it is done once, however often it is asked for, and the same person's next order makes a new customer", async () => {
  const before = await order({ name: 'Nadia Ferhat', phone: '0662000001' })
  const { id } = await customerOf('0662000001')
  const headers = { 'idempotency-key': 'erase-1' }
  const first = await ok('POST', `${at}/customers/${id}/erase`, { as, headers })
  expect(await ok('POST', `${at}/customers/${id}/erase`, { as, headers })).toEqual(first)
  expect((await call('POST', `${at}/customers/${id}/erase`, { as })).status).toBe(404)
  const after = await order({ name: 'Nadia Ferhat', phone: '0662000001' })
  await erased(first.data.id)
  expect((await ok('GET', `/v1/orders/${before.id}`, { as })).data.customer.name).toBe('[erased]')
  expect((await ok('GET', `/v1/orders/${after.id}`, { as })).data.customer).toMatchObject({ name: 'Nadia Ferhat', phone: '+213662000001' })
  const anew = await customerOf('0662000001')
  expect(anew.id).not.toBe(id)
  expect(anew.outcomes.orders).toBe(1)
  const [{ body }] = await sql<[{ body: string }]>`select body from events where type = 'order.created' and body like ${`%${after.id}%`}`
  expect(JSON.parse(body).data.order.customer.name).toBe('Nadia Ferhat')
}, 30_000)

test('orders of a person that are made while they are erased are erased whole, or stay whole as those of a new customer', async () => {
  const customer = { name: 'Samir Haddad', phone: '0662000002' }
  await order(customer)
  const { id } = await customerOf('0662000002')
  const made = Array.from({ length: 12 }, (_, number) => order({ ...customer, name: `Samir Haddad` }, { note: `n ${number}` }))
  const erasure = erase(id)
  const more = Array.from({ length: 12 }, () => order(customer))
  const orders = await Promise.all([...made, ...more])
  await erased((await erasure).id)
  const shown = await Promise.all(orders.map(async (one) => (await ok('GET', `/v1/orders/${one.id}`, { as })).data.customer))
  for (const { name, phone } of shown) expect([`[erased] [erased]`, 'Samir Haddad +213662000002']).toContain(`${name} ${phone}`)
  const whole = shown.filter(({ name }) => name !== '[erased]').length
  const anew = await customerOf('0662000002')
  expect(anew?.outcomes.orders ?? 0).toBe(whole)
}, 30_000)

test('two customers who are one person are merged once, and exported and erased together', async () => {
  await order({ name: 'Lila Amrani', phone: '0662000003' })
  await order({ name: 'Lila A.', phone: '0662000004', email: 'lila@example.dz' })
  const [one, two] = [await customerOf('0662000003'), await customerOf('0662000004')]
  const merge = (into: string, customerId: string) => call('POST', `${at}/customers/${into}/merge`, { as, body: { customerId } })
  expect((await merge(one.id, one.id)).body.error.code).toBe('invalid_request')
  expect((await merge(one.id, 'cus_none')).status).toBe(404)
  const answers = await Promise.all([merge(one.id, two.id), merge(one.id, two.id)])
  for (const { status, body } of answers) expect([status, body.data.phones]).toEqual([200, ['+213662000003', '+213662000004']])
  expect((await customerOf('0662000004')).id).toBe(one.id)
  await order({ name: 'Lila A.', phone: '0662000004' })
  const exported = await call('GET', `${at}/customers/${one.id}/export`, { as })
  expect(exported.headers.get('content-disposition')).toBe(`attachment; filename="customer-${one.id}.json"`)
  expect(exported.body.data.orders.map(({ phone }: { phone: string }) => phone)).toEqual([
    '+213662000003',
    '+213662000004',
    '+213662000004',
  ])
  expect(exported.body.data.customer.outcomes.orders).toBe(3)
  const erasure = await erase(two.id)
  expect(erasure.orders).toBe(3)
  await erased(erasure.id)
  expect(await customerOf('0662000003')).toBeUndefined()
}, 30_000)

test('a person without an order is erased by number or address, and a list of customers is searched and sorted', async () => {
  const parcel = { recipient: { name: 'Yacine Brahimi', phone: '0662000005' }, destination, codAmount: 10 }
  const { data: made } = await ok('POST', '/v1/parcels', { as: key, body: parcel })
  const { data } = await ok('POST', `${at}/erasures`, { as, body: { phone: '0662 00 00 05' } })
  expect(data).toMatchObject({ customers: 0, orders: 0, parcels: 1 })
  await erased(data.id)
  expect((await ok('GET', `/v1/parcels/${made.id}`, { as: key })).data.recipient).toEqual({
    name: '[erased]',
    phone: '[erased]',
    phoneAlt: null,
  })
  for (const [name, phone] of [
    ['Béatrice Aaa', '0662000006'],
    ['Zohra Zzz', '0662000007'],
  ])
    await order({ name, phone })
  const names = async (query: string) =>
    (await ok('GET', `${at}/customers?${query}`, { as })).data.map(({ name }: { name: string }) => name)
  expect((await names('sort=name'))[0]).toBe('Béatrice Aaa')
  expect((await names('sort=-name'))[0]).toBe('Zohra Zzz')
  expect(await names('q=beatrice')).toEqual(['Béatrice Aaa'])
  expect(await names('q=662000007')).toEqual(['Zohra Zzz'])
  const page = await ok('GET', `${at}/customers?limit=1`, { as })
  expect((await ok('GET', `${at}/customers?limit=1&cursor=${page.nextCursor}`, { as })).data[0].id).not.toBe(page.data[0].id)
}, 30_000)

test('an erasure that stood still goes on from where it was, and what it went by is gone at the end', async () => {
  await order({ name: 'Rachid Belkacem', phone: '0662000008' })
  const { id } = await customerOf('0662000008')
  const erasure = await erase(id)
  await erased(erasure.id)
  // As a process leaves it that died.
  await sql`update erasures set state = 'running', done_at = null, pass = 1, step = 3, asked_at = now() - interval '1 hour' where id = ${erasure.id}`
  await resumeErasures(context)
  await erased(erasure.id)
  await sql`update erasures set done_at = now() - interval '1 hour' where id = ${erasure.id}`
  await sql`select graphile_worker.remove_job(${`erase ${erasure.id}`})`
  await resumeErasures(context)
  await until(
    async () => (await sql`select 1 from erasures where id = ${erasure.id} and people is null and swept_at is not null`).length === 1,
  )
}, 30_000)

test("customers are erased whose last order is older than the store's setting, and no others", async () => {
  const old = await order({ name: 'Old Customer', phone: '0662000009' })
  const open = await order({ name: 'Open Customer', phone: '0662000010' })
  await order({ name: 'New Customer', phone: '0662000011' })
  await ok('PATCH', `/v1/orders/${old.id}`, { as, body: { status: 'cancelled' } })
  for (const { id } of [old, open]) await sql`update orders set created_at = now() - interval '60 days' where id = ${id}`
  await sql`update customers set created_at = now() - interval '60 days' where phone in ('+213662000009', '+213662000010')`
  expect((await call('PATCH', at, { as, body: { settings: { retentionDays: 5 } } })).status).toBe(400)
  await ok('PATCH', at, { as, body: { settings: { retentionDays: 30 } } })
  await eraseOutdatedPeople(context, new AbortController().signal)
  const { data } = await ok('GET', `${at}/erasures?limit=1`, { as })
  expect(data[0]).toMatchObject({ cause: 'retention', customers: 1, orders: 1 })
  await erased(data[0].id)
  expect((await ok('GET', `/v1/orders/${old.id}`, { as })).data.customer.name).toBe('[erased]')
  expect((await customerOf('0662000010')).name).toBe('Open Customer')
  expect((await customerOf('0662000011')).name).toBe('New Customer')
}, 30_000)
