import { expect, test } from 'bun:test'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startApp } from '../../../support/app.ts'
import { cashDesk, findCashDifferences } from '../../../support/cash.ts'
import { scratchFolder } from '../../../support/scratch.ts'

/** A carrier that pays everything delivered as one payout, and hears of its arrival only when its settings let it. */
const till = `import { carrier, CarrierError } from 'serai/carrier'
const paid = (rows) => ({ id: 'P', status: 'paid_out', amount: rows.reduce((sum, { value }) => sum + value, 0), parcels: rows.length, at: '2099-01-01T00:00:00Z' })
const heard = async (context) => { if (context.settings.deaf) throw new CarrierError('unavailable', 'The till is closed.') }
export default carrier({
  slug: 'till', label: 'Till', countries: ['DZ'], currency: 'DZD', net: [], credentials: { webhookSecret: { label: 'Secret', secret: true } },
  settings: { deaf: { label: 'Does not hear', type: 'boolean', default: false } },
  exactlyOnce: 'idempotencyKey', settleSeconds: 5, rateWindows: [], deliveryTypes: ['home'], editableIn: [], cancellableIn: [], statuses: { delivered: 'delivered' },
  testConnection: () => ({}),
  async send(context, { reference, codAmount }) { await context.storage.set('parcel:' + reference, codAmount); return { trackingId: 'TILL ' + reference } },
  webhook: { receive: ({ body }) => ({ outcome: 'events', signed: true, events: JSON.parse(new TextDecoder().decode(body)).events.map(({ tracking, status, at, eventId }) => ({ trackingId: tracking, carrierStatus: status, at, eventId })) }) },
  cash: {
    preview: () => [],
    async batches(context) { await heard(context); return [paid(await context.storage.list('parcel:'))] },
    async batch(context, id) {
      if (id !== 'P') throw new CarrierError('not_found', 'No such payout.')
      const rows = await context.storage.list('parcel:')
      return { ...paid(rows), status: (await context.storage.get('confirmed')) ? 'payout_confirmed' : 'paid_out', lines: rows.map(({ key, value }) => ({ trackingId: key.replace('parcel:', 'till'), amount: value, status: 'paid_out' })) }
    },
    async confirm(context, id) {
      await heard(context)
      await context.storage.set('confirmed', ((await context.storage.get('confirmed')) ?? 0) + 1)
      return paid(await context.storage.list('parcel:'))
    },
  },
})`

/** Pays without ever telling what it holds, and tells of a line what arrives, or all three, which need not agree. */
const frugal = till
  .replace("slug: 'till', label: 'Till'", "slug: 'frugal', label: 'Frugal'")
  .replace('    preview: () => [],\n', '')
  .replace("status: 'paid_out', amount: rows.reduce((sum, { value }) => sum + value, 0)", "status: 'paid_out', net: rows.length * 1000")
  .replace(
    "amount: value, status: 'paid_out'",
    "status: 'paid_out', ...(value === 1500 ? { amount: 1500, fee: 1, net: 1100 } : { net: value - 200, fee: 200 })",
  )

const folder = await scratchFolder()
await mkdir(join(folder, 'frugal'))
await writeFile(join(folder, 'frugal/index.ts'), frugal)
await mkdir(join(folder, 'till'))
await writeFile(join(folder, 'till/index.ts'), till)
const app = await startApp({ adapterDirs: [folder] })
await app.person('The administrator')
const { call, ok, context } = app

test('remittances: one that cannot be confirmed at the carrier is not posted until it can', async () => {
  const desk = await cashDesk(app, 'till')
  const parcel = await desk.deliver(1500)
  const deaf = (value: boolean) => ok('PATCH', desk.base, { as: desk.as, body: { settings: { deaf: value } } })
  const told = async () =>
    (await context.sql`select value from adapter_storage where connection_id = ${desk.connection.id} and key = 'confirmed'`)[0]?.value
  await deaf(true)
  const refused = await call('POST', `${desk.base}/encaissements/batches/confirm`, { as: desk.as, body: { batchId: 'P' } })
  expect([refused.status, refused.body.error.code]).toEqual([502, 'carrier_error'])
  expect(await desk.get('finance')).toMatchObject({ received: 0, owed: 1500 })
  // What was heard before is still there to read, whatever the carrier says now.
  expect(await desk.get('encaissements/batches')).toMatchObject([{ id: 'P', state: 'draft', at: '2099-01-01T00:00:00.000Z' }])
  await deaf(false)
  await desk.confirm('P')
  await desk.confirm('P')
  expect(await told()).toBe(1)
  expect(await desk.get('finance')).toMatchObject({ received: 1500, owed: 0, paidOut: 1500 })
  expect((await desk.batch('P')).lines).toMatchObject([{ outcome: 'matched', parcelId: parcel.id, status: 'payout_confirmed' }])
  // Posted anew after a reversal, the carrier is not told again: it knows.
  await desk.reverse('P')
  await desk.confirm('P')
  expect([await told(), (await desk.get('finance')).received]).toEqual([1, 1500])
  expect(await findCashDifferences(context.sql)).toEqual([])
})

test('a payout that the carrier does not have is not found', async () => {
  const desk = await cashDesk(app, 'till')
  const answer = await call('GET', `${desk.base}/encaissements/batches/Q`, { as: desk.as })
  expect([answer.status, answer.body.error.code]).toEqual([404, 'not_found'])
})

test('remittances: net amounts of a carrier are understood; the ledger balances whatever it calls a fee', async () => {
  const desk = await cashDesk(app, 'frugal')
  await desk.deliver(2000)
  await desk.deliver(1500)
  expect(await desk.post('sync/cashin')).toMatchObject({ parcels: 2 })
  const { lines, totals, amount } = await desk.batch('P')
  expect(amount).toBe(2000)
  expect(
    lines
      .map((line: { amount: number; fee: number; net: number; outcome: string }) => [line.amount, line.fee, line.net, line.outcome])
      .sort(),
  ).toEqual([
    [1500, 400, 1100, 'matched'],
    [2000, 200, 1800, 'matched'],
  ])
  expect(totals).toMatchObject({ amount: 3500, fees: 600, received: 2900, difference: 0 })
  await desk.confirm('P')
  expect(await desk.get('finance')).toMatchObject({ received: 2900, owed: 0 })
  expect(await findCashDifferences(context.sql)).toEqual([])
})
