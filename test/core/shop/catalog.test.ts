import { describe, expect, test } from 'bun:test'
import { orderWeightOf } from '../../../core/orders/pricing/weight.queries.ts'
import { startApp } from '../../support/app.ts'

const { call, ok, shop, person, context } = await startApp()
const mine = await shop({ settings: { deliveryPrices: { home: 500 } } })
const theirs = await shop()
const { storeId, key } = mine
const body = (change: object) => ({ storeId, name: 'Basket', price: 6500, ...change })
const create = async (change: object = {}) => (await ok('POST', '/v1/products', { as: key, body: body(change) })).data
const refused = async (change: object) => {
  const { status, body: answer } = await call('POST', '/v1/products', { as: key, body: body(change) })
  return [status, answer.error?.code, answer.error?.details?.[0]?.path]
}
const patch = (id: string, change: object) => call('PATCH', `/v1/products/${id}`, { as: key, body: change })
const order = (items: object[], more: object = {}) =>
  call('POST', '/v1/orders', {
    as: key,
    body: {
      storeId,
      customer: { name: 'Amina', phone: '0550123456' },
      destination: { country: 'DZ', stateCode: '16', cityName: 'El Biar', address: '', deliveryType: 'home' },
      items,
      ...more,
    },
  })
const sizes = { options: [{ name: 'Size', values: ['S', 'M'] }] }

describe('a product', () => {
  test('has all that a storefront shows, and what it costs', async () => {
    const category = (await ok('POST', '/v1/categories', { as: key, body: { storeId, name: 'Bags', slug: 'bags' } })).data
    const full = {
      name: 'Sac à main',
      description: '<p>cuir</p>',
      sku: 'SAC',
      compareAtPrice: 7000,
      cost: 4000.5,
      weightKg: 0.75,
      categoryId: category.id,
      tags: ['cuir', 'été'],
      vendor: 'Atelier',
      seo: { title: 'Sac' },
      ...sizes,
      variants: [
        { options: { Size: 'S' }, sku: 'SAC-S', price: 6000, compareAtPrice: 6500, cost: 3500, weightKg: 0.5, initialStock: 3 },
        { options: { Size: 'M' }, media: [{ url: 'https://cdn.example/m.jpg', alt: 'M' }, { url: '/v1/files/fil_1/content' }] },
      ],
      media: [{ url: 'https://cdn.example/a.mp4', kind: 'video' }],
      tiers: [
        { from: 3, price: 5500 },
        { from: 2, price: 5900 },
      ],
      shipping: { home: 300, byState: { '31': { home: 0 } } },
      metadata: { own: 1 },
    }
    const made = await create(full)
    expect(made).toMatchObject({
      slug: 'sac-a-main',
      cost: 4000.5,
      seo: { title: 'Sac', description: '' },
      tiers: [{ from: 2 }, { from: 3 }],
      media: [{ alt: '', kind: 'video' }],
      variants: [
        { name: 'S', cost: 3500, inventoryKey: 'SAC-S', stock: { available: 3 } },
        { name: 'M', price: null, stock: { available: 0 } },
      ],
      stock: { onHand: 3, available: 3 },
      inStock: true,
    })
    expect((await ok('GET', `/v1/products/${made.id}`, { as: key })).data).toEqual(made)
    const again = await create({ name: 'Sac à main' })
    expect(again.slug).toMatch(/^sac-a-main-\w{8}$/)
    expect((await create({ name: 'حقيبة' })).slug).toMatch(/^p-\w{8}$/)
    expect((await call('DELETE', `/v1/categories/${category.id}`, { as: key })).status).toBe(204)
    expect((await ok('GET', `/v1/products/${made.id}`, { as: key })).data.categoryId).toBeNull()
  })

  test('is refused where it contradicts itself, or names what the store does not have', async () => {
    const foreign = (await ok('POST', '/v1/products', { as: theirs.key, body: { storeId: theirs.storeId, name: 'Cap', price: 1 } })).data
    const own = await create({ ...sizes, variants: [{ options: { Size: 'S' } }] })
    const bundle = (productId: string, more: object = {}) => ({
      bundles: [{ name: 'Duo', price: 1, items: [{ productId, quantity: 1, ...more }] }],
    })
    const asked = [
      await refused({ price: 1.005 }),
      await refused({ cost: -1 }),
      await refused({ categoryId: 'cat_none' }),
      await refused({ ...sizes, variants: [{ options: { Size: 'XL' } }] }),
      await refused({ ...sizes, variants: [{ options: { Size: 'S' } }, { options: { Size: 'S' } }] }),
      await refused({ variants: [{ price: 1 }] }),
      await refused({ variants: [{ name: 'a' }], initialStock: 1 }),
      await refused({
        tiers: [
          { from: 2, price: 1 },
          { from: 2, price: 2 },
        ],
      }),
      await refused({ shipping: { byState: { '16': { home: 1.001 } } } }),
      await refused({ shipping: { byState: { '99': { home: 1 } } } }),
      await refused(bundle(foreign.id)),
      await refused(bundle(own.id)),
      await refused(bundle(own.id, { variantId: 'var_none' })),
      await refused({ media: [{ url: 'http://cdn.example/a.jpg' }] }),
      await refused({ options: Array.from({ length: 4 }, (_, at) => ({ name: `o${at}`, values: ['x'] })) }),
      await refused({ slug: own.slug }),
    ]
    expect(asked).toEqual([
      [400, 'invalid_request', '/body/price'],
      [400, 'invalid_request', '/body/cost'],
      [404, 'not_found', undefined],
      [400, 'invalid_request', '/body/variants/0/options'],
      [400, 'invalid_request', '/body/variants/1/options'],
      [400, 'invalid_request', '/body/variants/0/name'],
      [400, 'invalid_request', '/body/initialStock'],
      [400, 'invalid_request', '/body/tiers'],
      [400, 'invalid_request', '/body/shipping/byState/16/home'],
      [400, 'invalid_request', '/body/shipping/byState/99'],
      [404, 'not_found', undefined],
      [400, 'invalid_request', '/body/bundles/0/items/0/variantId'],
      [400, 'invalid_request', '/body/bundles/0/items/0/variantId'],
      [400, 'invalid_request', '/body/media/0/url'],
      [400, 'invalid_request', '/body/options'],
      [409, 'slug_taken', undefined],
    ])
  })

  test('is changed by several at once: what is of different fields all stands, and of one slug there is one', async () => {
    const { id } = await create({ name: 'Montre' })
    const changes = [{ price: 1 }, { tags: ['x'] }, { vendor: 'V' }, { cost: 2 }, { sku: 'M-1' }, { variants: [{ name: 'v', sku: 'M-V' }] }]
    expect((await Promise.all(changes.map((change) => patch(id, change)))).map(({ status }) => status)).toEqual(changes.map(() => 200))
    expect((await ok('GET', `/v1/products/${id}`, { as: key })).data).toMatchObject({
      price: 1,
      tags: ['x'],
      vendor: 'V',
      cost: 2,
      sku: 'M-1',
      variants: [{ sku: 'M-V' }],
    })
    expect((await ok('GET', '/v1/products?sku=M-V', { as: key })).data).toMatchObject([{ id }])
    const alike = await Promise.all(Array.from({ length: 6 }, () => create({ name: 'Double' })))
    expect(new Set(alike.map(({ slug }) => slug)).size).toBe(6)
    const same = await Promise.all(
      Array.from({ length: 6 }, () =>
        call('POST', '/v1/products', { as: key, body: body({ sku: 'RACE', variants: [{ name: 'v', sku: 'RACE-V' }] }) }),
      ),
    )
    expect(same.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409, 409])
  })

  test('keeps the ledger keys of variants that are gone: what comes after them is counted apart', async () => {
    const { id } = await create({ variants: [{ name: 'old', sku: 'KEEP', initialStock: 9 }] })
    expect((await patch(id, { variants: [{ name: 'new' }] })).status).toBe(200)
    const { variants } = await create({ variants: [{ name: 'other', sku: 'KEEP', initialStock: 1 }] })
    expect(variants[0].inventoryKey).toBe(variants[0].id)
    expect(variants[0].stock.onHand).toBe(1)
  })
})

describe('to anybody', () => {
  test('a store shows what is active, nothing of what it cost, and of its stock what it will', async () => {
    const shown = await create({ name: 'Lampe', cost: 10, sku: 'LAMP', metadata: { secret: 1 }, initialStock: 4 })
    const counted = await create({ name: 'Lampe 2', showStock: true, variants: [{ name: 'a', cost: 1, initialStock: 2 }, { name: 'b' }] })
    const draft = await create({ name: 'Lampe 3', status: 'draft' })
    const stranger = await person()
    for (const as of [undefined, stranger.token]) {
      const { data } = await ok('GET', `/v1/products?storeId=${storeId}&q=lampe`, as === undefined ? {} : { as })
      expect(data.map(({ id }: { id: string }) => id)).toEqual([counted.id, shown.id])
      expect(data).toMatchObject([
        {
          available: 2,
          variants: [
            { inStock: true, available: 2 },
            { inStock: false, available: 0 },
          ],
        },
        { inStock: true, available: null },
      ])
      const text = JSON.stringify(data)
      for (const kept of ['cost', 'metadata', 'inventoryKey', 'onHand', 'stockKeeping', 'status']) expect(text).not.toContain(`"${kept}"`)
    }
    expect((await call('GET', `/v1/products/${draft.id}`)).status).toBe(404)
    expect((await ok('GET', `/v1/products?storeId=${storeId}&status=draft`)).data).toEqual([])
    expect((await ok('GET', `/v1/products/${shown.id}`)).data).toMatchObject({ name: 'Lampe', currencyCode: 'DZD' })
    expect((await call('GET', `/v1/products/${shown.id}`, { as: theirs.key })).status).toBe(404)
    expect((await call('GET', '/v1/products')).status).toBe(400)
    expect((await call('GET', '/v1/products?storeId=sto_none')).status).toBe(404)
  })

  test('who has the same already is told so, and others may keep it for a while', async () => {
    const { id } = await create({ name: 'Tag' })
    const path = `/v1/products/${id}`
    const { headers } = await call('GET', path)
    const etag = headers.get('etag')!
    expect(headers.get('cache-control')).toBe('public, max-age=30')
    const same = await call('GET', path, { headers: { 'if-none-match': `"x", ${etag}` } })
    expect([same.status, same.body, same.headers.get('etag')]).toEqual([304, '', etag])
    await patch(id, { price: 2 })
    expect((await call('GET', path, { headers: { 'if-none-match': etag } })).status).toBe(200)
    expect((await call('GET', path, { as: key })).headers.get('cache-control')).toBe('private, no-cache')
    expect((await call('GET', `/v1/products?storeId=${storeId}&q=tag`)).headers.get('etag')).toStartWith('W/"')
  })
})

describe('a list', () => {
  test('is found as one types, in French and Arabic', async () => {
    const fresh = await shop()
    const names = ['Écharpe d’été', 'Thé à la menthe', 'أحذية رياضيّة', 'مكتبـــة خشبية', 'Chaussure été ÉLÉGANTE']
    for (const [at, name] of names.entries())
      await ok('POST', '/v1/products', {
        as: fresh.key,
        body: { storeId: fresh.storeId, name, price: 1, sku: `R-${at}`, tags: at === 1 ? ['Boisson'] : [] },
      })
    const found = async (q: string) =>
      (await ok('GET', `/v1/products?${new URLSearchParams({ q, storeId: fresh.storeId })}`)).data
        .map(({ name }: { name: string }) => names.indexOf(name))
        .toSorted()
    const cases: [string, number[]][] = [
      ['ete', [0, 4]],
      ['ETE élég', [4]],
      ['th', [1]],
      ['the men', [1]],
      ['harpe', [0]],
      ['احذيه', [2]],
      ['رياضية', [2]],
      ['مكتبه', [3]],
      ['خ', [3]],
      ['r-4', [4]],
      ['boisson', [1]],
      ['%', []],
      ['zzz', []],
    ]
    for (const [q, at] of cases) expect([q, await found(q)]).toEqual([q, at])
  })

  test('is filtered by what shoppers ask, and sorted', async () => {
    const fresh = await shop()
    const make = async (name: string, more: object) =>
      (await ok('POST', '/v1/products', { as: fresh.key, body: { storeId: fresh.storeId, name, ...more } })).data
    await make('a', { price: 10, tags: ['red', 'new'], vendor: 'X', initialStock: 1 })
    await make('b', { price: 20, tags: ['red'], initialStock: 0 })
    await make('c', { price: 30, variants: [{ name: 'v', initialStock: 2 }] })
    await make('d', { price: 40, slug: 'dee', status: 'archived' })
    const found = async (query: string) =>
      (await ok('GET', `/v1/products?${query}`, { as: fresh.key })).data.map(({ name }: { name: string }) => name).join('')
    const cases: [string, string][] = [
      ['sort=name', 'abcd'],
      ['sort=-price', 'dcba'],
      ['tag=red', 'ba'],
      ['tag=red&filter[tag]=red&vendor=X', 'a'],
      ['minPrice=20&maxPrice=30&sort=price', 'bc'],
      ['inStock=true&sort=name', 'acd'],
      ['inStock=false', 'b'],
      ['slug=dee', 'd'],
      ['status=active&sort=name', 'abc'],
    ]
    for (const [query, names] of cases) expect([query, await found(query)]).toEqual([query, names])
    const first = await ok('GET', '/v1/products?sort=price&limit=3', { as: fresh.key })
    expect((await ok('GET', `/v1/products?sort=price&limit=3&cursor=${first.nextCursor}`, { as: fresh.key })).data).toMatchObject([
      { name: 'd' },
    ])
    expect((await call('GET', '/v1/products?minPrice=x', { as: fresh.key })).status).toBe(400)
    const drawn = (await ok('GET', `/v1/products/random?storeId=${fresh.storeId}&limit=10`)).data
    expect(drawn.map(({ name }: { name: string }) => name).toSorted()).toEqual(['a', 'b', 'c'])
    const one = await Promise.all(Array.from({ length: 30 }, () => ok('GET', `/v1/products/random?storeId=${fresh.storeId}&limit=1`)))
    expect(new Set(one.map(({ data }) => data[0].name)).size).toBeGreaterThan(1)
  })
})

describe('an order', () => {
  test('takes tiers and bundles as the catalogue says, whatever the client would like', async () => {
    const cup = await create({ name: 'Cup', price: 100, tiers: [{ from: 2, price: 80 }], shipping: { home: 50 }, initialStock: 10 })
    const pot = await create({ name: 'Pot', price: 300, shipping: { home: 0 }, cost: 120, initialStock: 10 })
    const { data: withSet } = await ok('PATCH', `/v1/products/${pot.id}`, {
      as: key,
      body: { bundles: [{ name: 'Tea', price: 333.34, items: [{ productId: cup.id, quantity: 3 }] }] },
    })
    const [set] = withSet.bundles
    const { status, body: answer } = await order([
      { productId: cup.id, quantity: 2 },
      { productId: pot.id, offerId: set.id, quantity: 2 },
    ])
    expect(status).toBe(201)
    expect(answer.data.totals).toEqual({ subtotal: 826.68, delivery: 50, discount: 0, total: 876.68 })
    expect(answer.data.items.map(({ name, quantity, offerId }: Record<string, unknown>) => [name, quantity, offerId])).toEqual([
      ['Cup', 2, null],
      ['Pot', 2, set.id],
      ['Cup', 2, set.id],
      ['Cup', 4, set.id],
    ])
    expect((await ok('GET', `/v1/products/${cup.id}`, { as: key })).data.stock).toMatchObject({ onHand: 10, reserved: 8 })
    expect((await ok('GET', `/v1/orders/${answer.data.id}`, { as: key })).data).toMatchObject(answer.data)
    const [line] = await context.sql`select unit_cost from order_items where order_id = ${answer.data.id} and product_id = ${pot.id}`
    expect(Number(line!.unitCost)).toBe(120)
    expect((await order([{ productId: cup.id, quantity: 1, price: 1 }])).status).toBe(400)
    expect((await order([{ productId: pot.id, offerId: set.id, quantity: 1 }])).body.error.code).toBe('reserved_stock_conflict')
    // The same bundle keeps its id through changes, and is gone when it is left out.
    const kept = await ok('PATCH', `/v1/products/${pot.id}`, { as: key, body: { bundles: [{ ...set, price: 10 }] } })
    expect(kept.data.bundles).toEqual([{ ...set, price: 10 }])
    await patch(pot.id, { bundles: [] })
    expect((await order([{ productId: pot.id, offerId: set.id, quantity: 1 }])).body.error).toMatchObject({ code: 'product_unavailable' })
  })

  test('that goes elsewhere pays for delivery what its products cost there', async () => {
    const { id } = await create({ name: 'Chair', price: 100, shipping: { home: 70, byState: { '31': { home: 90 } } } })
    const { data } = (await order([{ productId: id, quantity: 1 }])).body
    const moved = await ok('PATCH', `/v1/orders/${data.id}`, { as: key, body: { destination: { stateCode: '31', cityName: 'Oran' } } })
    expect([data.totals.delivery, moved.data.totals]).toEqual([70, { subtotal: 100, delivery: 90, discount: 0, total: 190 }])
  })
})

test('what an order weighs is what its variants weigh', async () => {
  const { id, variants } = await create({ weightKg: 2, variants: [{ name: 'light', weightKg: 0.5 }, { name: 'plain' }] })
  const items = variants.map((variant: { id: string }) => ({ productId: id, variantId: variant.id, quantity: 2 }))
  const { data } = (await order(items)).body
  expect(await orderWeightOf(context.sql, storeId, data.id)).toBe(5)
})
