import { describe, expect, test } from 'bun:test'
import { projectIdOf } from '../../../core/data/project-ids.ts'
import { startApp } from '../../support/app.ts'

const app = await startApp()
const { call, ok } = app
const shop = await app.shop({ name: 'Dar Salma', slug: 'dar-salma' })
const other = await app.shop()
const as = shop.owner.token
const productUrl = 'https://shop.example/p/{slug}?from=ads'
const picture = 'https://img.example/one,a.jpg'

const add = async (product: object) =>
  (await ok('POST', '/v1/products', { as, body: { storeId: shop.storeId, price: 1500, media: [{ url: picture }], ...product } })).data

const sandal = await add({
  name: '=HYPERLINK("https://evil.example")',
  slug: 'sandal',
  description: '<p>Soft,\n"light"</p>',
  compareAtPrice: 2000,
  media: [{ url: picture }, { url: 'https://img.example/two.jpg' }, { url: 'https://img.example/v.mp4', kind: 'video' }],
})
const robe = await add({
  name: 'Robe',
  slug: 'robe',
  vendor: 'Atelier',
  stockKeeping: true,
  options: [{ name: 'Size', values: ['S', 'M'] }],
  variants: [
    { name: 'S', options: { Size: 'S' }, price: 1800 },
    { name: 'M', options: { Size: 'M' }, initialStock: 3 },
  ],
})
await add({ name: 'A draft', slug: 'a-draft', status: 'draft' })
await add({ name: 'Unseen', slug: 'unseen', media: [] })

const make = (body: object, options: object = { as }) =>
  call('POST', '/v1/actions/generateCatalogCsv', { ...options, body: { storeId: shop.storeId, productUrl, ...body } })
const pathOf = (url: string) => url.slice(url.indexOf('/v1/'))
const lines = async (body: object): Promise<string[]> =>
  (await call('GET', pathOf((await make(body)).body.data.url))).body.split('\r\n').slice(0, -1)

describe('a catalogue', () => {
  test('says how many rows it has, and what it leaves out and why', async () => {
    const { data } = (await make({ platform: 'meta' })).body
    expect([data.rows, data.leftOut]).toEqual([
      2,
      [
        { reason: 'no_picture', count: 1 },
        { reason: 'not_active', count: 1 },
      ],
    ])
    expect((await make({ platform: 'meta', by: 'variant' })).body.data.rows).toBe(3)
  })

  test('has the columns and words of its platform, and a row for each product that is shown', async () => {
    const meta = await lines({ platform: 'meta' })
    expect(meta[0]).toBe(
      'id,title,description,availability,condition,price,sale_price,link,image_link,additional_image_link,brand,item_group_id,product_type',
    )
    expect(meta.slice(1)).toEqual([
      [
        sandal.id,
        `"'=HYPERLINK(""https://evil.example"")"`,
        '"Soft, ""light"""',
        'in stock,new,2000.00 DZD,1500.00 DZD,https://shop.example/p/sandal?from=ads',
        'https://img.example/one%2Ca.jpg,https://img.example/two.jpg,Dar Salma,,',
      ].join(','),
      `${robe.id},Robe,Robe,in stock,new,1500.00 DZD,,https://shop.example/p/robe?from=ads,https://img.example/one%2Ca.jpg,,Atelier,,`,
    ])
    expect((await lines({ platform: 'tiktok' }))[0]?.startsWith('sku_id,title,')).toBe(true)
  })

  test('by variants has the price and stock of each, held together by its product', async () => {
    const google = (await lines({ platform: 'google', by: 'variant' })).slice(2)
    const [small, medium] = robe.variants
    expect(google.map((row) => row.split(',').slice(0, 6))).toEqual([
      [small.id, 'Robe – S', 'Robe – S', 'out_of_stock', 'new', '1800.00 DZD'],
      [medium.id, 'Robe – M', 'Robe – M', 'in_stock', 'new', '1500.00 DZD'],
    ])
    expect(google.every((row) => row.endsWith(`,${robe.id},`))).toBe(true)
  })

  test('is readable with its link until a new link is made; the link itself is stored nowhere', async () => {
    const first = pathOf((await make({ platform: 'meta' })).body.data.url)
    const read = await call('GET', first)
    expect([read.status, read.headers.get('content-type'), read.headers.get('x-robots-tag')]).toEqual([
      200,
      'text/csv; charset=utf-8',
      'noindex',
    ])
    const token = new URL(first, 'http://x').searchParams.get('token') ?? ''
    expect(token.length).toBeGreaterThan(40)
    const [kept] = await app.context
      .sql`select to_jsonb(f)::text as text from catalog_feeds f where project_id = ${shop.projectId} and platform = 'meta'`
    expect(kept?.text).not.toContain(token)
    const second = pathOf((await make({ platform: 'meta' })).body.data.url)
    expect([(await call('GET', first)).status, (await call('GET', second)).status]).toEqual([404, 200])
    expect((await call('GET', '/v1/actions/downloadCatalogCsv?token=cat_guess')).status).toBe(404)
    expect((await call('GET', '/v1/actions/downloadCatalogCsv')).status).toBe(400)
  })

  test('is made once under an Idempotency-Key, also by two at once', async () => {
    const options = { as, headers: { 'idempotency-key': 'a catalogue' } }
    const both = await Promise.all([make({ platform: 'tiktok' }, options), make({ platform: 'tiktok' }, options)])
    // A request that comes while the first one runs may be told so.
    expect(both.map(({ status }) => status).filter((status) => status !== 201 && status !== 409)).toEqual([])
    const again = await make({ platform: 'tiktok' }, options)
    const urls = [...both, again].flatMap(({ body }) => body.data?.url ?? [])
    expect([urls.length >= 2, new Set(urls).size]).toEqual([true, 1])
    expect((await call('GET', pathOf(urls[0]))).status).toBe(200)
  })

  test('is made by admins of the store, with an address that names the product', async () => {
    expect((await make({ platform: 'meta' }, {})).status).toBe(401)
    expect((await make({ platform: 'meta' }, { as: other.owner.token })).status).toBe(404)
    for (const wrong of ['http://shop.example/{slug}', 'https://shop.example/', 'javascript:{slug}'])
      expect((await make({ platform: 'meta', productUrl: wrong })).status).toBe(400)
    expect((await make({ platform: 'bing' })).status).toBe(400)
  })

  test('is read by a few at a time, and a reader that disconnects frees its place', async () => {
    const path = pathOf((await make({ platform: 'meta' })).body.data.url)
    const open = () => app.handle(new Request(`http://localhost${path}`))
    const [first, second] = [await open(), await open()]
    expect((await open()).status).toBe(503)
    await Promise.all([first.body?.cancel(), second.body?.cancel()])
    expect((await call('GET', path)).status).toBe(200)
  })

  test('leaves with its store', async () => {
    const gone = await app.shop()
    const body = { storeId: gone.storeId, platform: 'meta', productUrl }
    const { data } = await ok('POST', '/v1/actions/generateCatalogCsv', { as: gone.owner.token, body })
    await ok('DELETE', `/v1/stores/${gone.storeId}`, { as: gone.owner.token })
    expect((await call('GET', pathOf(data.url))).status).toBe(404)
    expect(await app.context.sql`select 1 from catalog_feeds where project_id = ${gone.projectId}`).toHaveLength(0)
  })
})

test('many products are streamed, with little of them in memory', async () => {
  const many = Number(process.env.CATALOG_PRODUCTS ?? 3_000)
  const large = await app.shop()
  await app.context
    .sql`insert into products (project_id, id, name, slug, description, status, price, media, inventory_key, stock_keys, search_text, stock_keeping)
    select ${projectIdOf(large.storeId)}, 'prd_' || lpad(n::text, 26, '0'), 'Product ' || n, 'product-' || n, repeat('A long description. ', 40), 'active', 1000 + n,
      '[{"url":"https://img.example/a.jpg","alt":"","kind":"image"}]'::jsonb, 'key-' || n, array['key-' || n], '', true from generate_series(1, ${many}) n`
  const body = { storeId: large.storeId, platform: 'google', productUrl }
  const { data } = await ok('POST', '/v1/actions/generateCatalogCsv', { as: large.owner.token, body })
  Bun.gc(true)
  const [began, before] = [performance.now(), process.memoryUsage().rss]
  const response = await app.handle(new Request(`http://localhost${pathOf(data.url)}`))
  let [rows, bytes, most] = [-1, 0, 0]
  for await (const chunk of response.body ?? []) {
    rows += Buffer.from(chunk).toString('latin1').split('\r\n').length - 1
    bytes += chunk.length
    most = Math.max(most, process.memoryUsage().rss - before)
  }
  if (process.env.CATALOG_PRODUCTS)
    console.log({ rows, bytes, ms: Math.round(performance.now() - began), mbMore: Math.round(most / 1024 / 1024) })
  expect(rows).toBe(many)
  expect(most).toBeLessThan(150 * 1024 * 1024)
})
