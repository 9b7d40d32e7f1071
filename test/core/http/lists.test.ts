import { expect, test } from 'bun:test'
import { projectIdOf } from '../../../core/data/project-ids.ts'
import { startApp } from '../../support/app.ts'
import { describedBy, parametersOf, readDocument } from '../../support/openapi.ts'

const app = await startApp()
const { call, ok, shop, context } = app
const { sql } = context
const main = await shop({ settings: { deliveryPrices: { home: 0, pickup: 0 } } })

type Row = Record<string, unknown>

const DESTINATION = { country: 'DZ', stateCode: '16', cityName: 'Bab Ezzouar', address: 'cité 5 juillet', deliveryType: 'home' }
const ADDRESSES = [11, 12, 13, 14, 15, 16].map((number) => ({ ...DESTINATION, address: `cité ${number}` }))
const made = async (path: string, body: object) => (await ok('POST', path, { as: main.key, body })).data
const ask = (path: string, query: Record<string, string>) => call('GET', `${path}?${new URLSearchParams(query)}`, { as: main.key })
const read = async (path: string, query: Record<string, string> = {}) =>
  (await ok('GET', `${path}?${new URLSearchParams(query)}`, { as: main.key })) as { data: Row[]; nextCursor: string | null }

/** All pages, two rows each. */
async function walk(path: string, query: Record<string, string>, between: () => Promise<unknown> = async () => {}): Promise<Row[]> {
  const rows: Row[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await read(path, { ...query, limit: '2', ...(cursor && { cursor }) })
    rows.push(...page.data)
    cursor = page.nextCursor
    await between()
  }
  return rows
}

const prices = [300, 100, 300, 200, 100]
const names = ['Amina Saadi', 'Lina', 'Yasmina B.', 'Omar 100%', 'Li Wei']
const products: Row[] = []
for (const [at, price] of prices.entries())
  products.push(await made('/v1/products', { storeId: main.storeId, name: `P${price}-${at}`, price }))
const orders: Row[] = []
for (const [at, name] of names.entries()) {
  const items = [{ productId: products[at]!.id, quantity: 1 }]
  orders.push(
    await made('/v1/orders', { storeId: main.storeId, customer: { name, phone: `055012345${at}` }, destination: DESTINATION, items }),
  )
}
const parcels: Row[] = []
for (const [at, destination] of ADDRESSES.slice(0, 3).entries())
  parcels.push(await made('/v1/parcels', { recipient: { name: `R${at}`, phone: `055099988${at}` }, destination, codAmount: 10 }))

test('a list is sorted by a field and then by id, both ways, over any number of pages', async () => {
  const sorted = (sort: string) => walk('/v1/orders', { sort })
  const byTotal = orders.toSorted((a, b) => totalOf(a) - totalOf(b) || (String(a.id) < String(b.id) ? -1 : 1))
  expect(ids(await sorted('total'))).toEqual(ids(byTotal))
  expect(ids(await sorted('-total'))).toEqual(ids(byTotal.toReversed()))
  expect(ids(await sorted('createdAt'))).toEqual(ids(orders))
  expect(ids(await sorted('-createdAt'))).toEqual(ids(orders.toReversed()))
  expect(ids(await walk('/v1/products', { sort: 'price', 'filter[status]': 'active' }))).toEqual(
    ids(products.toSorted((a, b) => Number(a.price) - Number(b.price) || (String(a.id) < String(b.id) ? -1 : 1))),
  )
  expect(ids(await walk('/v1/products', { sort: '-name' }))).toEqual(
    ids(products.toSorted((a, b) => (String(a.name) < String(b.name) ? 1 : -1))),
  )
})

test('a page by the moment of change neither skips nor repeats within a millisecond', async () => {
  await sql`update orders set updated_at = '2026-01-01T00:00:00.123Z'::timestamptz + right(customer_phone, 1)::int * interval '1 microsecond' where project_id = ${projectIdOf(main.storeId)}`
  expect(ids(await walk('/v1/orders', { sort: 'updatedAt' }))).toEqual(ids(orders))
  const seen = await walk('/v1/parcels', { sort: '-updatedAt' }, () =>
    made('/v1/parcels', { recipient: { name: 'Later', phone: '0550000000' }, destination: ADDRESSES[4], codAmount: 1 }),
  )
  expect(ids(seen)).toEqual(ids(parcels.toReversed()))
  expect(seen.some((row) => 'sortValue' in row)).toBe(false)
})

const ORDER_FILTERS = [
  'status',
  'phone',
  'assignedTo',
  'promoCode',
  'from',
  'to',
  'stateCode',
  'cityCode',
  'deliveryType',
  'carrier',
  'parcelStatus',
  'printed',
  'tag',
  'minTotal',
  'maxTotal',
  'waitingSince',
  'source',
  'connectorId',
  'externalId',
  'productId',
  'paymentStatus',
]

test('filters are values of their fields, with brackets or without', async () => {
  const [first] = orders as [Row]
  expect(ids((await read('/v1/orders', { 'filter[phone]': '+213550123450' })).data)).toEqual([String(first.id)])
  expect(ids((await read('/v1/orders', { phone: '+213550123450', 'filter[status]': 'pending' })).data)).toEqual([String(first.id)])
  expect((await read('/v1/orders', { 'filter[status]': 'delivered' })).data).toEqual([])
  expect((await read('/v1/orders', { 'filter[assignedTo]': 'usr_x', 'filter[promoCode]': 'EID' })).data).toEqual([])
  const parcel = parcels[1]!
  for (const filter of ['reference', 'status', 'phone'])
    expect(ids((await read('/v1/parcels', { [`filter[${filter}]`]: String(fieldOf(parcel, filter)) })).data)).toContain(String(parcel.id))
  expect((await read('/v1/parcels', { 'filter[trackingId]': 'T', 'filter[carrierAccountId]': 'x', 'filter[batchId]': 'b' })).data).toEqual(
    [],
  )
  const details = async (path: string, query: Record<string, string>) => {
    const answer = await ask(path, query)
    expect([answer.status, answer.body.error?.code]).toEqual([400, 'invalid_request'])
    return answer.body.error.details[0]
  }
  expect(await details('/v1/orders', { 'filter[colour]': 'red' })).toEqual({
    path: '/query/filter[colour]',
    message: `This list does not accept it. It accepts limit, cursor, sort, ${[...ORDER_FILTERS.map((name) => `filter[${name}]`), ...ORDER_FILTERS].join(', ')}, q, storeId.`,
  })
  expect(await details('/v1/orders', { filter: 'status' })).toMatchObject({ path: '/query/filter' })
  await details('/v1/orders', { 'filter[status]': 'lost in space' })
  await details('/v1/orders', { status: 'pending', 'filter[status]': 'delivered' })
  await details('/v1/orders', { sort: 'note' })
  await details('/v1/inventory/balances', { sort: 'createdAt', 'filter[sort]': '1' })
  expect(await details('/v1/webhook-endpoints', { sort: '-createdAt' })).toMatchObject({ path: '/query/sort' })
  expect(await details('/v1/webhook-endpoints', { 'filter[url]': 'x' })).toMatchObject({ path: '/query/filter[url]' })
})

test('q finds a reference, or a part of a name', async () => {
  const found = async (q: string) => ids((await read('/v1/orders', { q })).data)
  const [amina, lina, yasmina, omar, li] = ids(orders)
  expect(await found('MINA')).toEqual([yasmina!, amina!])
  expect(await found('li')).toEqual([li!, lina!])
  expect(await found('b')).toEqual([yasmina!])
  expect(await found('0%')).toEqual([])
  expect(await found('100%')).toEqual([omar!])
  expect(await found('00%')).toEqual([])
  expect(await found('%%%')).toEqual([])
  expect(await found(String(orders[2]!.reference).toLowerCase())).toEqual([yasmina!])
  expect((await ask('/v1/orders', { q: '' })).status).toBe(400)
  expect(ids((await read('/v1/parcels', { q: String(parcels[0]!.reference) })).data)).toEqual([String(parcels[0]!.id)])
  expect((await read('/v1/parcels', { q: 'R' })).data).toEqual([])
  expect(ids((await read('/v1/products', { q: 'p200' })).data)).toEqual([String(products[3]!.id)])
})

test('an order is found by a phone number of its customer, however it is written, and by a name however it is', async () => {
  const place = (name: string, phone: string, phoneAlt: string | null = null) =>
    made('/v1/orders', {
      storeId: main.storeId,
      customer: { name, phone, phoneAlt },
      destination: { ...DESTINATION, stateCode: '31', cityName: 'Oran' },
      items: [{ productId: products[4]!.id, quantity: 2 }],
    })
  const aicha = String((await place('Aïcha Bénali', '0550 88 77 66')).id)
  const arabic = String((await place('عَائِشَة بن علي', '0661234567', '0770 00 66 11')).id)
  const found = async (q: string) => ids((await read('/v1/orders', { q })).data)
  for (const q of ['0550887766', '+213 550 88 77 66', '00213550887766', '(0550) 88-77-66', '٠٥٥٠٨٨٧٧٦٦', '550887766', '7766', '887766'])
    expect([q, await found(q)]).toEqual([q, [aicha]])
  expect(await found('0770006611')).toEqual([arabic])
  for (const q of ['766', '8877', '0550887767', '88']) expect([q, await found(q)]).toEqual([q, []])
  for (const q of ['aicha', 'AÏCHA', 'benali aicha', 'bénali']) expect([q, await found(q)]).toEqual([q, [aicha]])
  for (const q of ['عائشة', 'عَائِشَة', 'بن علي']) expect([q, await found(q)]).toEqual([q, [arabic]])
  const filtered = async (query: Record<string, string>) => ids((await read('/v1/orders', query)).data)
  for (const phone of ['0550887766', '0550 88 77 66', '+213550887766', '٠٥٥٠٨٨٧٧٦٦']) expect(await filtered({ phone })).toEqual([aicha])
  const bad = await ask('/v1/orders', { 'filter[phone]': '12' })
  expect([bad.status, bad.body.error.code]).toEqual([422, 'invalid_phone'])
  await ok('PATCH', `/v1/orders/${aicha}`, { as: main.key, body: { customer: { name: 'Zoé', phone: '0551002003' } } })
  expect([await found('aicha'), await found('7766'), await found('zoe'), await found('2003')]).toEqual([[], [], [aicha], [aicha]])
})

test('lists: orders are filtered by dates, place, product, source and agent', async () => {
  const filtered = async (query: Record<string, string>) => ids((await read('/v1/orders', query)).data)
  const inOran = await filtered({ stateCode: '31' })
  expect(inOran).toHaveLength(2)
  expect(await filtered({ productId: String(products[4]!.id) })).toEqual([...inOran, String(orders[4]!.id)])
  expect(await walk('/v1/orders', { productId: String(products[4]!.id), sort: 'total' })).toHaveLength(3)
  expect(await walk('/v1/orders', { productId: String(products[4]!.id) })).toHaveLength(3)
  expect(await filtered({ productId: 'prd_x' })).toEqual([])
  const moment = String((await read('/v1/orders', { stateCode: '31', sort: 'createdAt' })).data[0]!.createdAt)
  expect(await filtered({ from: moment })).toEqual(inOran)
  expect(await filtered({ 'filter[to]': moment })).toEqual(ids(orders.toReversed()))
  expect(await filtered({ from: moment, to: moment })).toEqual([])
  expect([await filtered({ source: 'api' }), await filtered({ source: 'storefront' })]).toEqual([
    [...inOran, ...ids(orders.toReversed())],
    [],
  ])
  expect([await filtered({ paymentStatus: 'paid' }), (await filtered({ paymentStatus: 'unpaid' })).length]).toEqual([[], 7])
  const [first, second] = ids(orders) as [string, string]
  await ok('PATCH', `/v1/orders/${first}`, { as: main.key, body: { status: 'confirmed' } })
  await ok('PATCH', `/v1/orders/${second}`, { as: main.key, body: { status: 'cancelled' } })
  const several = { 'filter[status]': 'cancelled,confirmed,cancelled' }
  for (const [sort, expected] of [
    ['-createdAt', [second, first]],
    ['createdAt', [first, second]],
    ['-updatedAt', [second, first]],
    ['total', [second, first]],
  ] as const)
    expect(await filtered({ ...several, sort })).toEqual([...expected])
  expect(ids(await walk('/v1/orders', { status: 'pending,confirmed,cancelled' }))).toEqual(await filtered({}))
  expect((await ask('/v1/orders', { status: 'pending,nope' })).status).toBe(400)
  await sql`update orders set assigned_to = 'usr_somebody' where id = ${first}`
  expect(await filtered({ assignedTo: 'none' })).toEqual((await filtered({})).filter((id) => id !== first))
})

test('a cursor goes on only in the list, the order, the filters and the search that it was given for', async () => {
  const cursor = String((await read('/v1/orders', { sort: 'total', limit: '1' })).nextCursor)
  expect((await ask('/v1/orders', { sort: 'total', limit: '3', cursor })).body.data).toHaveLength(3)
  for (const query of [{}, { sort: '-total' }, { sort: 'total', q: 'mina' }, { sort: 'total', 'filter[status]': 'pending' }])
    expect((await ask('/v1/orders', { ...query, cursor })).body.error.details).toEqual([
      {
        path: '/query/cursor',
        message: 'This cursor was given for another sort, filter or search. Repeat those, or start without a cursor.',
      },
    ])
  expect((await ask('/v1/parcels', { cursor })).status).toBe(400)
  const [version, digest] = JSON.parse(Buffer.from(cursor, 'base64url').toString())
  const forged = (rest: unknown[]) => Buffer.from(JSON.stringify([version, digest, ...rest])).toString('base64url')
  for (const bad of ['x', forged([]), forged([1, '2']), forged(['ord_x', 'no number']), forged(['a\0', '1'])])
    expect((await ask('/v1/orders', { sort: 'total', cursor: bad })).status).toBe(400)
})

test('the ledger is read both ways, by filters too', async () => {
  const legs = ['a', 'b', 'c', 'd', 'e'].map((key) => ({ namespace: 'lists', key: `${key}/%`, quantity: 1 }))
  const posted: Row[] = []
  for (const leg of legs) posted.push(await made('/v1/inventory/operations', { type: 'receive', reference: 'LISTS', legs: [leg] }))
  const query = { 'filter[reference]': 'LISTS', 'filter[type]': 'receive' }
  expect(await walk('/v1/inventory/operations', { ...query, sort: 'createdAt' })).toEqual(posted)
  expect(await walk('/v1/inventory/operations', query)).toEqual(posted.toReversed())
  const movements = await walk('/v1/inventory/movements', { holderRef: 'lists', sort: 'createdAt' })
  expect(movements).toEqual(posted.flatMap((operation) => operation.movements as Row[]))
  expect(await walk('/v1/inventory/movements', { holderRef: 'lists' })).toEqual(movements.toReversed())
  const balances = await walk('/v1/inventory/balances', { 'filter[namespace]': 'lists' })
  expect(balances.map(({ key }) => key)).toEqual(legs.map(({ key }) => key))
})

test('the document says what each list takes', async () => {
  const operations = describedBy(await readDocument(app))
  const queryOf = (id: string) => {
    const described = operations.find(({ operation }) => operation.operationId === id)!
    return Object.fromEntries(parametersOf(described, 'query').map(({ name, schema }) => [name, schema]))
  }
  const { sort, 'filter[status]': status, q, limit } = queryOf('listOrders')
  expect(sort?.enum).toEqual(['-createdAt', 'createdAt', '-updatedAt', 'updatedAt', '-total', 'total'])
  expect(status?.pattern).toContain('pending')
  expect(q?.maxLength).toBe(200)
  expect([limit?.minimum, limit?.maximum]).toEqual([1, 100])
  expect(queryOf('listBalances').sort).toBeUndefined()
})

/** What answers rows and is no list to go through. */
const WHOLE: Readonly<Record<string, string>> = {
  listAdapters: 'what is installed',
  listProductImportColumns: 'the headings that a sheet may have',
  listOrderImportColumns: 'the headings that a sheet may have',
  listCashHolders: 'the connections of one store to carriers and gateways',
  listPayoutImportColumns: 'the headings that a sheet may have',
  listConnectorImportColumns: 'the headings that a sheet may have',
  randomProducts: 'a draw',
  listParcelEvents: 'the timeline of one parcel, which the interface gives whole',
  readAttention: 'one row for each kind of thing that waits',
  searchPlaces: 'the best hits',
  nearbyPlaces: 'the nearest',
  searchCities: 'the best hits',
  listAiModels: 'what is connected, and what its sources give whole',
  listChatModels: 'what is connected, and what its sources give whole',
  readAiBalance: 'one row for each currency',
  listMcpTools: 'what one server offers, 128 at most',
  listChatQueue: 'prompts that wait in one conversation, which takes few',
  searchUser: 'the newest hits',
  searchStore: 'the newest hits',
  findCallers: 'the newest orders of one phone number, 20 at most',
  readTimeline: 'one row for each of at most 92 days',
  listOfferedPlans: 'what is offered, of a hundred plans at most',
  listPaymentProofs: 'the receipts of one payment, which takes few',
  listSubscriptionProofs: 'the receipts of one payment, which takes few',
  listPixels: 'what the advertising platform gives whole',
  'category.tree': 'the whole tree of a store, a thousand at most',
}

test('every list is a page of 1 to 100 rows with a cursor', async () => {
  const lists = describedBy(await readDocument(app)).filter(({ method, operation }) => {
    const answer = operation.responses['200']?.content?.['application/json']?.schema
    return method === 'GET' && answer?.properties?.data?.items !== undefined
  })
  const lacking = lists.filter((described) => {
    const { limit, cursor } = Object.fromEntries(parametersOf(described, 'query').map(({ name, schema }) => [name, schema]))
    const answer = described.operation.responses['200']!.content!['application/json']!.schema!
    return limit?.minimum !== 1 || limit.maximum !== 100 || !cursor || !answer.properties?.nextCursor
  })
  expect(lists.length).toBeGreaterThan(25)
  expect(lacking.map(({ operation }) => operation.operationId).filter((id) => !(id in WHOLE))).toEqual([])
})

const ids = (rows: readonly Row[]) => rows.map(({ id }) => String(id))
const totalOf = (row: Row) => (row.totals as { total: number }).total
const fieldOf = (parcel: Row, field: string) => (field === 'phone' ? (parcel.recipient as Row).phone : parcel[field])
