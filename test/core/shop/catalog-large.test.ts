import { expect, test } from 'bun:test'
import { startApp } from '../../support/app.ts'

const app = await startApp()
const { call, ok } = app
const { storeId, key } = await app.shop()
const COUNT = 24
/** What one request may give, with what stands around it. */
const PAGE_BYTES = 700_000

const variants = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    options: { Number: String(at) },
    price: 10,
    media: Array.from({ length: 10 }, (_, of) => ({ url: `https://pictures.example/${'x'.repeat(900)}/${at}/${of}.jpg` })),
  }))
const create = (name: string, count: number) =>
  ok('POST', '/v1/products', {
    as: key,
    body: {
      storeId,
      name,
      price: 10,
      status: 'active',
      stockKeeping: false,
      options: [{ name: 'Number', values: Array.from({ length: count }, (_, at) => String(at)) }],
      variants: variants(count),
    },
  })
for (let at = 0; at < COUNT; at += 1) await create(`Long ${at}`, 10)
await create('Longest', 50)

test('a page of long products ends early, and all of them come once', async () => {
  for (const sort of ['-createdAt', 'name', '-price']) {
    const [seen, sizes]: [string[], number[]] = [[], []]
    for (let cursor = ''; ; ) {
      const answer = await call('GET', `/v1/products?storeId=${storeId}&limit=100&sort=${sort}${cursor}`)
      expect(answer.status).toBe(200)
      const { data, nextCursor } = answer.body
      seen.push(...data.map(({ name }: { name: string }) => name))
      if (data.length > 1) sizes.push(JSON.stringify(answer.body).length)
      expect(data[0]).not.toHaveProperty('isCut')
      if (nextCursor === null) break
      cursor = `&cursor=${nextCursor}`
    }
    expect([seen.length, new Set(seen).size]).toEqual([COUNT + 1, COUNT + 1])
    expect(Math.max(...sizes)).toBeLessThan(PAGE_BYTES)
    expect(sizes.length).toBeGreaterThan(2)
  }
})

test('short rows fill a page as always', async () => {
  const other = await app.shop()
  for (let at = 0; at < 12; at += 1)
    await ok('POST', '/v1/products', { as: other.key, body: { storeId: other.storeId, name: `Short ${at}`, price: at, status: 'active' } })
  const { data, nextCursor } = await ok('GET', `/v1/products?storeId=${other.storeId}&limit=10`, { as: other.key })
  expect([data.length, typeof nextCursor]).toEqual([10, 'string'])
})

test('drawn ones are no more than are read at once, and a sheet holds all of them', async () => {
  const drawn = await ok('GET', `/v1/products/random?storeId=${storeId}&limit=100`, { as: key })
  expect(drawn.data.length).toBeGreaterThan(0)
  if (drawn.data.length > 1) expect(JSON.stringify(drawn).length).toBeLessThan(PAGE_BYTES)
  const sheet = String((await call('GET', `/v1/products/export?storeId=${storeId}`, { as: key })).body)
  for (let at = 0; at < COUNT; at += 1) expect(sheet).toContain(`Long ${at}`)
  expect(sheet).toContain('Longest')
})
