import { afterEach, expect, test } from 'bun:test'
import { startApp } from '../../../support/app.ts'
import { cashDesk, findCashDifferences, uploadSheet, xlsx } from '../../../support/cash.ts'
import { allOf } from '../../../support/pages.ts'

const app = await startApp()
await app.person('The administrator')
const { call, ok, context } = app
const desk = await cashDesk(app)
const stranger = await app.shop()
const viewer = await app.person('Viewer')
await ok('POST', `/v1/stores/${desk.storeId}/members`, { as: desk.as, body: { email: viewer.email, role: 'viewer' } })

afterEach(async () => expect(await findCashDifferences(context.sql)).toEqual([]))

const outcome = ({ status, body }: { status: number; body: { error?: { code: string } } }) => `${status} ${body?.error?.code ?? ''}`.trim()

test('a sheet makes a payout, and the same file no second one', async () => {
  const parcel = await desk.deliver(1234.56)
  const csv = `N° Colis;Montant;Frais\n${parcel.trackingId};1 234,56 DA;300\nTOTAL;1 234,56;300\n`
  const first = await desk.upload(csv, { name: 'Août 2026.csv', at: '2026-11-20T10:00:00Z' })
  expect(first.status).toBe(201)
  expect(first.body.data).toMatchObject({
    id: expect.stringMatching(/^rem_/),
    source: 'file',
    state: 'draft',
    status: 'paid_out',
    fileName: 'Août 2026.csv',
    at: '2026-11-20T10:00:00.000Z',
    amount: 1234.56,
    parcels: 1,
    columns: { tracking: 'N° Colis', amount: 'Montant', fee: 'Frais' },
    totals: { expected: 1234.56, received: 934.56, fees: 300, difference: 0 },
  })
  const again = await desk.upload(csv, { name: 'again.csv' })
  expect([again.status, again.body.data.id]).toEqual([200, first.body.data.id])
  const all = await Promise.all(Array.from({ length: 6 }, () => desk.upload(`${csv};;\n`)))
  expect(new Set(all.map(({ body }) => body.data.id)).size).toBe(1)
  expect(all.filter(({ status }) => status === 201)).toHaveLength(1)
  const workbook = await desk.upload(
    xlsx([
      ['Tracking', 'Net'],
      [parcel.trackingId, 934.56],
    ]),
    { name: 'payout.xlsx' },
  )
  expect(workbook.body.data).toMatchObject({ fileName: 'payout.xlsx', parcels: 1, amount: 934.56 })
  expect((await desk.get('encaissements/batches')).map(({ source }: { source: string }) => source)).toEqual(['file', 'file', 'file'])
  const batches = await allOf<{ id: string }>(app, `${desk.base}/encaissements/batches`, desk.as)
  const page = (await app.call('GET', `${desk.base}/encaissements/batches?limit=1`, { as: desk.as })).body
  expect(page.data).toEqual([batches[0]])
  const next = (await app.call('GET', `${desk.base}/encaissements/batches?limit=1&cursor=${page.nextCursor}`, { as: desk.as })).body
  expect(next.data).toEqual([batches[1]])
})

test('an Idempotency-Key gives the first answer again, and is refused for another file', async () => {
  const headers = { 'idempotency-key': 'payout of november' }
  const csv = 'Tracking;Montant\nKEY-1;5\n'
  const first = await desk.upload(csv, { headers })
  const again = await desk.upload(csv, { headers })
  expect([first.status, again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 201, 'true'])
  expect(again.body).toEqual(first.body)
  expect(outcome(await desk.upload('Tracking;Montant\nKEY-2;5\n', { headers }))).toBe('422 idempotency_key_reused')
})

test('remittances: a chosen mapping of columns is stored, and reads the draft again', async () => {
  const other = await cashDesk(app)
  const csv = 'Nom;A;Montant;B\nLina;T-1;900;1000\n'
  const unknown = await other.upload(csv)
  expect(outcome(unknown)).toBe('422 sheet_columns_unknown')
  expect(unknown.body.error.details[0].message).toBe('The columns are: Nom, A, Montant, B.')
  const first = await other.upload(csv, { columns: { tracking: 'a', amount: 'Montant' } })
  expect(first.body.data.amount).toBe(900)
  const anew = await other.upload(csv, { columns: { tracking: 'A', amount: 'B' } })
  expect([anew.status, anew.body.data.id, anew.body.data.amount]).toEqual([200, first.body.data.id, 1000])
  expect((await other.upload('A;B;Montant\nT-2;70;60\n')).body.data.amount).toBe(70)
  // What is confirmed stays as it was read; taken back, it is read with other columns.
  const { id } = first.body.data
  await other.confirm(id)
  expect((await other.upload(csv, { columns: { tracking: 'A', amount: 'B' } })).status).toBe(200)
  expect(outcome(await other.upload(csv, { columns: { tracking: 'A', amount: 'Montant' } }))).toBe('409 conflict')
  await other.reverse(id)
  expect((await other.upload(csv, { columns: { tracking: 'A', amount: 'Montant' } })).body.data).toMatchObject({ id, amount: 900 })
  expect(outcome(await desk.upload(csv))).toBe('422 sheet_columns_unknown')
})

test('remittances: an unreadable form or sheet is refused', async () => {
  const csv = 'Tracking;Montant\nT-1;5\n'
  const path = `${desk.base}/encaissements/import`
  expect(outcome(await call('POST', path, { as: desk.as, body: { file: csv } }))).toBe('415 unsupported_media_type')
  expect(outcome(await call('POST', path, { as: desk.as, raw: csv, headers: { 'content-type': 'text/csv' } }))).toBe(
    '415 unsupported_media_type',
  )
  expect(outcome(await call('POST', path, { as: desk.as, raw: 'x', headers: { 'content-type': 'multipart/form-data; boundary=b' } }))).toBe(
    '400 invalid_request',
  )
  expect(outcome(await desk.upload(''))).toBe('400 invalid_request')
  expect(outcome(await desk.upload(csv, { more: { colums: '{}' } }))).toBe('400 invalid_request')
  expect(outcome(await desk.upload(csv, { columns: '{"tracking"' }))).toBe('400 invalid_request')
  expect(outcome(await desk.upload(csv, { columns: { colour: 'A' } }))).toBe('400 invalid_request')
  expect(outcome(await desk.upload(csv, { at: 'yesterday' }))).toBe('400 invalid_request')
  expect(outcome(await desk.upload(new Uint8Array(20 * 1024 * 1024 + 1).fill(65)))).toBe('413 payload_too_large')
  expect(outcome(await desk.upload(new Uint8Array(21 * 1024 * 1024).fill(65)))).toBe('413 payload_too_large')
  expect(outcome(await desk.upload('Tracking;Montant\nT-1;much\n'))).toBe('422 sheet_unreadable')
  expect(
    outcome(await uploadSheet(app, `/v1/stores/${desk.storeId}/integrations/yalidine/encaissements/import`, csv, { as: desk.as })),
  ).toBe('422 carrier_not_enabled')
})

test('ledger: only members with the right read it, and only that of their own store', async () => {
  const { id } = await desk.payoutOf([['NOBODY', 5]])
  const body = { batchId: id }
  const asks: [string, string, object?][] = [
    ['GET', 'finance'],
    ['GET', 'encaissements/preview'],
    ['GET', 'encaissements/batches'],
    ['GET', `encaissements/batches/${id}`],
    ['POST', 'encaissements/batches/confirm', body],
    ['POST', 'encaissements/batches/reverse', body],
    ['POST', 'sync/cashin'],
  ]
  const refusals = async (as?: string) => {
    const answers = await Promise.all(
      asks.map(([method, path, sent]) => call(method, `${desk.base}/${path}`, { ...(as && { as }), ...(sent && { body: sent }) })),
    )
    return [...new Set([...answers, await desk.upload('Tracking;Montant\nT-1;5\n', { as })].map(outcome))]
  }
  expect(await refusals(undefined)).toEqual(['401 unauthenticated'])
  expect(await refusals(`sk_${'x'.repeat(43)}`)).toEqual(['401 invalid_api_key'])
  expect(await refusals(viewer.token)).toEqual(['403 forbidden'])
  expect(await refusals(stranger.owner.token)).toEqual(['404 not_found'])
  expect(await refusals(stranger.key)).toEqual(['404 not_found'])
  const other = await cashDesk(app)
  expect(outcome(await call('GET', `${other.base}/encaissements/batches/${id}`, { as: other.as }))).toBe('404 not_found')
  expect(outcome(await call('POST', `${other.base}/encaissements/batches/confirm`, { as: other.as, body }))).toBe('404 not_found')
  expect((await desk.batch(id)).state).toBe('draft')
})

test('remittances: confirming or reversing in the wrong state is refused', async () => {
  const send = (verb: string, body?: object) =>
    call('POST', `${desk.base}/encaissements/batches/${verb}`, { as: desk.as, ...(body && { body }) })
  const { id } = await desk.payoutOf([['NOBODY', 6]])
  expect(outcome(await send('reverse', { batchId: id }))).toBe('409 invalid_transition')
  expect(outcome(await send('reverse', { batchId: 'none' }))).toBe('404 not_found')
  expect(outcome(await send('confirm', { batchId: 'none' }))).toBe('404 not_found')
  expect(outcome(await send('confirm', { batchId: '' }))).toBe('400 invalid_request')
  expect(outcome(await send('confirm', { batchId: id, amount: 5 }))).toBe('400 invalid_request')
  expect(outcome(await send('confirm'))).toBe('400 invalid_request')
})

test('a parcel that money was posted for is not deleted', async () => {
  const parcel = await desk.send(300)
  await ok('POST', `/v1/parcels/${parcel.id}/cancel`, { as: desk.key })
  const { id } = await desk.payoutOf([[parcel.trackingId, 300]])
  await desk.confirm(id)
  expect(outcome(await call('DELETE', `/v1/parcels/${parcel.id}`, { as: desk.key }))).toBe('409 conflict')
})

test('the ledger answers while the connection is switched off', async () => {
  const other = await cashDesk(app)
  const parcel = await other.deliver(800)
  await other.post('enable', { enabled: false })
  const { id } = await other.payoutOf([[parcel.trackingId, 800, 50]])
  await other.confirm(id)
  expect(await other.get('finance')).toMatchObject({ received: 750, owed: 0, paidOut: 800 })
  expect(await other.get('encaissements/batches')).toHaveLength(1)
  expect(await other.post('sync/cashin')).toEqual({ parcels: 0, changed: 0 })
})
