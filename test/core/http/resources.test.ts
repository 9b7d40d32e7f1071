import { describe, expect, test } from 'bun:test'
import { type Answer, startApp } from '../../support/app.ts'

const app = await startApp()
const { call, ok, person, shop } = app
const administrator = await person('The administrator')
const mine = await shop()
const theirs = await shop()
const viewer = await person('Viewer')
await ok('POST', `/v1/stores/${mine.storeId}/members`, { as: mine.owner.token, body: { email: viewer.email, role: 'viewer' } })
const keyWith = async (scopes: string[]) =>
  (await ok('POST', `/v1/projects/${mine.projectId}/api-keys`, { as: mine.owner.token, body: { name: 'narrow', scopes } })).data
    .key as string
const narrow = await keyWith(['geo:read'])

const outcome = ({ status, body }: Answer) => `${status} ${body?.error?.code ?? ''}`.trim()
const DATES = { createdAt: expect.any(String), updatedAt: expect.any(String) }

interface Table {
  readonly path: string
  readonly prefix: string
  /** The least that a creation takes; `n` makes it another one. */
  minimal(n: number): Record<string, unknown>
  /** All that it takes. */
  full(n: number): Record<string, unknown>
  /** What is left out is this. */
  readonly blank: Record<string, unknown>
  readonly change?: Record<string, unknown>
  /** Each is refused beside what is needed. */
  readonly bad: readonly Record<string, unknown>[]
  /** Fields that a list leaves out. */
  readonly long: readonly string[]
  readonly sort: string
  /** The field that must not be there twice in a store. */
  readonly unique?: string
  /** Whether it is read by its slug. */
  readonly bySlug?: true
  /** Whether anybody reads it. */
  readonly open?: true
}

const template = {
  blank: { description: '', category: '', previewUrl: null, data: {}, published: false },
  full: {
    description: 'For shoes',
    category: 'shoes',
    previewUrl: 'https://example.dz/a.png',
    data: { rows: [1, { wide: true }] },
    published: true,
  },
  bad: [
    { name: '' },
    { name: ' \n' },
    { name: null },
    { previewUrl: 'no address' },
    { data: [] },
    { data: { a: 'x'.repeat(70_000) } },
    { category: 'c'.repeat(81) },
    { published: 'yes' },
    { id: 'tpl_1' },
  ],
  change: { category: 'bags', published: false },
  long: ['data'],
  sort: 'name',
}

const tables: readonly Table[] = [
  {
    path: '/v1/categories',
    prefix: 'cat',
    minimal: (n) => ({ name: `Shoes ${n}`, slug: `shoes-${n}` }),
    full: (n) => ({ name: `Bags ${n}`, slug: `bags-${n}`, parentId: null, position: 4, image: 'https://example.dz/bags.png' }),
    blank: { parentId: null, position: 0, image: null },
    bad: [
      { slug: 'With Spaces' },
      { slug: '' },
      { name: 1 },
      { position: -1 },
      { position: 0.5 },
      { image: 'x' },
      { parentId: '' },
      { colour: 1 },
    ],
    long: [],
    sort: 'position',
    unique: 'slug',
    open: true,
  },
  {
    path: '/v1/pages',
    prefix: 'pag',
    minimal: (n) => ({ title: `About ${n}`, slug: `about-${n}` }),
    full: (n) => ({
      title: `Terms ${n}`,
      slug: `terms-${n}`,
      format: 'markdown',
      content: '# Terms\n<script>alert(1)</script>',
      metadata: { menu: 'foot' },
      published: true,
    }),
    blank: { format: 'html', content: '', metadata: {}, published: false },
    change: { title: 'Other', content: '<p>Other</p>' },
    bad: [
      { title: '' },
      { slug: 'été' },
      { format: 'pdf' },
      { content: 'x'.repeat(256 * 1024 + 1) },
      { metadata: [] },
      { published: 1 },
      { storeId: 7 },
    ],
    long: ['content'],
    sort: 'title',
    unique: 'slug',
    bySlug: true,
  },
  {
    ...template,
    path: '/v1/templates',
    prefix: 'tpl',
    minimal: (n) => ({ name: `Plain ${n}` }),
    full: (n) => ({ name: `Rich ${n}`, ...template.full }),
  },
  {
    ...template,
    path: '/v1/product_landing_page_templates',
    prefix: 'plt',
    minimal: (n) => ({ name: `Plain ${n}` }),
    full: (n) => ({ name: `Rich ${n}`, ...template.full }),
  },
  {
    ...template,
    path: '/v1/image_prompt_templates',
    prefix: 'ipt',
    minimal: (n) => ({ name: `Plain ${n}`, prompt: 'a shoe on sand' }),
    full: (n) => ({ name: `Rich ${n}`, prompt: 'a bag', negativePrompt: 'people', aspectRatio: '16:9', ...template.full }),
    blank: { ...template.blank, negativePrompt: '', aspectRatio: '1:1' },
    bad: [...template.bad, { prompt: '' }, { aspectRatio: '0:1' }, { aspectRatio: 'wide' }],
  },
  {
    path: '/v1/image_generations',
    prefix: 'img',
    minimal: (n) => ({ name: `Plain ${n}`, prompt: `Plain ${n}: a shoe on sand` }),
    full: (n) => ({ name: `Bag ${n}`, prompt: 'a bag', negativePrompt: 'people', aspectRatio: '16:9', productId: null, published: true }),
    blank: {
      negativePrompt: '',
      aspectRatio: '1:1',
      productId: null,
      published: false,
      status: 'draft',
      images: [],
      failure: null,
    },
    bad: [{ prompt: '' }, { prompt: 1 }, { aspectRatio: '0:1' }, { status: 'done' }, { images: [] }, { productId: '' }, { published: 1 }],
    long: [],
    sort: 'name',
  },
]

let numbers = 0
const next = () => ++numbers

describe.each(tables.map((table) => [table.path, table] as const))('%s', (path, table) => {
  const as = mine.key
  const { storeId } = mine
  const create = async (n = next(), shape = table.minimal) => (await ok('POST', path, { as, body: { storeId, ...shape(n) } })).data
  const idOf = (row: { id: string; slug: string }) => (table.bySlug ? row.slug : row.id)

  test('what is created is answered, read and listed, and nothing beside it', async () => {
    const n = next()
    const answer = await call('POST', path, { as, body: { storeId, ...table.minimal(n) } })
    expect(answer.status).toBe(201)
    const row = answer.body.data
    expect(row).toEqual({
      id: expect.stringMatching(new RegExp(`^${table.prefix}_[0-9a-z]{26}$`)),
      storeId,
      ...table.blank,
      ...table.minimal(n),
      ...DATES,
    })
    expect((await ok('GET', `${path}/${idOf(row)}`, { as })).data).toEqual(row)
    const rich = await create(next(), table.full)
    expect(rich).toMatchObject(table.full(numbers))
    const brief = Object.fromEntries(Object.entries(rich).filter(([name]) => !table.long.includes(name)))
    expect((await ok('GET', `${path}?limit=1`, { as })).data).toEqual([brief])
    expect((await ok('GET', `${path}?limit=1&storeId=${storeId}`, { as: mine.owner.token })).data).toEqual([brief])
  })

  test('PUT replaces: what it leaves out is as it is by default', async () => {
    const row = await create(next(), table.full)
    const n = next()
    const answer = await call('PUT', `${path}/${row.id}`, { as, body: table.minimal(n) })
    expect(answer.body.data).toEqual({ ...row, ...table.blank, ...table.minimal(n), updatedAt: expect.any(String) })
    expect((await ok('GET', `${path}/${idOf(answer.body.data)}`, { as })).data).toEqual(answer.body.data)
  })

  if (table.change)
    test('PATCH changes what it names', async () => {
      const row = await create(next(), table.full)
      const answer = await call('PATCH', `${path}/${row.id}`, { as, body: table.change })
      expect(answer.body.data).toEqual({ ...row, ...table.change, updatedAt: expect.any(String) })
      expect(outcome(await call('PATCH', `${path}/${row.id}`, { as, body: {} }))).toBe('400 invalid_request')
    })

  test('DELETE deletes, once', async () => {
    const row = await create()
    expect((await call('DELETE', `${path}/${row.id}`, { as })).status).toBe(204)
    expect(outcome(await call('GET', `${path}/${idOf(row)}`, { as }))).toBe('404 not_found')
    for (const method of ['DELETE', 'PUT'])
      expect(outcome(await call(method, `${path}/${row.id}`, { as, ...(method === 'PUT' && { body: table.minimal(next()) }) }))).toBe(
        '404 not_found',
      )
  })

  test('what does not fit is refused', async () => {
    const row = await create()
    for (const bad of table.bad) {
      expect([bad, outcome(await call('POST', path, { as, body: { storeId, ...table.minimal(next()), ...bad } }))]).toEqual([
        bad,
        '400 invalid_request',
      ])
      const { storeId: _, ...fields } = bad
      if (Object.keys(fields).length > 0)
        expect([bad, outcome(await call('PUT', `${path}/${row.id}`, { as, body: { ...table.minimal(next()), ...fields } }))]).toEqual([
          bad,
          '400 invalid_request',
        ])
    }
    expect(outcome(await call('POST', path, { as, body: { storeId } }))).toBe('400 invalid_request')
    expect(outcome(await call('GET', `${path}?filter[colour]=red`, { as }))).toBe('400 invalid_request')
    expect(outcome(await call('GET', `${path}?limit=101`, { as }))).toBe('400 invalid_request')
  })

  test('a caller without the right is refused', async () => {
    const row = await create()
    const body = { storeId, ...table.minimal(next()) }
    const { storeId: _, ...whole } = body
    const requests = [
      ['GET', path, undefined],
      ['POST', path, body],
      ['GET', `${path}/${idOf(row)}`, undefined],
      ['PUT', `${path}/${row.id}`, whole],
      ...(table.change ? [['PATCH', `${path}/${row.id}`, table.change] as const] : []),
      ['DELETE', `${path}/${row.id}`, undefined],
    ] as const
    for (const [method, at, sent] of requests.filter(([method]) => method !== 'GET' || !table.open)) {
      const ask = async (options: { as?: string }) => [method, outcome(await call(method, at, { ...options, ...(sent && { body: sent }) }))]
      const inStore = async (credential: string) => [
        method,
        outcome(
          await call(method, `${at}${method === 'GET' ? `?storeId=${storeId}` : ''}`, { as: credential, ...(sent && { body: sent }) }),
        ),
      ]
      expect(await ask({})).toEqual([method, '401 unauthenticated'])
      expect(await ask({ as: `sk_${'x'.repeat(43)}` })).toEqual([method, '401 invalid_api_key'])
      expect(await ask({ as: narrow })).toEqual([method, '403 insufficient_scope'])
      if (method !== 'GET') expect(await ask({ as: viewer.token })).toEqual([method, '403 forbidden'])
      else expect(await inStore(viewer.token)).toEqual([method, '200'])
      for (const stranger of [theirs.key, theirs.owner.token]) expect(await inStore(stranger)).toEqual([method, '404 not_found'])
    }
    expect((await ok('GET', `${path}/${idOf(row)}`, { as })).data).toEqual(row)
    expect(JSON.stringify((await ok('GET', `${path}?limit=100`, { as: theirs.key })).data)).not.toContain(row.id)
  })

  test('a repeat under one Idempotency-Key is answered once more and makes nothing', async () => {
    const body = { storeId, ...table.minimal(next()) }
    const headers = { 'idempotency-key': `resource-${next()}` }
    const [first, second] = [await call('POST', path, { as, body, headers }), await call('POST', path, { as, body, headers })]
    expect([first.status, second.status, second.headers.get('idempotent-replayed')]).toEqual([201, 201, 'true'])
    expect(second.body).toEqual(first.body)
    expect(outcome(await call('POST', path, { as, body: { ...body, ...table.full(next()) }, headers }))).toBe('422 idempotency_key_reused')
  })

  test('a list is paged in its order, filtered and searched', async () => {
    const shopOfList = await shop()
    const rows = []
    for (let at = 0; at < 5; at += 1) {
      const body = { storeId: shopOfList.storeId, ...table.minimal(next()) }
      rows.push((await ok('POST', path, { as: shopOfList.key, body })).data)
    }
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const at: string = `${path}?limit=2&sort=${table.sort}${cursor ? `&cursor=${cursor}` : ''}`
      const { data, nextCursor } = await ok('GET', at, { as: shopOfList.key })
      seen.push(...data.map(({ id }: { id: string }) => id))
      cursor = nextCursor
    } while (cursor !== null)
    const value = (row: Record<string, unknown>) => row[table.sort] as string | number
    const expected = rows.toSorted((a, b) => (value(a) < value(b) ? -1 : value(a) > value(b) ? 1 : a.id < b.id ? -1 : 1))
    expect(seen).toEqual(expected.map(({ id }) => id))
    const name = String(rows[2].name ?? rows[2].title)
    const found = await ok('GET', `${path}?q=${encodeURIComponent(name.toUpperCase())}`, { as: shopOfList.key })
    expect(found.data.map(({ id }: { id: string }) => id)).toContain(rows[2].id)
    expect((await ok('GET', `${path}?q=zzzz`, { as: shopOfList.key })).data).toEqual([])
  })

  if (table.unique)
    test('of those that want the same at once one gets it', async () => {
      const body: Record<string, unknown> = { storeId, ...table.minimal(next()) }
      const answers = await Promise.all(Array.from({ length: 6 }, () => call('POST', path, { as, body })))
      expect(answers.map(outcome).sort()).toEqual(['201', ...Array.from({ length: 5 }, () => '409 slug_taken')])
      const other = await create()
      expect(outcome(await call('PUT', `${path}/${other.id}`, { as, body: { ...table.minimal(0), slug: body.slug } }))).toBe(
        '409 slug_taken',
      )
      expect((await call('POST', path, { as: theirs.key, body: { ...body, storeId: theirs.storeId } })).status).toBe(201)
    })
})

describe.each(['/v1/templates', '/v1/product_landing_page_templates', '/v1/image_prompt_templates'])("the platform's %s", (path) => {
  const as = administrator.token
  const body = { name: 'For all', ...(path.includes('image') && { prompt: 'a shoe' }) }

  test('are written by its administrators, and found by every store once they are published', async () => {
    const { data: draft } = await ok('POST', path, { as, body })
    expect(draft).toMatchObject({ storeId: null, published: false })
    for (const credential of [mine.key, mine.owner.token]) {
      const list = `${path}?limit=100&storeId=${mine.storeId}`
      expect(outcome(await call('GET', `${path}/${draft.id}`, { as: credential }))).toBe('404 not_found')
      expect(JSON.stringify((await ok('GET', list, { as: credential })).data)).not.toContain(draft.id)
      expect(outcome(await call('PATCH', `${path}/${draft.id}`, { as: credential, body: { published: true } }))).toBe('404 not_found')
    }
    const { data: published } = await ok('PATCH', `${path}/${draft.id}`, { as, body: { published: true } })
    for (const [credential, list] of [
      [mine.key, path],
      [theirs.owner.token, path],
      [theirs.owner.token, `${path}?storeId=${theirs.storeId}`],
      [as, path],
    ] as const) {
      expect((await ok('GET', `${path}/${draft.id}`, { as: credential })).data).toEqual(published)
      expect((await ok('GET', list, { as: credential })).data.map(({ id }: { id: string }) => id)).toContain(draft.id)
    }
    for (const method of ['PUT', 'PATCH', 'DELETE'])
      expect(outcome(await call(method, `${path}/${draft.id}`, { as: mine.key, ...(method !== 'DELETE' && { body }) }))).toBe(
        '403 forbidden',
      )
    expect(outcome(await call('POST', path, { as: mine.owner.token, body }))).toBe('403 forbidden')
    expect(outcome(await call('GET', path, {}))).toBe('401 unauthenticated')
    expect((await call('DELETE', `${path}/${draft.id}`, { as })).status).toBe(204)
  })

  test("a store's published one is no other store's", async () => {
    const { data: own } = await ok('POST', path, { as: mine.key, body: { ...body, storeId: mine.storeId, published: true } })
    expect(outcome(await call('GET', `${path}/${own.id}`, { as: theirs.key }))).toBe('404 not_found')
    expect(JSON.stringify((await ok('GET', `${path}?limit=100`, { as: theirs.key })).data)).not.toContain(own.id)
  })
})
