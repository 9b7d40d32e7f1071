import { describe, expect, test } from 'bun:test'
import { Type as T } from '@sinclair/typebox'
import { transaction } from '../../core/data/sql.ts'
import { MapOf, Metadata, Nullable } from '../../core/http/schema.ts'
import { emitWebhook } from '../../core/platform/webhooks/emit.ts'
import { declareEvents, eventOfStore, listEmittedEvents, listEventNames } from '../../core/platform/webhooks/events.ts'
import { startApp } from '../support/app.ts'
import { strayIn } from '../support/exact.ts'
import { answersHeld } from '../support/exact-answers.ts'
import { watchEvents } from '../support/exact-events.ts'

const app = await startApp()
const { owner, storeId, projectId, key } = await app.shop()
const made = async (path: string, body: object) => (await app.ok('POST', path, { as: key, body })).data
const product = await made('/v1/products', { storeId, name: 'Basket', price: 6500 })
const order = await made('/v1/orders', {
  storeId,
  customer: { name: 'Amina', phone: '0550123456' },
  destination: { country: 'DZ', stateCode: '16', cityName: 'Bab Ezzouar', address: 'cité 5 juillet', deliveryType: 'home' },
  items: [{ productId: product.id, quantity: 1 }],
})
const { sql } = app.context

describe('a schema to the letter', () => {
  const Place = T.Object({ city: T.String() })
  const schema = T.Object({
    place: Nullable(Place),
    places: T.Array(Place),
    either: T.Union([Place, T.Object({ state: T.String() })]),
    counts: MapOf(10, T.Integer(), { maxProperties: 3 }),
    metadata: Metadata,
  })
  const good = { place: null, places: [{ city: 'Oran' }], either: { state: '31' }, counts: { a: 1 }, metadata: { theirs: true } }
  const more = { city: 'Oran', mayor: 'somebody' }
  const cases: [string, object, string][] = [
    ['at its top', { ...good, more: 1 }, '/more'],
    ['in what may be null', { ...good, place: more }, '/place'],
    ['in a row', { ...good, places: [{ city: 'Oran' }, more] }, '/places/1/mayor'],
    ['in one of several', { ...good, either: { state: '31', city: 'Oran' } }, '/either'],
    ['and less of it', { ...good, places: [{}] }, '/places/0/city'],
  ]
  test.each(cases)('refuses more than it says %s', (_, value, place) => {
    expect(strayIn(schema, value)).toStartWith(place)
  })
  test('takes what it says, and names of the caller in maps', () => {
    expect(strayIn(schema, good)).toBeUndefined()
  })
})

describe('every answer that a test gets', () => {
  const held = answersHeld(app.context)
  const read = async (path: string) => (await app.call('GET', path, { as: owner.token })).body
  const path = `/v1/orders/${order.id}`

  test('is held against what its route declares: a column that got out by accident is found', async () => {
    const body = await read(path)
    const asked = { method: 'GET', path: `${path}?x=1`, status: 200 }
    expect(held({ ...asked, body })).toBeUndefined()
    expect(held({ ...asked, body: { ...body, data: { ...body.data, network: '10.0.0.0/24' } } })).toContain('/data/network')
    const { note: _, ...less } = body.data
    expect(held({ ...asked, body: { ...body, data: less } })).toContain('/data/note')
    expect(held({ ...asked, status: 202, body })).toContain('not declared')
  })

  test('of the route that was asked, where a path with a name in it would match as well', async () => {
    const body = await read(`/v1/products/random?storeId=${storeId}`)
    const asked = { method: 'GET', path: '/v1/products/random', status: 200 }
    expect(held({ ...asked, body })).toBeUndefined()
    expect(held({ ...asked, body: await read(`/v1/products/${product.id}`) })).toContain('/nextCursor')
  })

  test('is of a route that is there', () => {
    expect(held({ method: 'GET', path: '/v1/nowhere', status: 200, body: {} })).toContain('no route')
  })

  test('that is a failure has the one envelope, and no word more', async () => {
    const { status, body } = await app.call('GET', path)
    const asked = { method: 'GET', path, status }
    expect(held({ ...asked, body })).toBeUndefined()
    expect(held({ ...asked, body: { error: { ...body.error, stack: 'at …' } } })).toContain('/error/stack')
    expect(held({ ...asked, body: { ...body, data: null } })).toContain('/data')
  })
})

describe('every event that is emitted', () => {
  const tell = (...events: Parameters<typeof emitWebhook>[1]) => transaction(sql, (tx) => emitWebhook(tx, events))

  test('is held against what its feature declares', async () => {
    const strays = watchEvents()
    await tell({ projectId, type: 'product.deleted', data: { id: 'prd_1' } })
    expect(strays()).toEqual([])
    const row = { id: 'prd_1', inventoryKey: 'kept to ourselves' }
    await tell({ projectId, type: 'product.deleted', data: row })
    expect(strays()).toEqual([expect.stringContaining('product.deleted /inventoryKey')])
    watchEvents()
  })

  test('carries what its type says', () => {
    // @ts-expect-error: an order is more than its id
    const event: Parameters<typeof emitWebhook>[1][number] = { projectId, type: 'order.created', data: { id: 'ord_1' } }
    // @ts-expect-error: no feature declares it
    const unknown: Parameters<typeof emitWebhook>[1][number] = { projectId, type: 'order.eaten', data: {} }
    expect([event.type, String(unknown.type)]).toEqual(['order.created', 'order.eaten'])
  })

  test('is described beside what subscribes to it, under a name of its own', async () => {
    const { paths, components } = (await app.ok('GET', '/openapi.json')) as {
      paths: Record<string, Record<string, { callbacks: object }>>
      components: { schemas: Record<string, unknown> }
    }
    const { callbacks = {} } = paths['/v1/webhook-endpoints']?.post ?? {}
    expect(Object.keys(callbacks).toSorted()).toEqual(
      listEmittedEvents('project')
        .map(([name]) => name)
        .toSorted(),
    )
    expect(JSON.stringify(callbacks)).toContain('"$ref":"#/components/schemas/ParcelStatusChangedEvent"')
    expect(components.schemas.ParcelStatusChangedEvent).toMatchObject({
      required: ['id', 'type', 'createdAt', 'projectId', 'data'],
      properties: { type: { enum: ['parcel.status_changed'] }, data: { properties: { parcel: { $ref: '#/components/schemas/Parcel' } } } },
    })
  })

  test('is declared once, by one feature', () => {
    expect(() => declareEvents({ 'product.deleted': eventOfStore('Again', {}) })).toThrow('The event product.deleted is declared twice.')
    expect(() => declareEvents({ 'customer.created': eventOfStore('Again', {}) })).toThrow('declared twice')
  })

  test('can be subscribed to, and so can those that nobody emits yet', () => {
    const [ofProjects, ofStores] = [listEventNames('project'), listEventNames('store')]
    expect(ofProjects.toSorted()).toEqual([
      'ai.task.completed',
      'ai.task.failed',
      'ai.task.reconciliation_required',
      'batch.completed',
      'inventory.operation.posted',
      'inventory.reservation.expired',
      'inventory.stock.changed',
      'parcel.created',
      'parcel.deleted',
      'parcel.delivered',
      'parcel.status_changed',
      'parcel.submission_failed',
    ])
    expect(ofStores).toContain('customer.created')
    expect(ofStores.filter((name) => ofProjects.includes(name)).every((name) => name.startsWith('parcel.'))).toBe(true)
  })
})
