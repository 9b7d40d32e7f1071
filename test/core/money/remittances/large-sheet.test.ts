import { expect, test } from 'bun:test'
import { expectOne } from '../../../../core/data/sql.ts'
import { startApp } from '../../../support/app.ts'
import { cashDesk, findCashDifferences, uploadSheet } from '../../../support/cash.ts'

const LINES = 10_000
/** Rows that may be scanned for each line. A scan of the ledger for each line would read thousands. */
const READ_MAX = 100

const app = await startApp()
await app.person('The administrator')
const { context } = app

test('a long payout in a young ledger reads no table once for each line', async () => {
  const desk = await cashDesk(app)
  const parcel = await desk.deliver(700)
  const rows = Array.from({ length: LINES }, (_, at) => `${at === 0 ? parcel.trackingId : `UNKNOWN-${at}`};700`)
  const csv = ['Tracking;Montant', ...rows].join('\n')
  // Often enough that the database keeps a plan for the lines, made while the ledger has one row.
  for (let turn = 0; turn < 2; turn += 1) await uploadSheet(app, `${desk.base}/encaissements/check`, csv, { as: desk.as })
  const { data: payout } = (await desk.upload(csv)).body
  const read = async () =>
    expectOne(
      await context.sql<{ written: number; scanned: number }[]>`
        select n_tup_ins::int as written, seq_tup_read::int as scanned from pg_stat_user_tables where relname = 'ledger_entries'`,
    )
  const before = await read()
  await desk.confirm(payout.id)
  // What a transaction read becomes known together with what it wrote.
  while ((await read()).written < before.written + LINES) await Bun.sleep(200)
  expect((await read()).scanned - before.scanned).toBeLessThan(LINES * READ_MAX)
  expect(await findCashDifferences(context.sql)).toEqual([])
}, 120_000)
