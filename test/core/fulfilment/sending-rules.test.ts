import { expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { startApp } from '../../support/app.ts'
import { untilValue } from '../../support/until.ts'

const { call, ok, shop, person, context } = await startApp()
const { sql } = context
await person('The administrator')

const SECRET = 'a secret'
const PLACE = { country: 'DZ', stateCode: '16', cityName: 'Bab Ezzouar', address: 'x', deliveryType: 'home' }
let phones = 0

/** A store with the sandbox carrier and a product. */
async function selling(settings: object = {}) {
  const on = await shop({ settings })
  const { data: product } = await ok('POST', '/v1/products', { as: on.key, body: { storeId: on.storeId, name: 'Basket', price: 1000 } })
  await ok('PUT', `/v1/stores/${on.storeId}/integrations/sandbox`, {
    as: on.owner.token,
    body: { enabled: true, credentials: { webhookSecret: SECRET }, settings: {} },
  })
  const bodyOf = (name: string) => ({
    storeId: on.storeId,
    customer: { name, phone: `+213560${String(++phones).padStart(6, '0')}` },
    destination: PLACE,
    items: [{ productId: product.id, quantity: 1 }],
  })
  const place = async (name = 'Lina', as: string | undefined = on.key): Promise<string> =>
    (await ok('POST', '/v1/orders', { ...(as && { as }), body: bodyOf(name) })).data.id
  const confirmed = async (name?: string) => {
    const id = await place(name)
    await ok('PATCH', `/v1/orders/${id}`, { as: on.key, body: { status: 'confirmed' } })
    return id
  }
  const path = `/v1/stores/${on.storeId}`
  const send = (id: string, body: object = {}) => call('POST', `${path}/orders/${id}/carriers/sandbox/send`, { as: on.key, body })
  const many = async (orders: object[], as = on.key) =>
    (await ok('POST', '/v1/orders/send', { as, body: { storeId: on.storeId, carrierCode: 'sandbox', orders } })).data
  const read = async (id: string, as = on.owner.token) => (await ok('GET', `/v1/orders/${id}`, { as })).data
  const audit = async (query: string) => (await ok('GET', `${path}/audit?${query}`, { as: on.owner.token })).data
  return { ...on, path, place, confirmed, send, many, read, audit, product }
}

const codeOf = ({ status, body }: Awaited<ReturnType<typeof call>>) => `${status} ${body?.error?.code ?? ''}`.trim()

test('a store that has used its confirmation queue sends only confirmed orders, unless forced or set otherwise', async () => {
  const on = await selling()
  const early = await on.place()
  expect(codeOf(await on.send(early))).toBe('200')
  const [pending, postponed] = [await on.place(), await on.place()]
  await ok('POST', '/v1/orders/confirmation/next', { as: on.owner.token, body: { storeId: on.storeId } })
  await ok('PATCH', `/v1/orders/${postponed}`, { as: on.key, body: { status: 'postponed' } })
  expect(codeOf(await on.send(pending))).toBe('409 order_not_confirmed')
  expect(codeOf(await on.send(postponed))).toBe('409 order_not_confirmed')
  expect((await on.read(postponed)).parcels).toEqual([])
  expect(codeOf(await on.send(postponed, { force: true }))).toBe('200')
  expect(await on.audit(`what=order.sent&thing=${postponed}`)).toMatchObject([
    { by: { kind: 'key' }, after: { carrier: 'sandbox', status: 'postponed', forced: true } },
  ])
  expect(codeOf(await on.send(await on.confirmed(), { force: true }))).toBe('200')
  await ok('PATCH', on.path, { as: on.owner.token, body: { settings: { sendOnlyConfirmed: false } } })
  expect(codeOf(await on.send(pending))).toBe('200')
})

test('every way to send keeps unconfirmed orders back: alone, many, by action, dispatched, and a parcel that is there', async () => {
  const on = await selling({ sendOnlyConfirmed: true })
  const [a, b] = [await on.place(), await on.confirmed()]
  const refused = (orderId: string) => ({ outcome: 'refused', orderId, parcelId: null, error: { code: 'order_not_confirmed' } })
  const orders = [{ orderId: a }, { orderId: b }]
  expect(await on.many(orders)).toMatchObject([refused(a), { outcome: 'sent', orderId: b, parcel: { status: 'submitted' } }])
  for (const way of ['parcels/sendMany', 'sendMany']) {
    const { data } = await ok('POST', `${on.path}/integrations/sandbox/${way}`, { as: on.key, body: { orders } })
    expect(data).toMatchObject([refused(a), { outcome: 'sent' }])
  }
  for (const way of ['parcels/send', 'send'])
    expect(codeOf(await call('POST', `${on.path}/integrations/sandbox/${way}`, { as: on.key, body: { orderId: a } }))).toBe(
      '409 order_not_confirmed',
    )
  const dispatcher = `${on.path}/integrations/dispatcher`
  for (const dryRun of [true, false]) {
    const { data } = await ok('POST', `${dispatcher}/dispatch`, { as: on.key, body: { orderIds: [a, b], dryRun } })
    expect(data).toMatchObject([
      { outcome: 'refused', orderId: a, carrier: null, reason: expect.stringContaining('pending'), error: { code: 'order_not_confirmed' } },
      { outcome: 'sent', orderId: b, parcel: { status: 'submitted' } },
    ])
  }
  expect((await ok('GET', `${dispatcher}/dispatches`, { as: on.key })).data).toMatchObject([
    { orderId: a, outcome: 'refused', carrier: null, reason: expect.stringContaining('confirmed') },
  ])
  const { data: forced } = await ok('POST', `${dispatcher}/dispatch`, { as: on.key, body: { orderId: a, force: true } })
  expect(forced).toMatchObject([{ outcome: 'sent', orderId: a }])
  expect(await on.audit(`what=order.sent&thing=${a}`)).toMatchObject([{ after: { forced: true } }])
  const c = await on.confirmed('FAIL Lina')
  await on.send(c)
  const { parcels } = await on.read(c)
  await ok('PATCH', `/v1/orders/${c}`, { as: on.key, body: { status: 'postponed' } })
  const submit = (body?: object) => call('POST', `/v1/parcels/${parcels[0].id}/submit`, { as: on.key, ...(body && { body }) })
  expect(codeOf(await submit())).toBe('409 order_not_confirmed')
  expect(codeOf(await submit({ force: true }))).toBe('422 carrier_refused')
  expect((await on.audit(`what=parcel.submitted&thing=${parcels[0].id}`))[0]).toMatchObject({ after: { carrier: 'sandbox', forced: true } })
})

test('a parcel that waits for its carrier leaves the line when its order is postponed', async () => {
  const on = await selling({ sendOnlyConfirmed: true })
  const id = await on.confirmed('FAIL Lina')
  await on.send(id)
  const later = new Date(Date.now() + 3600_000).toISOString()
  await sql`update parcels set submit_at = ${later}, last_error = null where order_id = ${id}`
  await ok('PATCH', `/v1/orders/${id}`, { as: on.key, body: { status: 'postponed' } })
  const [parcel] = await sql`select submit_at, last_error from parcels where order_id = ${id}`
  expect(parcel).toMatchObject({ submitAt: null, lastError: { code: 'order_not_confirmed' } })
})

test('a row of many says by its outcome what came of it: never both a parcel and an error', async () => {
  const on = await selling()
  const [good, bad] = [await on.place(), await on.place('FAIL Lina')]
  const rows = await on.many([{ orderId: good }, { orderId: bad }, { orderId: 'ord_none' }])
  expect(rows).toMatchObject([
    { outcome: 'sent', orderId: good, parcel: { status: 'submitted', orderId: good } },
    { outcome: 'refused', orderId: bad, error: { code: 'carrier_refused' }, parcelId: expect.stringContaining('par_') },
    { outcome: 'refused', orderId: 'ord_none', error: { code: 'not_found' }, parcelId: null },
  ])
  for (const row of rows) expect('parcel' in row).toBe(row.outcome !== 'refused')
  for (const row of rows) expect('error' in row).toBe(row.outcome === 'refused')
  const { data: changed } = await ok('POST', '/v1/orders:batchUpdate', {
    as: on.key,
    body: {
      storeId: on.storeId,
      orders: [
        { id: bad, note: 'Ring twice' },
        { id: good, items: [{ productId: 'prd_x', quantity: 1 }] },
      ],
    },
  })
  expect(changed).toMatchObject([
    { outcome: 'changed', id: bad, order: { note: 'Ring twice' } },
    { outcome: 'refused', id: good, error: { code: 'invalid_transition' } },
  ])
})

test('tracking numbers are called trackingIds in and out, and their earlier name is taken too', async () => {
  const on = await selling()
  const ids = [await on.place(), await on.place(), await on.place()]
  const rows = await on.many(ids.map((orderId) => ({ orderId })))
  const [a, b, c] = rows.map(({ parcel }: { parcel: { trackingId: string } }) => parcel.trackingId)
  const at = `${on.path}/integrations/sandbox`
  const labels = async (body: object) => (await ok('POST', `${at}/labels`, { as: on.key, body })).data
  expect(await labels({ trackingIds: [a, b] })).toMatchObject([{ trackingIds: [a, b] }])
  expect(await labels({ trackings: [a, b] })).toMatchObject([{ trackingIds: [a, b] }])
  expect(codeOf(await call('POST', `${at}/labels`, { as: on.key, body: { merge: true } }))).toBe('400 invalid_request')
  for (const name of ['trackingId', 'tracking'])
    expect((await ok('POST', `${at}/labelIndividual`, { as: on.key, body: { [name]: a } })).data.trackingId).toBe(a)
  expect((await ok('POST', `${at}/orders/deleteMany`, { as: on.key, body: { trackingIds: [a, 'none'] } })).data).toMatchObject([
    { outcome: 'deleted', trackingId: a, deleted: true },
    { outcome: 'refused', trackingId: 'none', deleted: false, error: { message: expect.any(String) } },
  ])
  expect((await ok('DELETE', `${at}/orders?trackingIds=${b}`, { as: on.key })).data).toMatchObject([{ outcome: 'deleted', trackingId: b }])
  expect((await ok('DELETE', `${at}/orders?trackings=${c}`, { as: on.key })).data).toMatchObject([{ outcome: 'deleted', trackingId: c }])
}, 30_000)

test('history and audit name who made an order and who sent it: a person, a key, the public, and the carrier that reports', async () => {
  const on = await selling()
  const byPerson = await on.place('Lina', on.owner.token)
  const byKey = await on.place()
  const { data: open } = await ok('POST', '/v1/orders', {
    body: {
      storeId: on.storeId,
      customer: { name: 'Nour', phone: '0551000001' },
      destination: PLACE,
      items: [{ productId: on.product.id, quantity: 1 }],
    },
  })
  const person = { kind: 'person', id: on.owner.id, name: 'Owner' }
  const key = { kind: 'key', id: expect.stringContaining('key_'), name: expect.any(String) }
  expect((await on.read(byPerson)).history[0].by).toMatchObject(person)
  expect((await on.read(byKey)).history[0].by).toMatchObject(key)
  expect((await on.read(open.id)).history[0].by).toMatchObject({ kind: 'public', id: null, name: null })
  expect(await on.audit('what=order.created')).toMatchObject([
    { thing: open.id, by: { kind: 'public' }, after: { source: 'storefront', status: 'pending' } },
    { thing: byKey, by: key },
    { thing: byPerson, by: person },
  ])
  await on.many([{ orderId: byPerson }, { orderId: byKey }], on.owner.token)
  expect((await on.read(byKey)).history.at(-1)).toMatchObject({ toStatus: 'sent', by: person })
  expect(await on.audit(`what=order.sent&thing=${byKey}`)).toMatchObject([{ by: person, after: { carrier: 'sandbox', status: 'pending' } }])
  const [parcel] = await sql<{ trackingId: string }[]>`select tracking_id from parcels where order_id = ${byKey}`
  const raw = JSON.stringify({ tracking: parcel!.trackingId, status: 'delivered', at: new Date().toISOString(), eventId: 'w1' })
  const signature = `sha256=${createHmac('sha256', SECRET).update(raw).digest('hex')}`
  await ok('POST', `${on.path}/integrations/sandbox/webhook`, { raw, headers: { 'x-sandbox-signature': signature } } as never)
  expect((await on.read(byKey)).history.at(-1)).toMatchObject({ toStatus: 'delivered', by: { kind: 'carrier', name: 'sandbox' } })
})

test('the audit names every act on parcels and orders, and keeps no personal value', async () => {
  const on = await selling()
  const as = on.key
  const recipient = { name: 'Recipient Secretname', phone: '0550123456' }
  const destination = { country: 'DZ', stateCode: '16', cityName: 'Bab Ezzouar', address: 'Secretstreet 1' }
  const { data: parcel } = await ok('POST', '/v1/parcels', { as, body: { recipient, destination, codAmount: 1000 } })
  await ok('PATCH', `/v1/parcels/${parcel.id}`, { as, body: { notes: 'Secretnote' } })
  await ok('POST', `/v1/parcels/${parcel.id}/cancel`, { as })
  await call('DELETE', `/v1/parcels/${parcel.id}`, { as })
  const { data: batch } = await ok('POST', '/v1/parcels/batches', { as, body: { parcels: [{ recipient, destination }] } })
  const worked = async () => (await ok('GET', `/v1/parcels/batches/${batch.id}`, { as })).data
  expect((await untilValue(worked, ({ status }) => status === 'completed')).results).toMatchObject([{ outcome: 'created', error: null }])
  const order = await on.confirmed()
  await ok('PATCH', `/v1/orders/${order}`, { as, body: { customer: { name: 'Secretcustomer' }, note: 'Secretnote' } })
  await on.send(order)
  await ok('POST', `${on.path}/orders/${order}/carriers/sandbox/unsend`, { as })
  const entries = await on.audit('limit=100')
  const whats = entries.filter(({ by }: { by: { kind: string } }) => by.kind === 'key').map(({ what }: { what: string }) => what)
  expect(whats.toReversed().filter((what: string) => /^(order|parcel)/.test(what))).toEqual([
    'parcel.created',
    'parcel.changed',
    'parcel.cancelled',
    'parcel.deleted',
    'parcels.batch_created',
    'parcel.created',
    'order.created',
    'order.status_changed',
    'order.changed',
    'order.sent',
    'parcel.cancelled',
    'order.unsent',
  ])
  expect(JSON.stringify(entries)).not.toContain('Secret')
})

test('submission: an order shows why it failed, and the trace to members who may submit', async () => {
  const on = await selling()
  const id = await on.place('FAIL Lina')
  await on.send(id)
  const order = await untilValue(
    () => on.read(id),
    ({ parcels }) => parcels[0].trace.length > 0,
  )
  expect(order).toMatchObject({
    lastError: { code: expect.any(String), message: expect.stringContaining('FAIL') },
    parcels: [
      { status: 'created', lastError: { message: expect.stringContaining('FAIL') }, trace: [{ operation: 'send', outcome: 'refused' }] },
    ],
  })
  const { data: keyOfReader } = await ok('POST', `/v1/projects/${on.projectId}/api-keys`, {
    as: on.owner.token,
    body: { name: 'reader', scopes: ['orders:read'] },
  })
  const seen = await on.read(id, keyOfReader.key)
  expect(seen.lastError.message).toContain('FAIL')
  expect(seen.parcels[0].trace).toBeUndefined()
})

test('submission: the declared value equals the amount to collect, unless it was set', async () => {
  const on = await selling()
  const as = on.key
  const body = { recipient: { name: 'Lina', phone: '0550123456' }, destination: PLACE, codAmount: 1000 }
  const make = async (more: object) => (await ok('POST', '/v1/parcels', { as, body: { ...body, ...more } })).data.id
  const edit = async (id: string, change: object) => (await ok('PATCH', `/v1/parcels/${id}`, { as, body: change })).data
  const [plain, said] = [await make({}), await make({ declaredValue: 700 })]
  expect(await edit(plain, { codAmount: 2500 })).toMatchObject({ codAmount: 2500, declaredValue: 2500 })
  expect(await edit(plain, { codAmount: 3000, declaredValue: 100 })).toMatchObject({ codAmount: 3000, declaredValue: 100 })
  expect(await edit(plain, { codAmount: 4000 })).toMatchObject({ codAmount: 4000, declaredValue: 100 })
  expect(await edit(said, { codAmount: 2500 })).toMatchObject({ codAmount: 2500, declaredValue: 700 })
})

test('submission: the declared value is updated at the carrier, and the answer names where it is not', async () => {
  const on = await selling()
  const as = on.key
  const edit = async (id: string, change: object) => ok('PATCH', `/v1/parcels/${id}`, { as, body: change })
  const read = async (id: string) => (await ok('GET', `/v1/parcels/${id}`, { as })).data
  const body = { recipient: { name: 'Lina', phone: '0550123456' }, destination: PLACE, codAmount: 1000 }
  const carrierAccountId = (await ok('GET', `${on.path}/integrations`, { as: on.owner.token })).data.find(
    ({ key }: { key: string }) => key === 'sandbox',
  ).id
  const { data: sent } = await ok('POST', '/v1/parcels', { as, body: { ...body, carrierAccountId } })
  await ok('POST', `/v1/parcels/${sent.id}/submit`, { as })
  expect((await read(sent.id)).status).toBe('submitted')
  const answer = await edit(sent.id, { codAmount: 2500 })
  expect([answer.data.declaredValue, answer.warnings]).toEqual([2500, undefined])
  const id = await on.place('Lina')
  await ok('PATCH', `/v1/orders/${id}`, { as: on.owner.token, body: { deliveryPrice: 400 } })
  await on.send(id)
  const { parcelId } = await on.read(id)
  const before = await read(parcelId)
  const kept = await edit(parcelId, { codAmount: before.codAmount + 500 })
  expect(kept.data.declaredValue).toBe(before.declaredValue)
  expect(kept.warnings).toMatchObject([{ code: 'declared_value_kept', message: expect.stringContaining(`stays ${before.declaredValue}`) }])
})
