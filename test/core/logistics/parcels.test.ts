import { expect, test } from 'bun:test'
import { Parcel } from '../../../core/logistics/parcels/parcels.model.ts'
import { listNewestParcelEvents } from '../../../core/logistics/parcels/parcels.queries.ts'
import { startApp } from '../../support/app.ts'

const { call, ok, shop, context } = await startApp()

async function connected() {
  const store = await shop()
  const { data } = await ok('PUT', `/v1/stores/${store.storeId}/integrations/sandbox`, {
    as: store.owner.token,
    body: { enabled: true, credentials: { webhookSecret: 'rehearsal' } },
  })
  return { ...store, account: data.id as string }
}
const mine = await connected()
const theirs = await connected()

const parcel = (change: Record<string, unknown> = {}, destination: Record<string, unknown> = {}) => ({
  recipient: { name: 'Amina Saadi', phone: '0550123456' },
  destination: { country: 'DZ', stateCode: '31', cityName: 'Oran', address: 'Rue 1', deliveryType: 'home', ...destination },
  codAmount: 2500.5,
  ...change,
})
const create = async (change?: Record<string, unknown>, destination?: Record<string, unknown>) =>
  (await ok('POST', '/v1/parcels', { as: mine.key, body: parcel(change, destination) })).data
const submitted = (recipient = 'Amina') =>
  create({ submit: true, carrierAccountId: mine.account, recipient: { name: recipient, phone: '0550123456' } })

test('a parcel is created, read, listed, edited and deleted', async () => {
  const made = await create({ reference: 'MY-1', weightKg: 1.25, metadata: { row: 7 } })
  expect(made).toMatchObject({
    status: 'created',
    reference: 'MY-1',
    codAmount: 2500.5,
    weightKg: 1.25,
    trackingId: null,
    metadata: { row: 7 },
  })
  expect(made.recipient.phone).toBe('+213550123456')
  // What is kept for ourselves stays with us.
  expect(Object.keys(made).sort()).toEqual(Object.keys(Parcel.properties).sort())
  expect((await ok('GET', `/v1/parcels/${made.id}`, { as: mine.key })).data).toEqual(made)
  expect((await ok('GET', '/v1/parcels?reference=MY-1', { as: mine.key })).data).toEqual([made])
  const edited = await ok('PATCH', `/v1/parcels/${made.id}`, {
    as: mine.key,
    body: { codAmount: 1000, destination: { cityName: 'Arzew' } },
  })
  expect(edited.data).toMatchObject({ codAmount: 1000, destination: { stateCode: '31', cityName: 'Arzew' } })
  expect((await call('POST', '/v1/parcels', { as: mine.key, body: parcel({ reference: 'MY-1' }) })).body.error.code).toBe('conflict')
  expect((await call('DELETE', `/v1/parcels/${made.id}`, { as: mine.key })).status).toBe(204)
  expect((await call('GET', `/v1/parcels/${made.id}`, { as: mine.key })).status).toBe(404)
})

test('a reference is free while the parcel is created, sizes are cleared by null, and what goes without saying may be left out', async () => {
  const destination = { country: 'DZ', stateCode: '16', cityName: 'El Biar' }
  const least = { recipient: { name: 'Amina', phone: '0550123456' }, destination }
  const { data: made } = await ok('POST', '/v1/parcels', { as: mine.key, body: least })
  expect(made).toMatchObject({ codAmount: 0, destination: { address: '', deliveryType: 'home' } })
  const pickup = { ...least, destination: { ...destination, deliveryType: 'pickup' } }
  expect((await ok('POST', '/v1/parcels', { as: mine.key, body: pickup })).data.destination).toMatchObject({ address: '' })

  const change = (id: string, body: object) => call('PATCH', `/v1/parcels/${id}`, { as: mine.key, body })
  const sized = { reference: 'MINE-2', dimensions: { lengthCm: 10, widthCm: 20, heightCm: 30 } }
  expect((await change(made.id, sized)).body.data).toMatchObject(sized)
  expect((await change(made.id, { dimensions: null })).body.data).toMatchObject({ reference: 'MINE-2', dimensions: null })
  const priced = await create({}, { deliveryType: 'pickup', pickupId: 'P1' })
  const noted = (await change(priced.id, { notes: 'Ring', destination: { address: 'Rue 2' } })).body.data
  expect(noted).toMatchObject({
    codAmount: 2500.5,
    notes: 'Ring',
    destination: { deliveryType: 'pickup', pickupId: 'P1', address: 'Rue 2' },
  })
  await create({ reference: 'MINE-3' })
  expect((await change(made.id, { reference: 'MINE-3' })).body.error).toMatchObject({ code: 'conflict' })
  const both = await Promise.all([
    change(made.id, { reference: 'MINE-4' }),
    call('POST', '/v1/parcels', { as: mine.key, body: parcel({ reference: 'MINE-4' }) }),
  ])
  expect(both.filter(({ status }) => status === 409).length).toBe(1)
  const sent = await submitted()
  expect((await change(sent.id, { reference: 'MINE-5' })).body.error.code).toBe('parcel_not_editable')
  expect((await change(sent.id, { reference: sent.reference, notes: 'Call first' })).status).toBe(200)
})

test('a product that is switched off is off for people, for keys of family A, and in everything that leads to it', async () => {
  const shopOf = await connected()
  const { storeId, projectId, owner, key } = shopOf
  const { data: product } = await ok('POST', '/v1/products', { as: key, body: { storeId, name: 'Basket', price: 10 } })
  const { data: order } = await ok('POST', '/v1/orders', {
    as: key,
    body: { storeId, customer: parcel().recipient, destination: parcel().destination, items: [{ productId: product.id, quantity: 1 }] },
  })
  await ok('PATCH', `/v1/projects/${projectId}`, { as: owner.token, body: { products: ['geo'] } })
  const row = { orderId: order.id }
  const ways: [string, string, object | undefined][] = [
    ['POST', `/v1/stores/${storeId}/orders/${order.id}/carriers/sandbox/send`, undefined],
    ['POST', `/v1/stores/${storeId}/orders/${order.id}/carriers/sandbox/unsend`, undefined],
    ['POST', `/v1/stores/${storeId}/integrations/sandbox/parcels/send`, row],
    ['POST', `/v1/stores/${storeId}/integrations/sandbox/parcels/sendMany`, { orders: [row] }],
    ['POST', `/v1/stores/${storeId}/integrations/dispatcher/dispatch`, row],
    ['GET', `/v1/stores/${storeId}/integrations/sandbox/states`, undefined],
    ['POST', '/v1/products', { storeId, name: 'Stocked', price: 10, initialStock: 5 }],
  ]
  for (const [method, path, body] of ways)
    for (const as of [owner.token, key])
      expect([path, (await call(method, path, { as, ...(body && { body }) })).body.error?.code]).toEqual([path, 'product_not_enabled'])
})

test('a parcel is created and submitted in one call, under one Idempotency-Key', async () => {
  const request = {
    as: mine.key,
    body: parcel({ submit: true, carrierAccountId: mine.account }),
    headers: { 'idempotency-key': 'submit-once' },
  }
  const first = await call('POST', '/v1/parcels', request)
  expect([first.status, first.body.data.status]).toEqual([201, 'submitted'])
  expect(first.body.data.submittedAt).toBeString()
  const again = await call('POST', '/v1/parcels', request)
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  expect(again.body).toEqual(first.body)
})

test('a carrier account of another project is refused', async () => {
  const answer = await call('POST', '/v1/parcels', { as: mine.key, body: parcel({ submit: true, carrierAccountId: theirs.account }) })
  expect([answer.status, answer.body.error.details[0].path]).toEqual([400, '/body/carrierAccountId'])
})

test('parcels: an unsupported delivery type is replaced by a supported one, and reported', async () => {
  const answer = await ok('POST', '/v1/parcels', {
    as: mine.key,
    body: parcel({ submit: true, carrierAccountId: mine.account }, { deliveryType: 'return_point' }),
  })
  expect(answer.warnings.map((warning: { code: string }) => warning.code)).toContain('delivery_type_unsupported')
  const toCenter = await ok('POST', '/v1/parcels', {
    as: mine.key,
    body: parcel({ submit: true, carrierAccountId: mine.account }, { deliveryType: 'pickup' }),
  })
  expect(toCenter.data.destination.pickupId).toBeString()
  expect(toCenter.destinationRewritten).toMatchObject({
    from: { stateCode: '31', cityName: 'Oran' },
    to: { pickupId: toCenter.data.destination.pickupId },
  })
})

test('a refusal leaves the parcel as it was, with the reason', async () => {
  const made = await create({ carrierAccountId: mine.account, recipient: { name: 'FAIL Amina', phone: '0550123456' } })
  const refused = await call('POST', `/v1/parcels/${made.id}/submit`, { as: mine.key })
  expect([refused.status, refused.body.error.code]).toEqual([422, 'carrier_refused'])
  expect(refused.body.error.details[0].path).toBe('/upstream')
  expect((await ok('GET', `/v1/parcels/${made.id}`, { as: mine.key })).data).toMatchObject({
    status: 'created',
    lastError: { message: expect.any(String) },
  })
})

test('a submitted parcel is edited and cancelled as far as the carrier can', async () => {
  const made = await submitted()
  expect((await ok('PATCH', `/v1/parcels/${made.id}`, { as: mine.key, body: { codAmount: 3000 } })).data.codAmount).toBe(3000)
  expect((await call('DELETE', `/v1/parcels/${made.id}`, { as: mine.key })).body.error.code).toBe('invalid_transition')
  expect((await ok('POST', `/v1/parcels/${made.id}/cancel`, { as: mine.key })).data).toMatchObject({ status: 'cancelled' })
  expect((await ok('POST', `/v1/parcels/${made.id}/cancel`, { as: mine.key })).data.status).toBe('cancelled')
  expect((await call('POST', `/v1/parcels/${made.id}/submit`, { as: mine.key })).body.error.code).toBe('invalid_transition')
  const { data: events } = await ok('GET', `/v1/parcels/${made.id}/events`, { as: mine.key })
  expect(events.map((event: { type: string }) => event.type)).toEqual(['created', 'submitted', 'status_changed'])
})

test('parcels: an unknown outcome is decided once by a person', async () => {
  const made = await create({ carrierAccountId: mine.account })
  const decide = (body: object) => call('POST', `/v1/parcels/${made.id}/outcome`, { as: mine.key, body })
  expect((await decide({ taken: false })).body.error.code).toBe('invalid_transition')
  await context.sql`update parcels set status = 'submitting', outcome_unknown = true, submitting_since = now() where id = ${made.id}`
  expect((await decide({ taken: true })).body.error.details[0].path).toBe('/body/trackingId')
  expect((await call('POST', `/v1/parcels/${made.id}/cancel`, { as: mine.key })).body.error.code).toBe('outcome_unknown')
  expect((await decide({ taken: true, trackingId: 'SBX1' })).body.data).toMatchObject({
    status: 'submitted',
    trackingId: 'SBX1',
    outcomeUnknown: false,
  })
})

test('paging is stable while parcels are added', async () => {
  const fresh = await connected()
  const add = async () => (await ok('POST', '/v1/parcels', { as: fresh.key, body: parcel() })).data.id as string
  const made: string[] = []
  for (let at = 0; at < 5; at += 1) made.push(await add())
  const seen: string[] = []
  let cursor: string | null = null
  do {
    const page: { data: { id: string }[]; nextCursor: string | null } = await ok(
      'GET',
      `/v1/parcels?limit=2${cursor ? `&cursor=${cursor}` : ''}`,
      { as: fresh.key },
    )
    seen.push(...page.data.map(({ id }) => id))
    cursor = page.nextCursor
    await add()
  } while (cursor)
  expect(seen).toEqual(made.toReversed())
})

test('amounts and phones that cannot be are refused with their place', async () => {
  const bad = async (change: Record<string, unknown>) => {
    const { status, body } = await call('POST', '/v1/parcels', { as: mine.key, body: parcel(change) })
    return [status, body.error.details[0].path]
  }
  expect(await bad({ codAmount: 10.005 })).toEqual([400, '/body/codAmount'])
  expect(await bad({ codAmount: -1 })).toEqual([400, '/body/codAmount'])
  expect(await bad({ recipient: { name: 'A', phone: '12345' } })).toEqual([422, '/body/recipient/phone'])
  expect(await bad({ submit: true })).toEqual([400, '/body/carrierAccountId'])
})

test('a timeline without end is read page by page, or its end alone', async () => {
  const { id } = await create()
  await context.sql`insert into parcel_events (project_id, parcel_id, id, type, source, at, from_status, to_status)
    select ${mine.projectId}, ${id}, 'evt_~' || lpad(n::text, 4, '0'), 'status_changed', 'webhook:sandbox', now(), 'in_transit', 'at_center' from generate_series(1, 250) n`
  const pages: string[][] = []
  let cursor: string | null = ''
  do {
    const answer = await ok('GET', `/v1/parcels/${id}/events${cursor && `?cursor=${cursor}`}`, { as: mine.key })
    pages.push(answer.data.map((event: { id: string }) => event.id))
    cursor = answer.nextCursor
  } while (cursor)
  expect(pages.map((events) => events.length)).toEqual([100, 100, 51])
  expect([...new Set(pages.flat())].sort()).toEqual(pages.flat())
  const newest = await listNewestParcelEvents(context.sql, { projectId: mine.projectId, id }, 60)
  expect(newest.map((event) => event.id)).toEqual(pages.flat().slice(-60))
  expect((await ok('GET', `/v1/parcels/${id}/events?limit=2`, { as: mine.key })).data.map((event: { type: string }) => event.type)).toEqual(
    ['created', 'status_changed'],
  )
})

test('a parcel that waits for its turn at the carrier is `submitting` wherever it is read', async () => {
  const store = await connected()
  const as = store.key
  const make = async (reference: string) =>
    (await ok('POST', '/v1/parcels', { as, body: parcel({ reference, carrierAccountId: store.account }) })).data
  const [waits, idle, handed] = [await make('W-1'), await make('W-2'), await make('W-3')]
  await context.sql`update parcels set submit_at = now() + interval '1 hour' where id = ${waits.id}`
  await context.sql`update parcels set status = 'submitting' where id = ${handed.id}`
  const references = async (query: string) =>
    (await ok('GET', `/v1/parcels?${query}`, { as })).data.map(
      ({ reference, status }: { reference: string; status: string }) => `${reference} ${status}`,
    )
  expect((await ok('GET', `/v1/parcels/${waits.id}`, { as })).data.status).toBe('submitting')
  expect(await references('sort=createdAt')).toEqual(['W-1 submitting', 'W-2 created', 'W-3 submitting'])
  expect(await references('filter[status]=submitting&sort=createdAt')).toEqual(['W-1 submitting', 'W-3 submitting'])
  expect(await references('filter[status]=submitting&sort=-updatedAt&reference=W-1')).toEqual(['W-1 submitting'])
  expect(await references('filter[status]=created')).toEqual(['W-2 created'])
  const first = await ok('GET', '/v1/parcels?filter[status]=submitting&limit=1', { as })
  const second = await ok('GET', `/v1/parcels?filter[status]=submitting&limit=1&cursor=${first.nextCursor}`, { as })
  expect([...first.data, ...second.data].map(({ id }: { id: string }) => id)).toEqual([handed.id, waits.id])
  expect(idle.status).toBe('created')
})
