import { describe, expect, test } from 'bun:test'
import { parse } from 'csv-parse/sync'
import { projectIdOf } from '../../../core/data/project-ids.ts'
import { transaction } from '../../../core/data/sql.ts'
import { changeProduct } from '../../../core/shop/catalog/products.ts'
import { findStore } from '../../../core/shop/stores/stores.queries.ts'
import { startApp } from '../../support/app.ts'
import { untilValue } from '../../support/until.ts'
import { untilWaiting } from '../../support/waiting.ts'

const { call, ok, shop, handle, context } = await startApp()
const { storeId, key } = await shop()
const theirs = await shop()

async function upload(csv: string | Uint8Array, { as = key, to = storeId, headers = {} } = {}) {
  const form = new FormData()
  form.set('file', new File([typeof csv === 'string' ? csv : csv.slice()], 'products.csv'))
  const answer = await handle(
    new Request(`http://localhost/v1/products/import?storeId=${to}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${as}`, ...headers },
      body: form,
    }),
  )
  // biome-ignore lint/suspicious/noExplicitAny: a test reads shapes that it then asserts
  return { status: answer.status, body: (await answer.json()) as any, headers: answer.headers }
}
const rowsOf = async (id: string, query = '') =>
  (await ok('GET', `/v1/products/imports/${id}/rows?limit=100&sort=x`.replace('&sort=x', query), { as: key })).data
async function exported(as = key, of = storeId): Promise<string> {
  const answer = await handle(
    new Request(`http://localhost/v1/products/export?storeId=${of}`, { headers: { authorization: `Bearer ${as}` } }),
  )
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
  return answer.text()
}
const bySku = async (sku: string) => (await ok('GET', `/v1/products?sku=${encodeURIComponent(sku)}`, { as: key })).data[0]

describe('a sheet', () => {
  test('makes and changes products row by row, and says of each what became of it', async () => {
    await ok('POST', '/v1/categories', { as: key, body: { storeId, name: 'Shoes', slug: 'shoes' } })
    const csv = [
      'SKU;Name;Price;Compare At Price;Stock;Category;Tags;Slug;Options;Description',
      'A-1;Basket;1 500,50;2000;4;shoes;red|new;basket;;"a; b"',
      'A-2;Cap;900;;;;;;;',
      'A-3;Bad;-5;;;;;;;',
      'A-4;;10;;;;;;;',
      'A-5;Lost;10;;;nowhere;;;;',
      'B-S;;1600;;2;;;basket;Size=S;',
      'B-M;;;;;;;basket;Size=M;',
      'B-X;;5;;;;;none;Size=S;',
    ].join('\r\n')
    const { status, body } = await upload(csv)
    expect([status, body.data]).toMatchObject([201, { status: 'completed', total: 8, created: 4, updated: 0, failed: 4 }])
    const rows = (await rowsOf(body.data.id)).toReversed()
    expect(
      rows.map(({ row, status, error }: { row: number; status: string; error: { code: string } | null }) => [
        row,
        status,
        error?.code ?? null,
      ]),
    ).toEqual([
      [1, 'created', null],
      [2, 'created', null],
      [3, 'failed', 'invalid_request'],
      [4, 'failed', 'invalid_request'],
      [5, 'failed', 'not_found'],
      [6, 'created', null],
      [7, 'created', null],
      [8, 'failed', 'invalid_request'],
    ])
    expect(await rowsOf(body.data.id, '&status=failed')).toHaveLength(4)
    expect(await bySku('A-1')).toMatchObject({
      price: 1500.5,
      compareAtPrice: 2000,
      tags: ['red', 'new'],
      description: 'a; b',
      options: [{ name: 'Size', values: ['S', 'M'] }],
      variants: [
        { name: 'S', sku: 'B-S', price: 1600, stock: { onHand: 2 } },
        { name: 'M', price: null },
      ],
    })
    const again = await upload('sku,price,stock\nA-1,1,\nB-S,7,99\n')
    expect(again.body.data).toMatchObject({ created: 0, updated: 2, failed: 0 })
    expect(await bySku('B-S')).toMatchObject({ price: 1, tags: ['red', 'new'], variants: [{ price: 7, stock: { onHand: 99 } }, {}] })
    const ofAll = await upload('sku,stock\nA-1,5\n')
    expect(await rowsOf(ofAll.body.data.id)).toMatchObject([{ status: 'failed', error: { code: 'invalid_request' } }])
    expect((await call('GET', `/v1/products/imports/${body.data.id}`, { as: theirs.key })).status).toBe(404)
  })

  test('that cannot be read is refused whole', async () => {
    const cases: [string | Uint8Array, number, string][] = [
      ['', 400, 'invalid_request'],
      ['sku,price', 422, 'sheet_unreadable'],
      ['sku,colour\na,b', 422, 'sheet_columns_unknown'],
      ['price\n1', 422, 'sheet_columns_unknown'],
      ['sku,sku\n1,2', 422, 'sheet_columns_unknown'],
      ['sku,name\n"a,b', 422, 'sheet_unreadable'],
      [new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1]), 422, 'sheet_unreadable'],
      ['<html><table><tr><td>sku</td></tr></table></html>', 422, 'sheet_unreadable'],
      [`sku\n${'x\n'.repeat(20_001)}`, 422, 'sheet_unreadable'],
    ]
    for (const [csv, status, code] of cases) {
      const answer = await upload(csv)
      expect([answer.status, answer.body.error?.code]).toEqual([status, code])
    }
    expect((await call('POST', `/v1/products/import?storeId=${storeId}`, { as: key, body: {} })).status).toBe(415)
    expect((await upload('sku\na', { to: theirs.storeId })).status).toBe(404)
  })

  test('of many rows is worked on behind the answer, once for one key', async () => {
    const csv = `sku,name,price\n${Array.from({ length: 205 }, (_, at) => `M-${at},Many ${at},${at}`).join('\n')}`
    const headers = { 'idempotency-key': 'sheet-1' }
    const first = await upload(csv, { headers })
    expect([first.status, first.body.data.status]).toEqual([202, 'processing'])
    const same = await upload(csv, { headers })
    expect(same.body.data.id).toBe(first.body.data.id)
    const read = async () => (await ok('GET', `/v1/products/imports/${first.body.data.id}`, { as: key })).data
    expect(await untilValue(read, ({ status }) => status === 'completed')).toMatchObject({
      status: 'completed',
      created: 205,
      failed: 0,
    })
  })
})

describe('the stock of a sheet', () => {
  const sheet = 'slug,sku,name,options,price,stock\nshirt,SH,Shirt,,100,\nshirt,SH-S,,Size=S,,3\nshirt,SH-M,,Size=M,,0\n'
  const stockBy = (quantity: number) =>
    call('POST', '/v1/inventory/reservations', {
      as: key,
      body: { legs: [{ namespace: 'main', key: 'SH-S', quantity }] },
    })

  test('is kept of a product whose variants come after it', async () => {
    expect((await upload(sheet)).body.data).toMatchObject({ created: 3, failed: 0 })
    const { id, variants, stockKeeping } = await bySku('SH')
    expect([stockKeeping, variants.map(({ stock }: { stock: { onHand: number } }) => stock.onHand)]).toEqual([true, [3, 0]])
    const order = {
      storeId,
      customer: { name: 'Q', phone: '0799119933' },
      destination: { country: 'DZ', stateCode: '16', cityName: 'Alger Centre', address: 'rue x', deliveryType: 'home' },
      items: [{ productId: id, variantId: variants[0].id, quantity: 10 }],
    }
    expect((await call('POST', '/v1/orders', { as: key, body: order })).body.error?.code).toBe('reserved_stock_conflict')
  })

  test('is counted anew where there is some, once for one sheet, and never below what is reserved', async () => {
    const count = 'sku,stock\nSH-S,8\n'
    for (const _ of [1, 2]) expect((await upload(count)).body.data).toMatchObject({ updated: 1, failed: 0 })
    const moves = await context.sql`select quantity::float8 as quantity from inventory_movements where key = 'SH-S' order by created_at`
    expect(moves.map(({ quantity }) => quantity)).toEqual([3, 5])
    expect((await stockBy(6)).status).toBe(201)
    const refused = await upload('sku,stock\nSH-S,5\n')
    const [row] = await rowsOf(refused.body.data.id)
    expect(row).toMatchObject({ status: 'failed', error: { code: 'reserved_stock_conflict' } })
    expect(row.error.message).toContain('6 of it are reserved')
    expect((await upload('sku,stock\nSH-S,6\n')).body.data).toMatchObject({ updated: 1 })
    expect((await bySku('SH')).variants[0].stock).toMatchObject({ onHand: 6, reserved: 6 })
  })

  test('is exported as what is on hand, so that a sheet that comes back changes nothing', async () => {
    const rows = parse(await exported(), { bom: true, columns: true }) as Record<string, string>[]
    expect(rows.find(({ sku }) => sku === 'SH-S')).toMatchObject({ stock: '6' })
  })
})

test('prices by number and of delivery, yes and no: what a row does not name stays, and what cannot be read is told', async () => {
  await upload('sku,name,price,shippingHome,shippingByState,tiers,stockKeeping\nDEL,Del,100,400,16=300,"3=90,5",oui\n')
  expect(await bySku('DEL')).toMatchObject({
    shipping: { home: 400, byState: { '16': { home: 300 } } },
    tiers: [{ from: 3, price: 90.5 }],
    stockKeeping: true,
  })
  await upload('sku,shippingPickup,stockKeeping\nDEL,0,no\n')
  expect(await bySku('DEL')).toMatchObject({ shipping: { home: 400, pickup: 0, byState: { '16': { home: 300 } } }, stockKeeping: false })
  for (const [column, cell, at] of [
    ['tiers', '3:90', 'tiers: '],
    ['tiers', '3=90|3=80', 'tiers: '],
    ['shippingByState', '16', 'shippingByState: '],
    ['shippingByState', '99=1', 'shipping.byState.99: '],
    ['shippingHome', '-1', 'shippingHome: '],
    ['stockKeeping', 'maybe', 'stockKeeping: '],
    ['metadata', '{', 'metadata: '],
    ['metadata', '7', 'metadata: '],
  ] as const) {
    const { body } = await upload(`sku;${column}\nDEL;${cell}\n`)
    const [row] = await rowsOf(body.data.id)
    expect([cell, row.status, row.error?.message]).toEqual([cell, 'failed', expect.stringContaining(at)])
  }
})

test('two sheets of the same new things at once make each of them once', async () => {
  const sheet = `slug,sku,name,price\n${Array.from({ length: 60 }, (_, at) => `twin-${at},TWIN-${at},Twin ${at},5`).join('\n')}`
  const both = await Promise.all([upload(sheet), upload(sheet)])
  const counts = both.map(({ body }) => body.data)
  expect(counts.map(({ failed }) => failed)).toEqual([0, 0])
  expect(counts.reduce((sum, { created }) => sum + created, 0)).toBe(60)
})

test('a sheet that comes back unchanged changes nothing: neither what has no sku, nor what has a mark in it', async () => {
  const own = await shop()
  const make = async (body: object) =>
    (await ok('POST', '/v1/products', { as: own.key, body: { storeId: own.storeId, price: 10, ...body } })).data.id as string
  const url = 'https://example.dz/1|2.jpg'
  const ids = [
    await make({ name: 'Plain', tags: ['a|b', 'c\\|d', 'e\\', 'f\\g'], variants: [{ name: 'One', price: 5 }, { name: 'Two' }] }),
    await make({ name: 'Marked', options: [{ name: 'Size', values: ['S|M'] }], variants: [{ options: { Size: 'S|M' } }] }),
    await make({ name: 'Shown', media: [{ url, alt: 'front|back' }, { url: 'https://example.dz/3.jpg' }] }),
  ]
  const kept = (as = own.key, of = ids) =>
    Promise.all(
      of.map(async (id) => {
        const { updatedAt: _, ...product } = (await ok('GET', `/v1/products/${id}`, { as })).data
        return product
      }),
    )
  const before = await kept()
  const csv = await exported(own.key, own.storeId)
  expect((await upload(csv, { as: own.key, to: own.storeId })).body.data).toMatchObject({ created: 0, updated: 6, failed: 0 })
  expect(await kept()).toEqual(before)
  // Named by its id, a variant gets a sku and another name.
  const [plain] = before
  const rows = `slug,variant,sku,name\n${plain.slug},${plain.variants[1].id},TWO,Second\n`
  expect((await upload(rows, { as: own.key, to: own.storeId })).body.data).toMatchObject({ updated: 1 })
  const [named] = await kept()
  expect(named).toMatchObject({ name: 'Plain', sku: null, variants: [{ name: 'One' }, { name: 'Second', sku: 'TWO' }] })
  // Elsewhere nobody knows these ids: there the variants are made.
  const copy = await shop()
  expect((await upload(csv, { as: copy.key, to: copy.storeId })).body.data).toMatchObject({ created: 6, failed: 0 })
  const { data } = await ok('GET', '/v1/products?q=plain', { as: copy.key })
  expect(data).toMatchObject([{ tags: plain.tags, variants: [{ name: 'One', price: 5 }, { name: 'Two' }] }])
})

test('an export holds every product, is safe in a spreadsheet, and comes back as it was', async () => {
  const make = (body: object) => ok('POST', '/v1/products', { as: key, body: { storeId, price: 1, ...body } })
  await make({ name: '=cmd()', sku: '+1', description: '@x "quoted"\nline', tags: ['-t'], vendor: "'tis", cost: 0.5, stockKeeping: true })
  await make({
    name: 'سروال',
    sku: 'AR',
    variants: [{ name: 'v', sku: '-v', options: { Size: 'L' } }],
    options: [{ name: 'Size', values: ['L'] }],
  })
  const whole = {
    tiers: [
      { from: 3, price: 0.9 },
      { from: 10, price: 0.5 },
    ],
    shipping: { home: 400, pickup: 0, byState: { '16': { home: 300, pickup: 200 }, '31': { pickup: 250 }, '09': { home: 0 } } },
    metadata: { supplier: { name: 'Atlas, "Sétif"' }, codes: [1, 2] },
    showStock: true,
    media: [
      { url: 'https://example.dz/1.jpg', alt: '', kind: 'image' },
      { url: 'https://example.dz/2.jpg', alt: 'From the side', kind: 'image' },
    ],
  }
  await make({ name: 'Whole', sku: 'WHOLE', ...whole })
  const csv = await exported()
  const rows = parse(csv, { bom: true, columns: true }) as Record<string, string>[]
  expect(rows.find(({ sku }) => sku === 'WHOLE')).toMatchObject({
    tiers: '3=0.9|10=0.5',
    shippingHome: '400',
    shippingByState: '16=300/200|31=/250|09=0',
    imageTexts: '|From the side',
    showStock: 'yes',
  })
  const [{ all }] =
    (await context.sql`select count(*)::int as all from products where project_id = ${projectIdOf(storeId)}`) as unknown as [
      { all: number },
    ]
  expect(rows.filter(({ variant }) => variant === '')).toHaveLength(all)
  expect(
    Object.values(rows)
      .flatMap(Object.values)
      .filter((cell) => /^[=+\-@\t\r]/.test(cell as string)),
  ).toEqual([])
  expect(rows.find(({ sku }) => sku === "'+1")).toMatchObject({
    name: "'=cmd()",
    description: `'@x "quoted"\nline`,
    tags: "'-t",
    vendor: "'tis",
    cost: '0.5',
    stock: '0',
  })
  const copied = await upload(csv, { as: theirs.key, to: theirs.storeId })
  for (let tries = 0; tries < 2_000; tries += 1) {
    if ((await ok('GET', `/v1/products/imports/${copied.body.data.id}`, { as: theirs.key })).data.status === 'completed') break
    await Bun.sleep(50)
  }
  const bare = (text: string) =>
    (parse(text, { bom: true, columns: true }) as Record<string, string>[])
      .map(({ stock: _, category: __, variant: ___, ...rest }) => rest)
      .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
  const theirCsv = await exported(theirs.key, theirs.storeId)
  const [copy] = (await ok('GET', '/v1/products?sku=WHOLE', { as: theirs.key })).data
  expect(copy).toMatchObject(whole)
  // Its categories are not the other store's: that row alone is refused there.
  expect(bare(theirCsv)).toEqual(bare(csv).filter(({ slug }) => slug !== 'basket'))
})

test('a row of a sheet and a change at once both stand', async () => {
  const made = { storeId, name: 'Scarf', sku: 'MEET', price: 10, shipping: { home: 5 }, variants: [{ name: 'Red', sku: 'MEET-R' }] }
  const { data: product } = await ok('POST', '/v1/products', { as: key, body: made })
  const store = (await findStore(context.sql, storeId))!
  const meanwhile = async (csv: string, change: Parameters<typeof changeProduct>[3]) => {
    const { row } = await transaction(context.sql, async (tx) => {
      await changeProduct(tx, store, product.id, change)
      const row = upload(csv)
      await Promise.race([row, untilWaiting(context.sql, 1)])
      return { row }
    })
    expect((await row).body.data).toMatchObject({ failed: 0 })
  }
  const [red] = product.variants
  await meanwhile('sku,price\nMEET-R,12\n', {
    variants: [
      { id: red.id, name: 'Red', sku: 'MEET-R' },
      { name: 'Blue', sku: 'MEET-B' },
    ],
  })
  await meanwhile('sku,shippingPickup\nMEET,3\n', { shipping: { home: 6 } })
  const after = await bySku('MEET')
  expect(after.variants.map(({ sku, price }: { sku: string; price: number | null }) => [sku, price])).toEqual([
    ['MEET-R', 12],
    ['MEET-B', null],
  ])
  expect(after.shipping).toEqual({ home: 6, pickup: 3 })
})
