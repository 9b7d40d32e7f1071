import { afterEach, expect, test } from 'bun:test'
import { startApp } from '../../../support/app.ts'
import { cashDesk, findCashDifferences, type UploadOptions, uploadSheet } from '../../../support/cash.ts'

const app = await startApp()
await app.person('The administrator')
const { context } = app
const desk = await cashDesk(app)
const stranger = await app.shop()

afterEach(async () => expect(await findCashDifferences(context.sql)).toEqual([]))

const check = (content: string | Uint8Array, options: UploadOptions = {}) =>
  uploadSheet(app, `${desk.base}/encaissements/check`, content, { as: desk.as, ...options })
const stored = async () =>
  (
    await context.sql`select (select count(*) from remittances) + (select count(*) from remittance_lines) + (select count(*) from remittance_sheet_columns) as rows`
  )[0]

test('a sheet that can be read shows its columns, its first rows and the differences, and nothing is kept', async () => {
  const parcel = await desk.deliver(3000)
  const csv = `Versement du 12\nN° Colis;Nom;Montant;Frais\n${parcel.trackingId};Lina;2900;400\n\nUNKNOWN-9;Ali;100;0\nTOTAL;;3000;400\n`
  const before = await stored()
  const { status, body } = await check(csv)
  expect(status).toBe(200)
  expect(body.data).toMatchObject({
    headings: ['N° Colis', 'Nom', 'Montant', 'Frais'],
    rows: [
      [parcel.trackingId, 'Lina', '2900', '400'],
      ['UNKNOWN-9', 'Ali', '100', '0'],
      ['TOTAL', '', '3000', '400'],
    ],
    columns: { tracking: 'N° Colis', amount: 'Montant', fee: 'Frais' },
    lines: 2,
    problem: null,
    importedAs: null,
    payout: { amount: 3000, totals: { received: 2600, lines: { short: 1, unknown: 1, matched: 0 } } },
  })
  expect(await stored()).toEqual(before)
  expect((await desk.parcel(parcel)).cashStatus).toBe('collected')

  const made = await desk.upload(csv)
  expect(made.body.data.totals).toEqual(body.data.payout.totals)
  expect((await check(csv)).body.data.importedAs).toEqual({ id: made.body.data.id, state: 'draft' })
})

test('unknown headings are answered as data, and those mapped by hand are judged', async () => {
  const parcel = await desk.deliver(1500)
  const csv = `Client;Zed;Y\nLina;${parcel.trackingId};1500\n`
  const unknown = (await check(csv)).body.data
  expect(unknown).toMatchObject({
    headings: ['Client', 'Zed', 'Y'],
    rows: [['Lina', parcel.trackingId, '1500']],
    columns: {},
    lines: 0,
    payout: null,
    problem: { code: 'sheet_columns_unknown' },
  })
  const mapped = await check(csv, { columns: { tracking: 'Zed', amount: 'Y' } })
  expect(mapped.body.data).toMatchObject({ problem: null, lines: 1, payout: { amount: 1500, totals: { lines: { matched: 1 } } } })
  // Only an import remembers the columns.
  expect((await check(csv)).body.data.problem.code).toBe('sheet_columns_unknown')
})

test('a heading with a line break is named as the sample shows it, and no column is two fields', async () => {
  const { data } = (await check('Tracking;"Montant\nencaissé";Net\nA-1;100;90\n')).body
  expect(data).toMatchObject({ headings: ['Tracking', 'Montant encaissé', 'Net'], columns: { amount: 'Montant encaissé', net: 'Net' } })
  const twice = await check('Tracking;Montant\nA-1;100\n', { columns: { tracking: 'Tracking', amount: 'Montant', net: 'montant' } })
  expect([twice.status, twice.body.error.code]).toEqual([400, 'invalid_request'])
})

test('rows that cannot be read are named, beside the columns', async () => {
  const { data } = (await check('Tracking;Montant\nA-1;100\nA-2;cent\nA-1;5\n')).body
  expect(data).toMatchObject({
    columns: { tracking: 'Tracking', amount: 'Montant' },
    lines: 0,
    payout: null,
    problem: { code: 'sheet_unreadable' },
  })
  expect(data.problem.details.map(({ path }: { path: string }) => path)).toEqual(['/file/rows/3', '/file/rows/4'])
})

test('a confirmed payout stays confirmed: other columns of its file are told as a problem', async () => {
  const parcel = await desk.deliver(700)
  const csv = `Tracking;Montant;Autre\n${parcel.trackingId};700;690\n`
  const { data: payout } = (await desk.upload(csv)).body
  await desk.confirm(payout.id)
  const again = (await check(csv, { columns: { tracking: 'Tracking', amount: 'Autre' } })).body.data
  expect(again).toMatchObject({ importedAs: { id: payout.id, state: 'confirmed' }, problem: { code: 'conflict' }, payout: null })
  expect((await desk.batch(payout.id)).state).toBe('confirmed')
})

test('a payout shows only lines of the outcomes that are asked for, with the totals of all', async () => {
  const [exact, less] = [await desk.deliver(100), await desk.deliver(200)]
  const payout = await desk.payoutOf([
    [exact.trackingId, 100],
    [less.trackingId, 150],
    ['UNKNOWN-2', 10],
    ['UNKNOWN-3', 10],
  ])
  const lines = async (query: string) =>
    (await desk.get(`encaissements/batches/${payout.id}?${query}`)).lines.map(({ line }: { line: number }) => line)
  expect(await lines('outcome=short,unknown')).toEqual([2, 3, 4])
  expect(await lines('outcome=short,unknown&limit=2&after=2')).toEqual([3, 4])
  expect(await lines('outcome=excess')).toEqual([])
  const detail = await desk.get(`encaissements/batches/${payout.id}?outcome=matched`)
  expect(detail.totals.lines).toMatchObject({ matched: 1, short: 1, unknown: 2 })
  expect((await app.call('GET', `${desk.base}/encaissements/batches/${payout.id}?outcome=odd`, { as: desk.as })).status).toBe(400)
})

test('a check needs what an import needs', async () => {
  const csv = 'Tracking;Montant\nA-1;100\n'
  const viewer = await app.person('Reader')
  await context.sql`insert into store_members (store_id, user_id, role, permissions) values (${desk.storeId}, ${viewer.id}, 'admin', '{cash:read}')`
  const path = `${desk.base}/encaissements/check`
  const statusFor = async (as: string | undefined) => (await uploadSheet(app, path, csv, { as })).status
  expect([
    await statusFor(undefined),
    await statusFor('sk_wrong'),
    await statusFor(viewer.token),
    await statusFor(stranger.owner.token),
  ]).toEqual([401, 401, 403, 404])
  expect((await check('')).status).toBe(400)
  expect((await check(new TextEncoder().encode('%PDF-1.7'))).body.error.code).toBe('sheet_unreadable')
  expect((await check(csv, { more: { other: 'field' } })).status).toBe(400)
  const notConnected = await uploadSheet(app, `/v1/stores/${desk.storeId}/integrations/yalidine/encaissements/check`, csv, { as: desk.as })
  expect(notConnected.body.error.code).toBe('carrier_not_enabled')
})
