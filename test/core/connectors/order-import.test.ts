import { describe, expect, test } from 'bun:test'
import { orderSheetForm } from '../../../core/connectors/order-import/columns.ts'
import { orderImporter } from '../../../core/connectors/order-import/import-order.ts'
import { projectIdOf } from '../../../core/data/project-ids.ts'
import { runImport } from '../../../core/shop/imports/run-import.ts'
import { columnFinder } from '../../../core/shop/imports/sheet-form.ts'
import { startApp } from '../../support/app.ts'
import { xlsx } from '../../support/cash.ts'

const { call, ok, shop, handle, context } = await startApp()
const { storeId, key, owner } = await shop()

const make = async (name: string, sku: string, more: object = {}) =>
  (await ok('POST', '/v1/products', { as: key, body: { storeId, name, sku, price: 1000, status: 'active', ...more } })).data
const basket = await make('Basket', 'B-1')
await make('Chapeau', 'H-1', { stockKeeping: true, initialStock: 5 })
const shirt = await make('Chemise', 'S-1', {
  options: [{ name: 'Taille', values: ['M', 'L'] }],
  variants: [{ options: { Taille: 'M' } }, { options: { Taille: 'L' } }],
})

interface Given {
  readonly as?: string
  readonly to?: string
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
}

async function upload(content: string | Uint8Array, { as = key, to = storeId, query = '', headers = {} }: Given = {}) {
  const form = new FormData()
  form.set('file', new File([typeof content === 'string' ? content : content.slice()], 'orders'))
  const url = `http://localhost/v1/orders/import?storeId=${to}${query}`
  const answer = await handle(new Request(url, { method: 'POST', headers: { authorization: `Bearer ${as}`, ...headers }, body: form }))
  // biome-ignore lint/suspicious/noExplicitAny: a test reads shapes that it then asserts
  return { status: answer.status, body: (await answer.json()) as any }
}
const rowsOf = async (id: string) => (await ok('GET', `/v1/orders/imports/${id}/rows?limit=100`, { as: key })).data.toReversed()
async function imported(content: string | Uint8Array, given: Given = {}) {
  const { status, body } = await upload(content, given)
  expect([status, body]).toMatchObject([201, { data: { status: 'completed' } }])
  return rowsOf(body.data.id)
}
const order = async (id: string) => (await ok('GET', `/v1/orders/${id}`, { as: key })).data
const count = async () =>
  (await context.sql<{ all: number }[]>`select count(*)::int as all from orders where project_id = ${projectIdOf(storeId)}`)[0]?.all ?? 0

const HEADINGS = 'Nom;Téléphone;Wilaya;Commune;Adresse;Produit;Qté;Prix;Livraison;Total'
const sheet = (...rows: string[]) => [HEADINGS, ...rows].join('\n')

describe('order import: what becomes of a row', () => {
  test('an order has the prices, the delivery and the total of the sheet', async () => {
    const rows = await imported(
      sheet(
        'Lina Saadi;0550112201;Alger;Hydra;rue 1;Basket;2;2,500;400;5 400 DA',
        'Nour Amrani;0550112202;16;Hydra;;Basket;1;2.500,00;;',
        'Amine B;0550112203;Oran;Oran;;Basket;3;;500;8 000,00',
        'Sara K;0550112204;Alger;Hydra;;Basket;2;1000;400;2 000',
        'Sans prix;0550112205;Alger;Hydra;;Basket;;;;',
      ),
    )
    expect(rows.map(({ status, error }: { status: string; error: unknown }) => [status, error])).toEqual(Array(5).fill(['created', null]))
    const [whole, bare, shared, less, unpriced] = await Promise.all(rows.map(({ orderId }: { orderId: string }) => order(orderId)))
    expect(whole).toMatchObject({
      status: 'pending',
      source: 'api',
      customer: { name: 'Lina Saadi', phone: '+213550112201' },
      destination: { stateCode: '16', cityName: 'Hydra', address: 'rue 1', deliveryType: 'home' },
      items: [{ productId: basket.id, quantity: 2, unitPrice: 2500 }],
      totals: { subtotal: 5000, delivery: 400, discount: 0, total: 5400 },
    })
    expect(bare).toMatchObject({ totals: { subtotal: 2500, delivery: 0, total: 2500 } })
    expect(shared).toMatchObject({ items: [{ quantity: 3, unitPrice: 2500 }], totals: { delivery: 500, total: 8000 } })
    expect(less).toMatchObject({ totals: { subtotal: 2000, delivery: 400, discount: 400, total: 2000 } })
    expect(unpriced).toMatchObject({ items: [{ quantity: 1, unitPrice: 1000 }], totals: { subtotal: 1000 } })
  })

  test('rows with one reference are lines of one order, and say what they are by sku, variant or name', async () => {
    const rows = await imported(
      [
        'N° commande,Prénom,Nom de famille,Tél,Wilaya,Ville,SKU,Désignation,Variante,Quantité,Prix unitaire,Remise,Statut,Type de livraison',
        'C-77,Lina,Saadi,0550112211,Alger,Hydra,B-1,,,2,1 500,100,Confirmée,Stop desk',
        'C-77,,,,,,,Chemise,L,1,900,,,',
        'C-78,Nour,Amrani,0550112212,Alger,Hydra,H-1,,,1,500,,nouveau,à domicile',
      ].join('\n'),
    )
    expect(rows).toMatchObject([
      { status: 'created', reference: 'C-77' },
      { status: 'created', reference: 'C-77' },
      { status: 'created', reference: 'C-78' },
    ])
    expect(rows[0].orderId).toBe(rows[1].orderId)
    expect(await order(rows[0].orderId)).toMatchObject({
      status: 'confirmed',
      customer: { name: 'Lina Saadi' },
      destination: { deliveryType: 'pickup' },
      items: [
        { productId: basket.id, quantity: 2, unitPrice: 1500 },
        { productId: shirt.id, variantId: shirt.variants[1].id, quantity: 1, unitPrice: 900 },
      ],
      totals: { subtotal: 3900, delivery: 0, discount: 100, total: 3800 },
      metadata: { reference: 'C-77' },
    })
    expect(await order(rows[2].orderId)).toMatchObject({ status: 'pending', destination: { deliveryType: 'home' } })
  })

  test('a workbook is taken as a CSV is, under Arabic headings', async () => {
    const rows = await imported(
      xlsx([
        ['الاسم', 'رقم الهاتف', 'الولاية', 'البلدية', 'المنتج', 'الكمية', 'السعر', 'المجموع'],
        ['لينا', 550_112_221, 'الجزائر', 'حيدرة', 'Basket', 2, 2500.5, 5001],
      ]),
    )
    expect(rows).toMatchObject([{ status: 'created' }])
    expect(await order(rows[0].orderId)).toMatchObject({
      customer: { name: 'لينا', phone: '+213550112221' },
      totals: { subtotal: 5001, total: 5001 },
    })
  })

  test('an apostrophe that marks a text is no part of a phone number, a code or an amount', async () => {
    const rows = await imported(
      "Nom;Téléphone;Wilaya;Commune;SKU;Qté;Prix;Référence\nNour Amrani;'0550112299;'16;Hydra;'B-1;'2;'2,500;'000123\n",
    )
    expect(rows).toMatchObject([{ status: 'created', reference: '000123' }])
    expect(await order(rows[0].orderId)).toMatchObject({
      customer: { phone: '+213550112299' },
      destination: { stateCode: '16' },
      items: [{ productId: basket.id, quantity: 2, unitPrice: 2500 }],
    })
  })

  test('a row that is refused says which column is wrong and why, and holds up no other', async () => {
    const before = await count()
    const rest = 'Alger;Hydra;;Basket;1'
    const cases: [string, string][] = [
      [`A;055012345;${rest};1;;`, 'phone: not a valid phone number'],
      [`A;2,13551E+11;${rest};1;;`, 'phone: "2,13551E+11" is a number that a spreadsheet has rounded'],
      ['A;0550112231;Alger;Hydra;;Inconnu;1;1;;', 'products: the store sells no product "Inconnu"'],
      ['A;0550112231;Alger;Hydra;;;1;1;;', 'products: Write what was ordered'],
      ['A;0550112231;Alger;Hydra;;Basket;1,5;1;;', 'quantity: '],
      ['A;0550112231;Alger;Hydra;;Basket;2.000;1;;', 'quantity: "2.000" can be read as 2000 and as 2.'],
      [`A;0550112231;${rest};1.234,567;;`, 'price: "1.234,567" can be read as 1234567 and as 1234.567.'],
      [`A;0550112231;${rest};12 €;;`, 'price: "12 €" is in another currency than DZD.'],
      [`A;0550112231;${rest};2,5055;;`, 'price: at most 2 decimals.'],
      [`A;0550112231;${rest};;900;400`, 'total: the total is less than the delivery.'],
      ['A;0550112231;Alger;Hydra;;Basket + Chapeau;;;;400', 'total: One total stands beside several products.'],
      [`;0550112231;${rest};1;;`, 'customerName: '],
      ['A;0550112231;Alger;Hydra;;Chapeau;50;1;;', 'items[0].quantity: '],
      ['A;0550112231;Alger;Hydra;;2 x Basket + Chapeau;2;;;', 'quantity: '],
      ['A;0550112231;Alger;Hydra;;Basket;1;2;500;;0', 'A cell has no heading'],
    ]
    const rows = await imported(sheet(...cases.map(([row]) => row), 'Dernière;0550112232;Alger;Hydra;;Basket;1;1;;'))
    for (const [at, [cell, message]] of cases.entries())
      expect([cell, rows[at].row, rows[at].status, rows[at].error?.message]).toEqual([
        cell,
        at + 1,
        'failed',
        expect.stringContaining(message),
      ])
    expect(rows.at(-1)).toMatchObject({ status: 'created' })
    expect(await count()).toBe(before + 1)
  })

  test('rows of one reference that differ, and orders that went on elsewhere, are refused', async () => {
    const head = 'Ref;Nom;Téléphone;Wilaya;Commune;Produit;Prix;Total;Remise;Statut'
    const rows = await imported(
      [
        head,
        'D-1;A;0550112241;Alger;Hydra;Basket;1;;;',
        'D-1;A;0550112242;Alger;Hydra;Chapeau;1;;;',
        'D-2;A;0550112243;Alger;Hydra;Basket;1;;;Livrée',
        'D-3;A;0550112243;Alger;Hydra;Basket;100;90;20;',
      ].join('\n'),
    )
    expect(rows.map(({ error }: { error: { message: string } }) => error?.message)).toEqual([
      expect.stringContaining('phone: Rows with the same reference differ here'),
      expect.stringContaining('phone: Rows with the same reference differ here'),
      expect.stringContaining('status: "Livrée": only orders that are pending or confirmed'),
      expect.stringContaining('total: the total is 90, and goods, delivery and discount come to 80.'),
    ])
  })
})

describe('order import: once each', () => {
  const head = 'Ref;Nom;Téléphone;Wilaya;Commune;Produit;Prix'

  test('a sheet that comes again makes no order again, with and without references', async () => {
    const csv = [head, 'O-1;A;0550112251;Alger;Hydra;Basket;10', ';B;0550112252;Alger;Hydra;Basket;20'].join('\n')
    const first = await imported(csv)
    const before = await count()
    const again = await imported(csv.replaceAll(';', '\t'))
    expect(again.map(({ status }: { status: string }) => status)).toEqual(['repeated', 'repeated'])
    expect(again.map(({ orderId }: { orderId: string }) => orderId)).toEqual(first.map(({ orderId }: { orderId: string }) => orderId))
    expect(await count()).toBe(before)
  })

  test('a row that stands twice in a sheet counts once', async () => {
    const row = 'O-2;A;0550112253;Alger;Hydra;Basket;10'
    const other = ';C;0550112254;Alger;Hydra;Basket;10'
    const rows = await imported([head, row, row, other, other].join('\n'))
    expect(rows.map(({ status }: { status: string }) => status)).toEqual(['created', 'repeated', 'created', 'repeated'])
    expect(await order(rows[0].orderId)).toMatchObject({ items: [{ quantity: 1 }] })
  })

  test('a reference with other contents is refused, and names the order that has it', async () => {
    const [{ orderId }] = await imported([head, 'O-3;A;0550112255;Alger;Hydra;Basket;10'].join('\n'))
    const [row] = await imported([head, ' o-3 ;A;0550112255;Alger;Hydra;Basket;11'].join('\n'))
    expect(row).toMatchObject({ status: 'failed', error: { code: 'conflict', message: expect.stringContaining(orderId) } })
  })

  test('an order with a row that is cut in two is refused with all its rows', async () => {
    const before = await count()
    const csv = 'Ref,Nom,Téléphone,Wilaya,Commune,Produit,Prix\nO-5,A,0550112257,Alger,Hydra,Basket,10\nO-5,,,,,Chapeau,2,500\n'
    expect((await imported(csv)).map(({ status }: { status: string }) => status)).toEqual(['failed', 'failed'])
    expect(await count()).toBe(before)
  })

  test('an order that was deleted can be imported again', async () => {
    const csv = [head, 'O-4;A;0550112256;Alger;Hydra;Basket;10'].join('\n')
    const [{ orderId }] = await imported(csv)
    await call('DELETE', `/v1/orders/${orderId}`, { as: key })
    expect(await imported(csv)).toMatchObject([{ status: 'created' }])
  })

  test('the same sheet twice at once makes each order once', async () => {
    const csv = [
      head,
      ...Array.from({ length: 30 }, (_, at) => `P-${at};A;05501123${String(at).padStart(2, '0')};Alger;Hydra;Basket;10`),
    ].join('\n')
    const before = await count()
    const both = await Promise.all([upload(csv), upload(csv)])
    expect(both.map(({ body }) => body.data.failed)).toEqual([0, 0])
    expect(both.reduce((sum, { body }) => sum + body.data.created, 0)).toBe(30)
    expect(await count()).toBe(before + 30)
  })

  test('a large sheet whose work is broken off goes on where it was, and makes each order once', async () => {
    const own = await shop()
    await ok('POST', '/v1/products', { as: own.key, body: { storeId: own.storeId, name: 'Basket', price: 10, status: 'active' } })
    const rows = Array.from({ length: 230 }, (_, at) => `K-${at};A;0550114${String(at).padStart(3, '0')};Alger;Hydra;Basket;10`)
    const { status, body } = await upload([head, ...rows].join('\n'), { as: own.key, to: own.storeId })
    expect([status, body.data.status]).toEqual([202, 'processing'])
    const job = { storeId: own.storeId, importId: body.data.id }
    const broken = new AbortController()
    broken.abort(new Error('The process stops.'))
    await Promise.allSettled([runImport(context, orderImporter, job, broken.signal), runImport(context, orderImporter, job, broken.signal)])
    await Promise.all([runImport(context, orderImporter, job), runImport(context, orderImporter, job)])
    const { data } = await ok('GET', `/v1/orders/imports/${body.data.id}`, { as: own.key })
    expect(data).toMatchObject({ status: 'completed', total: 230, created: 230, failed: 0 })
    const [made] = await context.sql`select count(*)::int as all from orders where project_id = ${projectIdOf(own.storeId)}`
    expect(made).toEqual({ all: 230 })
  })

  test('one Idempotency-Key is one import', async () => {
    const headers = { 'idempotency-key': 'orders-1' }
    const csv = [head, 'O-9;A;0550112259;Alger;Hydra;Basket;10'].join('\n')
    const [first, again] = [await upload(csv, { headers }), await upload(csv, { headers })]
    expect(again.body.data.id).toBe(first.body.data.id)
  })
})

test('order import: a dry run says what would become of each row, and keeps nothing', async () => {
  const before = await count()
  const csv = sheet('A;0550112261;Alger;Hydra;;Chapeau;4;10;;', 'B;0550112262;Alger;Hydra;;Basket;1;x;;')
  const { body } = await upload(csv, { query: '&dryRun=true' })
  expect(body.data).toMatchObject({ dryRun: true, created: 1, failed: 1 })
  expect(await rowsOf(body.data.id)).toMatchObject([
    { status: 'created', orderId: null },
    { status: 'failed', error: { message: 'price: "x" is not an amount in DZD.' } },
  ])
  expect(await count()).toBe(before)
  expect((await upload(csv)).body.data).toMatchObject({ dryRun: false, created: 1, failed: 1 })
})

test('order import: the person who imports is in the history of the orders', async () => {
  const head = 'Nom;Téléphone;Wilaya;Commune;Produit;Statut'
  const [{ orderId }] = await imported([head, 'A;0550112271;Alger;Hydra;Basket;confirmé'].join('\n'), { as: owner.token })
  expect(await order(orderId)).toMatchObject({
    source: 'member',
    history: expect.arrayContaining([expect.objectContaining({ by: expect.objectContaining({ kind: 'person' }) })]),
  })
})

describe('order import: access and columns', () => {
  const csv = sheet('A;0550112281;Alger;Hydra;;Basket;1;10;;')

  test('another store, no credential and a key without the scope are refused', async () => {
    const other = await shop()
    expect((await upload(csv, { as: other.key })).status).toBe(404)
    expect((await call('POST', `/v1/orders/import?storeId=${storeId}`)).status).toBe(401)
    expect((await call('POST', `/v1/orders/import?storeId=${storeId}`, { as: key, body: {} })).status).toBe(415)
    const { body } = await upload(csv)
    for (const path of [
      `/v1/orders/imports/${body.data.id}`,
      `/v1/orders/imports/${body.data.id}/rows`,
      `/v1/orders/imports/columns?storeId=${storeId}`,
    ]) {
      expect((await call('GET', path, { as: other.key })).status).toBe(404)
      expect((await call('GET', path)).status).toBe(401)
      expect((await call('GET', path, { as: key })).status).toBe(200)
    }
    // An import of orders is none of products.
    expect((await call('GET', `/v1/products/imports/${body.data.id}`, { as: key })).status).toBe(404)
  })

  test('a sheet without a phone column, or with an unknown one, is refused by name', async () => {
    expect((await upload('Nom;Wilaya;Produit\nA;Alger;Basket')).body.error).toMatchObject({
      code: 'sheet_columns_unknown',
      message: expect.stringContaining('no column phone'),
    })
    expect((await upload(`${HEADINGS};Livreur\n`.concat('A;0550112281;Alger;Hydra;;Basket;1;10;;;Ali'))).body.error.message).toContain(
      '"Livreur"',
    )
  })

  test('columns are listed with their headings, and each heading leads to one column', async () => {
    const { data } = await ok('GET', `/v1/orders/imports/columns?storeId=${storeId}`, { as: key })
    expect(data.find(({ column }: { column: string }) => column === 'phone')).toMatchObject({
      headings: expect.arrayContaining(['Téléphone', 'الهاتف']),
      required: true,
    })
    const find = columnFinder(orderSheetForm)
    for (const { name, headings } of orderSheetForm.columns)
      for (const heading of [name, ...headings, ...headings.map((one) => ` ${one.toUpperCase()} (DA) `)])
        expect([heading, find(heading)]).toEqual([heading, name])
  })
})
