import { expect, test } from 'bun:test'
import type { Permission } from '../../../core/http/auth/scopes.ts'
import { startApp } from '../../support/app.ts'
import { cashDesk } from '../../support/cash.ts'

const app = await startApp()
await app.person('The administrator')
const { call, context } = app

const desk = await cashDesk(app)
const storeId = desk.base.split('/')[3] ?? ''
const accountant = await app.person('Accountant')
const mayDo = (permissions: readonly Permission[], role = 'admin') =>
  context.sql`insert into store_members (store_id, user_id, role, permissions) values (${storeId}, ${accountant.id}, ${role}, ${permissions as string[]})
    on conflict (store_id, user_id) do update set permissions = excluded.permissions, role = excluded.role`
const ask = async (method: string, path: string, body?: unknown) =>
  call(method, path, { as: accountant.token, ...(body !== undefined && { body }) })

test('a member with cash alone confirms a payout, and can neither read nor send parcels', async () => {
  const parcel = await desk.deliver(3000)
  const payout = await desk.payoutOf([[parcel.trackingId, 3000, 400]])
  await mayDo(['cash:read', 'cash:write'])
  expect((await ask('GET', `${desk.base}/finance`)).body.data).toMatchObject({ owed: 3000 })
  expect((await ask('POST', `${desk.base}/encaissements/batches/confirm`, { batchId: payout.id })).status).toBe(200)
  for (const [method, path, body] of [
    ['GET', `/v1/parcels?storeId=${storeId}`],
    ['GET', `${desk.base}/statistics`],
    ['POST', `${desk.base}/send`, { orderId: 'ord_1' }],
  ] as const)
    expect([path, (await ask(method, path, body)).status]).toEqual([path, 403])
})

test('a member who reads parcels sees their statistics without the cash', async () => {
  await mayDo(['parcels:read'], 'viewer')
  const counted = (await ask('GET', `${desk.base}/statistics`)).body.data
  expect([counted.delivered, counted.cash]).toEqual([1, undefined])
  expect((await ask('GET', `${desk.base}/finance`)).status).toBe(403)
  await mayDo(['parcels:read', 'cash:read'], 'viewer')
  expect((await ask('GET', `${desk.base}/statistics`)).body.data.cash).toMatchObject({ received: 2600 })
})

test('a member with the orders alone sees no figures, and with the figures alone no orders', async () => {
  const asked = ['summary', 'orders'].map((of) => (of === 'orders' ? `/v1/orders?storeId=${storeId}` : `/v1/stores/${storeId}/${of}`))
  const answers = () => Promise.all(asked.map(async (path) => (await ask('GET', path)).status))
  await mayDo(['orders:read'], 'viewer')
  expect(await answers()).toEqual([403, 200])
  await mayDo(['figures:read'], 'viewer')
  expect(await answers()).toEqual([200, 403])
})

test('the audit log says who imported, confirmed and reversed a payout', async () => {
  await mayDo(['cash:read', 'cash:write'])
  const payout = await desk.payoutOf([['UNKNOWN-1', 100]])
  for (const step of ['confirm', 'reverse']) await ask('POST', `${desk.base}/encaissements/batches/${step}`, { batchId: payout.id })
  await ask('POST', `${desk.base}/encaissements/batches/reverse`, { batchId: payout.id })
  const { data } = await app.ok('GET', `/v1/stores/${storeId}/audit?thing=${payout.id}`, { as: desk.as })
  const entries = data as { what: string; by: { id: string }; after: { state: string } }[]
  expect(entries.map(({ what, by, after }) => [what, by.id === accountant.id, after.state])).toEqual([
    ['carrier_payout.reversed', true, 'reversed'],
    ['carrier_payout.confirmed', true, 'confirmed'],
    ['carrier_payout.imported', false, 'draft'],
  ])
})

test('the audit log is read by an administrator who was given it', async () => {
  await mayDo(['audit:read'])
  expect((await ask('GET', `/v1/stores/${storeId}/audit`)).status).toBe(200)
  await mayDo(['members:read'])
  expect((await ask('GET', `/v1/stores/${storeId}/audit`)).status).toBe(403)
})
