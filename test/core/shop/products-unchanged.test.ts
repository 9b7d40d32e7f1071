import { expect, test } from 'bun:test'
import { startApp } from '../../support/app.ts'

const app = await startApp({}, { others: 1 })
const { ok, shop, context } = app
const { storeId, key } = await shop()
const other = app.beside[0]!
type Client = typeof other
const clients: readonly Client[] = [app, ...app.beside]

const PATH = `/v1/products?storeId=${storeId}&limit=3`
const create = async (change: object = {}) =>
  (await ok('POST', '/v1/products', { as: key, body: { storeId, name: 'Lamp', price: 10, status: 'active', initialStock: 9, ...change } }))
    .data
const ids: string[] = []
for (const at of [1, 2, 3]) ids.push((await create({ sku: `L-${at}` })).id)
const newest = () => ids.at(-1)!

/** Reads the page, and again with the version of a copy. */
const read = (path = PATH, { as = key, from = app }: { as?: string; from?: Client } = {}) => from.call('GET', path, { as })
const revalidate = (etag: string, path = PATH, { as = key, from = app }: { as?: string; from?: Client } = {}) =>
  from.call('GET', path, { as, headers: { 'if-none-match': etag } })
const etagOf = (answer: { headers: Headers }) => answer.headers.get('etag')!

test('the first page of products answers 304 in every process, as long as nothing of it has changed', async () => {
  const [first, second] = await Promise.all(clients.map((from) => read(PATH, { from })))
  expect(etagOf(first!)).toStartWith('W/"')
  expect(etagOf(second!)).toBe(etagOf(first!))
  for (const from of clients) {
    // The first time it is read and found to be the same. After that it is known by its version.
    for (const _ of [1, 2]) {
      const same = await revalidate(`"x", ${etagOf(first!)}`, PATH, { from })
      expect([same.status, same.body, etagOf(same)]).toEqual([304, '', etagOf(first!)])
      expect(same.headers.get('cache-control')).toBe('private, no-cache')
    }
  }
})

const transfer = (quantity: number) => ({
  type: 'transfer',
  legs: [
    { namespace: 'main', key: 'L-3', quantity: -quantity },
    { namespace: 'shop', key: 'L-3', quantity },
  ],
})
test.each<readonly [what: string, change: () => Promise<unknown>]>([
  ['a price changes', () => ok('PATCH', `/v1/products/${newest()}`, { as: key, body: { price: 11 } })],
  ['stock moves', () => ok('POST', '/v1/inventory/operations', { as: key, body: transfer(2) })],
  [
    'the store reads another namespace',
    () => ok('PATCH', `/v1/stores/${storeId}`, { as: key, body: { settings: { inventoryNamespace: 'shop' } } }),
  ],
  ['a product is added', async () => ids.push((await create({ sku: 'L-4' })).id)],
  ['a product is deleted', () => ok('DELETE', `/v1/products/${ids.pop()}`, { as: key })],
])('a copy of the first page of products is old in every process once %s', async (_, change) => {
  const before = await read()
  for (const from of clients) await revalidate(etagOf(before), PATH, { from })
  await change()
  for (const from of clients) {
    const changed = await revalidate(etagOf(before), PATH, { from })
    expect(changed.status).toBe(200)
    expect(changed.body).toEqual((await read(PATH, { from })).body)
    expect(changed.body).not.toEqual(before.body)
  }
})

test('a copy made while a change is not yet committed is old once it is', async () => {
  const { sql } = context
  const begun = Promise.withResolvers<void>()
  const mayCommit = Promise.withResolvers<void>()
  const change = sql.begin(async (tx) => {
    await tx`update products set name = 'Late', updated_at = now() - interval '1 hour' where id = ${newest()}`
    begun.resolve()
    await mayCommit.promise
  })
  await begun.promise
  await ok('PATCH', `/v1/products/${ids[0]}`, { as: key, body: { price: 12 } })
  const copy = await read()
  for (const from of clients) expect((await revalidate(etagOf(copy), PATH, { from })).status).toBe(304)
  mayCommit.resolve()
  await change
  const changed = await revalidate(etagOf(copy), PATH, { from: other })
  expect([changed.status, changed.body.data[0].name]).toEqual([200, 'Late'])
})

test('those who revalidate while others write never keep what was old when they asked', async () => {
  let written = 0
  let isOver = false
  const write = async () => {
    for (let price = 100; price < 130; price += 1) {
      await ok('PATCH', `/v1/products/${newest()}`, { as: key, body: { price } })
      written = price
    }
    isOver = true
  }
  const revalidateOften = async (from: Client) => {
    let copy = await read(PATH, { from })
    while (!isOver) {
      const atLeast = written
      const answer = await revalidate(etagOf(copy), PATH, { from })
      if (answer.status !== 304) copy = answer
      expect(copy.body.data[0].price).toBeGreaterThanOrEqual(atLeast)
    }
  }
  await Promise.all([write(), ...clients.map((from) => revalidateOften(from))])
})

test('each audience and limit has its own version', async () => {
  const etags = [await read(), await app.call('GET', PATH), await read(`/v1/products?storeId=${storeId}&limit=2`)].map(etagOf)
  expect(new Set(etags).size).toBe(3)
  const hidden = await app.call('GET', PATH)
  await ok('PATCH', `/v1/products/${newest()}`, { as: key, body: { status: 'draft' } })
  const shown = await app.call('GET', PATH, { headers: { 'if-none-match': etagOf(hidden) } })
  expect([shown.status, shown.headers.get('cache-control')]).toEqual([200, 'public, max-age=30'])
  expect((await revalidate('W/"no"', `${PATH}&unheard=1`)).status).toBe(400)
})
