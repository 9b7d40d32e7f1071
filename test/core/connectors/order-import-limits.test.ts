import { expect, test } from 'bun:test'
import { startApp } from '../../support/app.ts'
import { xlsx } from '../../support/cash.ts'

const { ok, shop, handle } = await startApp()
const { storeId, key } = await shop()
for (const [name, sku] of [
  ['Basket', 'B-1'],
  ['Chapeau', 'H-1'],
])
  await ok('POST', '/v1/products', { as: key, body: { storeId, name, sku, price: 1000, status: 'active' } })

const HEADINGS = 'Référence;Nom;Téléphone;Wilaya;Commune;Produit;Qté;Prix;Total;Livraison;Remise'

const imported = (...rows: string[]) => importedFile([HEADINGS, ...rows].join('\n'))

async function importedFile(content: string | Uint8Array) {
  const form = new FormData()
  form.set('file', new File([typeof content === 'string' ? content : content.slice()], 'orders'))
  const url = `http://localhost/v1/orders/import?storeId=${storeId}`
  const answer = await handle(new Request(url, { method: 'POST', headers: { authorization: `Bearer ${key}` }, body: form }))
  // biome-ignore lint/suspicious/noExplicitAny: a test reads shapes that it then asserts
  const body = (await answer.json()) as any
  if (body.data === undefined) return { status: answer.status, body, rows: [] }
  const found = await ok('GET', `/v1/orders/imports/${body.data.id}/rows?limit=100`, { as: key })
  return { status: answer.status, body, rows: found.data.toReversed() }
}

test('order import: the lines of an order in another sequence are the same order', async () => {
  const lines = ['S-1;Lina;0550112231;Alger;Hydra;Basket;1;900;', 'S-1;;;;;Chapeau;2;500;']
  const first = await imported(...lines)
  const again = await imported(...lines.toReversed())
  expect(first.rows.map(({ status }: { status: string }) => status)).toEqual(['created', 'created'])
  expect(again.rows.map(({ status }: { status: string }) => status)).toEqual(['repeated', 'repeated'])
})

test('order import: an order of more than 200 lines is refused with its number of lines', async () => {
  const lines = Array.from({ length: 67 }, (_, at) => `M-1;Lina;0550112232;Alger;Hydra;${at + 1} x Basket + Chapeau + Basket;;;`)
  const { rows } = await imported(...lines)
  expect(new Set(rows.map(({ status }: { status: string }) => status))).toEqual(new Set(['failed']))
  expect(rows[0].error.message).toContain('201')
})

test('order import: a reference that is longer than a reference may be is refused, whatever stands in it', async () => {
  const long = Array.from({ length: 8000 }, (_, at) => String.fromCodePoint(0x4e00 + ((at * 7919) % 20_000))).join('')
  const { status, rows } = await imported(
    `${long};Lina;0550112233;Alger;Hydra;Basket;1;900;`,
    'K-1;Nour;0550112234;Alger;Hydra;Basket;1;900;',
  )
  expect([status, rows.map((row: { status: string }) => row.status)]).toEqual([201, ['failed', 'created']])
  expect(rows[0].error).toEqual({ code: 'invalid_request', message: expect.stringMatching(/^reference: .*200/) })
})

test('order import: an amount in words of another currency is refused', async () => {
  const amounts = [
    '50 dollars',
    '2500 DT',
    '250 dhs',
    '3000 FCFA',
    '50 euros',
    '100 ريال',
    '250 درهم',
    '40 دولار',
    '30 livres sterling',
    '20 riyals',
    '250 dinars tunisiens',
    '25 mille',
    '2 dz',
  ]
  const { rows } = await imported(...amounts.map((amount, at) => `C-${at};Lina;0550112235;Alger;Hydra;Basket;1;${amount};`))
  expect(
    rows.map(({ status, error }: { status: string; error: { message: string } | null }, at: number) => [
      amounts[at],
      status,
      error?.message.split(':')[0],
    ]),
  ).toEqual(amounts.map((amount) => [amount, 'failed', 'price']))
})

test('order import: quantities and amounts beyond all bounds are refused', async () => {
  const cells = [
    '99999999999999999;1;',
    '100001;1;',
    '0;1;',
    '-1;1;',
    '1;999999999999999;',
    '100000;99999999999;',
    '1;0.001;',
    '1;;99999999999999',
    '1;;;999999999999999',
    '1;1;;;999999999999999',
    '1;;;;999999999999999',
    '2 dz;1;',
  ]
  const { status, body, rows } = await imported(...cells.map((cell, at) => `Q-${at};Lina;0550112236;Alger;Hydra;Basket;${cell}`))
  expect([status, body]).toMatchObject([201, { data: { status: 'completed' } }])
  expect(rows.map((row: { status: string }, at: number) => [cells[at], row.status])).toEqual(cells.map((cell) => [cell, 'failed']))
})

test('order import: a character of two halves that is cut by a limit breaks nothing', async () => {
  const upTo = (length: number) => `${'x'.repeat(length)}😀`
  const { status, rows } = await imported(
    `${upTo(79)};Lina;0550112237;Alger;Hydra;Basket;1;900;`,
    `H-1;Lina;0550112237;Alger;Hydra;${upTo(59)};1;900;`,
    `H-2;Lina;0550112237;Alger;Hydra;Basket;${upTo(39)};900;`,
    `H-3;${upTo(20_000)};0550112237;Alger;Hydra;Basket;1;900;`,
    `H-4;Lina;0550112237;Alger;Hydra;Basket;1;${upTo(39)};`,
  )
  expect([status, rows.map((row: { status: string }) => row.status)]).toEqual([201, ['created', 'failed', 'failed', 'failed', 'failed']])
})

test('order import: half a character in a cell of a workbook breaks nothing', async () => {
  const { status, rows } = await importedFile(
    xlsx([HEADINGS.split(';'), ['W-1', 'Lina _xD83D_', '0550112238', 'Alger', 'Hydra', 'Basket', '1', '900']]),
  )
  expect([status, rows.map((row: { status: string }) => row.status)]).toEqual([201, ['created']])
})
