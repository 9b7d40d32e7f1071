import { expect, test } from 'bun:test'
import { projectIdOf } from '../../../core/data/project-ids.ts'
import { type Answer, startApp } from '../../support/app.ts'

const app = await startApp()
const { call, ok, person, shop, context } = app
await person('The administrator')
const { storeId, key: as } = await shop()
const other = await shop()
const outcome = ({ status, body }: Answer) => `${status} ${body?.error?.code ?? ''}`.trim()

let numbers = 0
const fields = (parentId: string | null = null) => {
  numbers += 1
  return { name: `Number ${numbers}`, slug: `number-${numbers}`, parentId }
}
const create = (parentId: string | null = null) => call('POST', '/v1/categories', { as, body: { storeId, ...fields(parentId) } })
const made = async (parentId: string | null = null): Promise<string> => (await create(parentId)).body.data.id
const move = (id: string, parentId: string | null) => call('PUT', `/v1/categories/${id}`, { as, body: fields(parentId) })

/** One under the other. */
async function chain(length: number): Promise<string[]> {
  const ids: string[] = []
  for (let at = 0; at < length; at += 1) ids.push(await made(ids.at(-1) ?? null))
  return ids
}

interface Node {
  readonly id: string
  readonly children: readonly Node[]
}

test('a parent is a category of the same store', async () => {
  const { data: foreign } = await ok('POST', '/v1/categories', {
    as: other.key,
    body: { storeId: other.storeId, name: 'Far', slug: 'far' },
  })
  const here = await made()
  for (const parentId of [foreign.id, 'cat_none', '\u0000']) {
    expect(outcome(await create(parentId))).toBe('400 invalid_request')
    expect(outcome(await move(here, parentId))).toBe('400 invalid_request')
  }
  expect((await ok('GET', `/v1/categories?parentId=${here}`, { as })).data).toEqual([])
  const child = await made(here)
  expect((await ok('GET', `/v1/categories?filter[parentId]=${here}`, { as })).data).toMatchObject([{ id: child, parentId: here }])
})

test('anybody sees them, by names however they are written, and nobody but who may changes them', async () => {
  const { storeId: id, key } = await shop()
  const make = (name: string, slug: string) => ok('POST', '/v1/categories', { as: key, body: { storeId: id, name, slug } })
  for (const [name, slug] of [
    ['Électroménager', 'e'],
    ['أحذية رجالية', 'a'],
    ['Straße', 's'],
    ['Œufs', 'o'],
  ] as const)
    await make(name, slug)
  for (const [q, slug] of [
    ['electromenager', 'e'],
    ['ÉLECTRO', 'e'],
    ['احذيه', 'a'],
    ['أحذِيَة', 'a'],
    ['strasse', 's'],
    ['oeu', 'o'],
    ['él', 'e'],
  ] as const)
    expect((await ok('GET', `/v1/categories?storeId=${id}&q=${encodeURIComponent(q)}`)).data).toMatchObject([{ slug }])
  expect((await ok('GET', `/v1/categories?storeId=${id}&q=${encodeURIComponent('100%')}`)).data).toEqual([])
  const [one] = (await ok('GET', `/v1/categories?storeId=${id}`)).data
  expect((await ok('GET', `/v1/categories/${one.id}`)).data).toEqual(one)
  expect((await ok('GET', `/v1/categories/tree?storeId=${id}`)).data).toHaveLength(4)
  expect((await ok('GET', `/v1/categories?storeId=${id}`, { as: other.key })).data).toHaveLength(4)
  expect(outcome(await call('GET', '/v1/categories'))).toBe('400 invalid_request')
  expect(outcome(await call('GET', '/v1/categories/tree?storeId=str_none'))).toBe('404 not_found')
  expect(outcome(await call('DELETE', `/v1/categories/${one.id}`))).toBe('401 unauthenticated')
  expect(outcome(await call('DELETE', `/v1/categories/${one.id}`, { as: other.key }))).toBe('404 not_found')
})

test('nothing is under itself', async () => {
  const [top = '', middle = '', bottom = ''] = await chain(3)
  for (const under of [top, middle, bottom]) expect(outcome(await move(top, under))).toBe('400 invalid_request')
  expect(outcome(await move(bottom, top))).toBe('200')
})

test('moves at the same time make no circle together', async () => {
  for (let round = 0; round < 8; round += 1) {
    const [a, b, c] = [await made(), await made(), await made()]
    const answers = await Promise.all([move(a, b), move(b, c), move(c, a)])
    expect(answers.map(outcome).sort()).toEqual(['200', '200', '400 invalid_request'])
  }
})

test('a tree has eight levels at most, whatever is moved', async () => {
  const long = await chain(8)
  expect(outcome(await create(long[7]))).toBe('400 invalid_request')
  const [head = ''] = await chain(3)
  expect(outcome(await move(head, long[5] ?? ''))).toBe('400 invalid_request')
  expect(outcome(await move(head, long[4] ?? ''))).toBe('200')
})

test('the tree has all of the store, in their order, and nothing of another', async () => {
  const third = await shop()
  const create = async (name: string, position: number, parentId?: string) =>
    (
      await ok('POST', '/v1/categories', {
        as: third.key,
        body: { storeId: third.storeId, name, slug: name, position, ...(parentId && { parentId }) },
      })
    ).data
  const [shoes, bags] = [await create('shoes', 2), await create('bags', 1)]
  const [high, low] = [await create('high', 0, shoes.id), await create('low', 0, shoes.id)]
  const tree = [
    { ...bags, children: [] },
    { ...shoes, children: [high, low].map((row) => ({ ...row, children: [] })) },
  ]
  expect((await ok('GET', '/v1/categories/tree', { as: third.key })).data).toEqual(tree)
  expect((await ok('GET', `/v1/categories/tree?storeId=${third.storeId}`, { as: third.owner.token })).data).toEqual(tree)
  expect(outcome(await call('GET', `/v1/categories/tree?storeId=${third.storeId}`, { as }))).toBe('404 not_found')
  expect(outcome(await call('GET', '/v1/categories/tree', { as: third.owner.token }))).toBe('400 invalid_request')
  expect(outcome(await call('GET', '/v1/categories/tree'))).toBe('400 invalid_request')
  const count = (nodes: readonly Node[]): number => nodes.reduce((sum, { children }) => sum + 1 + count(children), 0)
  expect(count((await ok('GET', '/v1/categories/tree', { as })).data)).toBe(
    (await context.sql`select 1 from categories where project_id = ${projectIdOf(storeId)}`).length,
  )
})

test('one with others under it is kept, also from who puts one there meanwhile', async () => {
  const [top = '', below = ''] = await chain(2)
  expect(outcome(await call('DELETE', `/v1/categories/${top}`, { as }))).toBe('409 conflict')
  expect(outcome(await call('DELETE', `/v1/categories/${below}`, { as }))).toBe('204')
  for (let round = 0; round < 6; round += 1) {
    const parent = await made()
    const [put, removed] = await Promise.all([create(parent), call('DELETE', `/v1/categories/${parent}`, { as })])
    expect([
      ['201', '409 conflict'],
      ['400 invalid_request', '204'],
    ]).toContainEqual([outcome(put), outcome(removed)])
  }
})

test('a store has a thousand at most, however many come at once', async () => {
  const full = await shop()
  await context.sql`insert into categories (project_id, id, name, slug)
    select ${projectIdOf(full.storeId)}, 'cat_' || lpad(n::text, 26, '0'), 'Filler', 'filler-' || n from generate_series(1, 998) n`
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => call('POST', '/v1/categories', { as: full.key, body: { storeId: full.storeId, ...fields() } })),
  )
  expect(answers.map(outcome).sort()).toEqual(['201', '201', '409 conflict', '409 conflict', '409 conflict'])
  expect((await ok('GET', '/v1/categories/tree', { as: full.key })).data).toHaveLength(1000)
  expect(outcome(await create())).toBe('201')
})
