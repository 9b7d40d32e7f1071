import { describe, expect, test } from 'bun:test'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { DomainError } from '../../../core/lib/errors/domain-error.ts'
import { productForm } from '../../../core/shop/catalog/sheets/columns.ts'
import { parseSheet } from '../../../core/shop/imports/parse-sheet.ts'
import { columnFinder, foldHeading } from '../../../core/shop/imports/sheet-form.ts'
import { anyText } from '../../support/any-text.ts'
import { startApp } from '../../support/app.ts'
import { xlsx } from '../../support/cash.ts'
import { until } from '../../support/until.ts'

const { call, ok, shop, handle } = await startApp()
const { storeId, key } = await shop()

interface Given {
  readonly as?: string
  readonly to?: string
  readonly query?: string
  readonly fields?: Readonly<Record<string, string>>
}

async function upload(content: string | Uint8Array, { as = key, to = storeId, query = '', fields = {} }: Given = {}) {
  const form = new FormData()
  form.set('file', new File([typeof content === 'string' ? content : content.slice()], 'products'))
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  const answer = await handle(
    new Request(`http://localhost/v1/products/import?storeId=${to}${query}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${as}` },
      body: form,
    }),
  )
  // biome-ignore lint/suspicious/noExplicitAny: a test reads shapes that it then asserts
  return { status: answer.status, body: (await answer.json()) as any }
}
const rowsOf = async (id: string, as = key) => (await ok('GET', `/v1/products/imports/${id}/rows?limit=100`, { as })).data.toReversed()
/** The message of the one row that is refused. */
async function refusal(csv: string, given: Given = {}): Promise<string> {
  const { body } = await upload(csv, given)
  const failed = (await rowsOf(body.data.id, given.as)).filter(({ status }: { status: string }) => status === 'failed')
  expect(failed).toHaveLength(1)
  return failed[0].error.message
}
const bySku = async (sku: string, as = key) => (await ok('GET', `/v1/products?sku=${encodeURIComponent(sku)}`, { as })).data[0]
const inCurrency = async (currencyCode: string) => {
  const own = await shop({ currencyCode })
  return { as: own.key, to: own.storeId }
}

describe('product import: numbers', () => {
  test('amounts are read as the currency of the store is written, in every column that holds one', async () => {
    const csv = [
      'sku;name;price;compareAtPrice;cost;stock;weightKg;tiers;shippingHome;shippingPickup;shippingByState',
      'N-1;Basket;2,500;2.505;12 900,00 DA;1 200 pcs;0,125 kg;3=2.400|10=2,300;1,400;0;16=1.250/1,100',
      'N-2;Cap;2,50;;;;;;;;',
    ].join('\n')
    const { body } = await upload(csv)
    expect(await rowsOf(body.data.id)).toMatchObject([{ status: 'created' }, { status: 'created' }])
    expect(await bySku('N-1')).toMatchObject({
      price: 2500,
      compareAtPrice: 2505,
      cost: 12_900,
      weightKg: 0.125,
      stock: { onHand: 1200 },
      tiers: [
        { from: 3, price: 2400 },
        { from: 10, price: 2300 },
      ],
      shipping: { home: 1400, pickup: 0, byState: { '16': { home: 1250, pickup: 1100 } } },
    })
    expect(await bySku('N-2')).toMatchObject({ price: 2.5 })
  })

  test('three digits behind a mark are decimals in a currency that has them', async () => {
    const tunisian = await inCurrency('TND')
    const { body } = await upload('sku,name,price,cost\nT-1,Basket,"2,500",12.900 DT\n', tunisian)
    expect(body.data).toMatchObject({ created: 1 })
    expect(await bySku('T-1', tunisian.as)).toMatchObject({ price: 2.5, cost: 12.9 })
  })

  test('a number with two readings is refused with both, and one of another currency with its name', async () => {
    expect(await refusal('sku;name;price;stock\nA;A;1;2,500')).toBe(
      'stock: "2,500" can be read as 2500 and as 2.5. Write it without a thousands separator.',
    )
    expect(await refusal('sku;name;price\nA;A;1.234,567')).toContain('"1.234,567" can be read as 1234567 and as 1234.567')
    expect(await refusal('sku;name;price;weightKg\nA;A;1;1.250')).toContain('weightKg: "1.250" can be read as 1250 and as 1.25')
    expect(await refusal('sku;name;price;tiers\nA;A;1;3=1.234,567')).toContain('tiers: "1.234,567" can be read')
    expect(await refusal('sku;name;price;weightKg\nA;A;1;500 g')).toBe('weightKg: "500 g" is not a number that can be read.')
    expect(await refusal('sku;name;price\nA;A;2500 €')).toBe('price: "2500 €" is in another currency than DZD.')
    expect(await refusal('sku;name;price\nA;A;-5')).toBe('price: "-5" is not an amount in DZD.')
    expect(await refusal('sku;name;price\nA;A;2,5055')).toContain('decimals')
    expect(await refusal('sku;name;price\nX;A;25.000', await inCurrency('IQD'))).toContain('can be read as 25000 and as 25.')
  })

  test('an export writes three decimals so that they come back as they were', async () => {
    const own = await shop()
    const body = { storeId: own.storeId, name: 'Dates', sku: 'D', price: 10, weightKg: 1.125, stockKeeping: true, initialStock: 2.125 }
    await ok('POST', '/v1/products', { as: own.key, body })
    const exported = async () => {
      const answer = await handle(
        new Request(`http://localhost/v1/products/export?storeId=${own.storeId}`, { headers: { authorization: `Bearer ${own.key}` } }),
      )
      return answer.text()
    }
    const csv = await exported()
    expect(parse(csv, { bom: true, columns: true })).toMatchObject([{ weightKg: '1.1250', stock: '2.1250' }])
    expect((await upload(csv, { as: own.key, to: own.storeId })).body.data).toMatchObject({ updated: 1, failed: 0 })
    expect(await exported()).toBe(csv)
  })
})

test('product import: whatever bytes come, they are read or refused in our words', async () => {
  const whole = xlsx([
    ['sku', 'name', 'price'],
    ['A', 'One', 1],
  ])
  const damaged = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 }).map((changes) => {
    const copy = whole.slice()
    for (const [at, byte] of changes) copy[at] = byte
    return copy
  })
  const text = anyText(200).map((content) => new TextEncoder().encode(`sep=;\nsku;name;price\n${content}`))
  const anything = fc.oneof(damaged, fc.uint8Array({ maxLength: 200 }), text)
  const property = fc.asyncProperty(anything, fc.boolean(), async (file, ignoreUnknown) => {
    const outcome = await parseSheet(file, productForm, { ignoreUnknown }).catch((error) => error)
    if (!('rows' in outcome) && !(outcome instanceof DomainError)) throw outcome
  })
  await fc.assert(property, { seed: 20_261_127, numRuns: 500 })
}, 120_000)

describe('product import: barcodes', () => {
  test('a barcode that a spreadsheet has rounded is refused, and makes no product of several', async () => {
    const csv = 'Code-barres;Désignation;Prix\n6.13E+12;Un;1\n6,13E+12;Deux;2\n6130000000001;Trois;3\n'
    const { body } = await upload(csv)
    expect(body.data).toMatchObject({ created: 1, updated: 0, failed: 2 })
    const [first] = await rowsOf(body.data.id)
    expect(first).toMatchObject({
      row: 1,
      status: 'failed',
      error: { message: expect.stringContaining('sku: "6.13E+12" is a number that a spreadsheet has rounded') },
    })
    expect(await bySku('6.13E+12')).toBeUndefined()
  })

  test('an apostrophe that marks a text is no part of a number or a code, and stays in a name', async () => {
    const csv = "sku;name;price;stock\n'6130000000777;'s Morgens;'2 500;'4\n'AB-7;L'eau;1;1\n"
    const { body } = await upload(csv)
    expect(body.data).toMatchObject({ created: 2, failed: 0 })
    expect(await bySku('6130000000777')).toMatchObject({ name: "'s Morgens", price: 2500, stock: { onHand: 4 } })
    expect(await bySku('AB-7')).toMatchObject({ name: "L'eau" })
  })

  test('a workbook keeps barcodes of fifteen digits, and longer numbers are refused', async () => {
    const { body } = await upload(
      xlsx([
        ['EAN', 'Name', 'Price'],
        [6_130_123_456_789, 'Whole', 2500.5],
        [1_234_567_890_123_456, 'Rounded', 1],
      ]),
    )
    expect(body.data).toMatchObject({ created: 1, failed: 1 })
    expect(await bySku('6130123456789')).toMatchObject({ name: 'Whole', price: 2500.5 })
  })
})

describe('product import: files', () => {
  const windows1252 = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0))

  test('French and Arabic headings, Windows-1252, a line "sep=;" and ZIP64 workbooks are taken', async () => {
    const files: [string, string | Uint8Array][] = [
      ['F-1', 'Réf;Désignation;Prix (DA);Qté;Catégorie\nF-1;Été;1 500,00;3;\n'],
      ['F-2', windows1252('R\xe9f;D\xe9signation;Prix de vente;Quantit\xe9\nF-2;\xc9t\xe9;1 500;3\n')],
      ['F-3', 'رمز المنتج;اسم المنتج;السعر;الكمية\nF-3;صيف;١٥٠٠;٣\n'],
      ['F-4', 'sep=;\r\nsku;name;price;stock\r\nF-4;Summer;1500;3\r\n'],
      ['F-5', 'SKU\tName\tPrice\tStock\nF-5\tSummer, 2026; new\t1500\t3'],
      ['F-6', xlsx([['Catalogue 2026'], [], ['SKU', 'Nom du produit', 'Prix', 'Stock'], ['F-6', 'Été', 1500, 3]], {}, { zip64: true })],
    ]
    for (const [sku, file] of files) {
      const { status, body } = await upload(file)
      expect([sku, status, body.data]).toMatchObject([sku, 201, { created: 1, failed: 0 }])
      expect([sku, await bySku(sku)]).toMatchObject([sku, { price: 1500, stock: { onHand: 3 } }])
    }
    expect(await bySku('F-2')).toMatchObject({ name: 'Été' })
  })

  test('a web page that was saved as .xls is refused by its name', async () => {
    const { status, body } = await upload(
      '<html xmlns:x="urn:schemas-microsoft-com:office:excel"><table><tr><td>sku</td></tr></table></html>',
    )
    expect([status, body.error]).toMatchObject([422, { code: 'sheet_unreadable', message: expect.stringContaining('a web page (HTML)') }])
  })

  test('a row is counted as the spreadsheet counts it, below the headings and with empty ones', async () => {
    const { body } = await upload('sku;name;price\nR-1;One;1\n;;\nR-3;Three;x\n')
    expect(body.data).toMatchObject({ total: 2, created: 1, failed: 1 })
    expect(await rowsOf(body.data.id)).toMatchObject([{ row: 1 }, { row: 3, status: 'failed', sku: 'R-3' }])
  })

  test('a row with something under no heading is refused: an amount was cut in two', async () => {
    for (const csv of ['sku,name,price\nCUT,Cut,2,500\n', 'sku,name,price,,\nCUT,Cut,2,500,\n'])
      for (const ignoreUnknown of ['false', 'true']) {
        const { body } = await upload(csv, { fields: { ignoreUnknown } })
        expect(body.data).toMatchObject({ created: 0, failed: 1 })
        expect(await rowsOf(body.data.id)).toMatchObject([
          { row: 1, sku: 'CUT', error: { message: expect.stringContaining('A cell has no heading') } },
        ])
      }
    const notes = xlsx([
      ['sku', 'name', 'price'],
      ['NOTE', 'Note', 1, 'remark'],
    ])
    expect((await upload(notes)).body.data).toMatchObject({ failed: 1 })
    expect((await upload(notes, { fields: { ignoreUnknown: 'true' } })).body.data).toMatchObject({ created: 1 })
  })

  test('unknown columns are refused by name, or left out and named where that is asked for', async () => {
    const csv = 'sku,name,price,Livreur\nU-1,One,1,Ali\n'
    expect((await upload(csv)).body.error).toMatchObject({ code: 'sheet_columns_unknown', message: expect.stringContaining('"Livreur"') })
    const { body } = await upload(csv, { fields: { ignoreUnknown: 'true' } })
    expect(body.data).toMatchObject({ created: 1, ignored: ['Livreur'] })
    expect((await upload(csv, { fields: { ignoreUnknown: 'maybe' } })).status).toBe(400)
    expect((await upload(csv, { fields: { other: '1' } })).status).toBe(400)
  })
})

test('product import: a category is known by its name or its slug, and an unknown one is named', async () => {
  const make = async (name: string, slug: string) =>
    (await ok('POST', '/v1/categories', { as: key, body: { storeId, name, slug } })).data.id
  const [shoes, , bags] = [await make('Chaussures été', 'shoes'), await make('Sacs', 'bags-1'), await make('Vestes', 'vestes')]
  await make('Sacs', 'bags-2')
  for (const [sku, category, id] of [
    ['C-1', 'shoes', shoes],
    ['C-2', 'chaussures  ETE', shoes],
    ['C-3', 'Vestes', bags],
    ['C-4', 'Shoes', shoes],
  ] as const) {
    await upload(`sku;name;price;Catégorie\n${sku};x;1;${category}\n`)
    expect([category, (await bySku(sku)).categoryId]).toEqual([category, id])
  }
  expect(await refusal('sku;name;price;category\nC-9;x;1;Chapeaux\n')).toContain('category: the store has no category "Chapeaux"')
  expect(await refusal('sku;name;price;category\nC-9;x;1;Sacs\n')).toContain('Write a slug: bags-1, bags-2')
})

test('product import: a dry run says of each row what would become of it, and keeps nothing', async () => {
  const csv = 'slug,sku,name,options,price,stock\ndry,DRY,Dry,,100,\ndry,DRY-S,,Size=S,,3\n,N-1,,,x,\n,DRY-X,Bad,,-1,\n'
  const { body } = await upload(csv, { query: '&dryRun=true' })
  expect(body.data).toMatchObject({ status: 'completed', dryRun: true, total: 4, created: 2, updated: 0, failed: 2 })
  expect(await rowsOf(body.data.id)).toMatchObject([
    { status: 'created' },
    { status: 'created' },
    { status: 'failed', error: { message: 'price: "x" is not an amount in DZD.' } },
    { status: 'failed' },
  ])
  expect(await bySku('DRY')).toBeUndefined()
  expect((await upload(csv)).body.data).toMatchObject({ dryRun: false, created: 2, failed: 2 })
})

test('product import: a dry run of many rows tries a product together with its variants', async () => {
  const own = await shop()
  const simple = Array.from({ length: 198 }, (_, at) => `,MANY-${at},Many ${at},,5,`)
  const variants = ['XS', 'S', 'M', 'L', 'XL'].map((size) => `span,SPAN-${size},,Size=${size},,1`)
  const csv = [
    'slug,sku,name,options,price,stock',
    ...simple,
    'span,SPAN,Span,,100,',
    ...variants,
    ...simple.map((row) => row.replace('MANY', 'MORE')),
  ].join('\n')
  const { status, body } = await upload(csv, { as: own.key, to: own.storeId, query: '&dryRun=true' })
  expect(status).toBe(202)
  const read = async () => (await ok('GET', `/v1/products/imports/${body.data.id}`, { as: own.key })).data
  await until(async () => (await read()).status !== 'processing', 100_000)
  expect(await read()).toMatchObject({ status: 'completed', created: 402, failed: 0 })
  expect((await ok('GET', `/v1/products?storeId=${own.storeId}`, { as: own.key })).data).toEqual([])
})

describe('product import: columns', () => {
  test('are listed with their headings, and each heading leads to one column', async () => {
    const { data } = await ok('GET', `/v1/products/imports/columns?storeId=${storeId}`, { as: key })
    expect(data.find(({ column }: { column: string }) => column === 'price')).toMatchObject({
      headings: expect.arrayContaining(['prix', 'السعر']),
      required: false,
    })
    expect(data.filter(({ required }: { required: boolean }) => required).map(({ column }: { column: string }) => column)).toEqual([
      'slug',
      'sku',
      'name',
    ])
    const find = columnFinder(productForm)
    for (const { name, headings } of productForm.columns)
      for (const heading of [
        name,
        name.toLowerCase(),
        name.replace(/([A-Z])/g, '_$1'),
        ...headings,
        ...headings.map((one) => ` ${one.toUpperCase()} (DA) `),
      ])
        expect([heading, find(heading)]).toEqual([heading, name])
    expect(foldHeading('x'.repeat(300))).toBe('')
  })

  test('are shown to those who may read products', async () => {
    const path = `/v1/products/imports/columns?storeId=${storeId}`
    expect((await call('GET', path)).status).toBe(401)
    const other = await shop()
    expect((await call('GET', path, { as: other.key })).status).toBe(404)
  })
})
