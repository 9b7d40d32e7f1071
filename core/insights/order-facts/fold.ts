import type { Context } from '../../context.ts'
import { transaction } from '../../data/sql.ts'
import { findStore } from '../../shop/stores/stores.queries.ts'
import { timeZoneOf } from '../../shop/stores/time-zone.ts'
import { lookOnce } from './cells.queries.ts'
import { runOf } from './days.ts'
import { forgetMarks, listMarked, listStaleDays, takeMarks, writeDay } from './fold.queries.ts'

const DAYS_AT_ONCE = 50
const STORES_AT_ONCE = 200
/** What is left over is counted by the next run. */
const RUN_MS = 40_000

/** Counts the days of which something changed, store by store. */
export async function foldAll(context: Pick<Context, 'sql'>, signal?: AbortSignal): Promise<void> {
  const until = Date.now() + RUN_MS
  const mayGoOn = () => !signal?.aborted && Date.now() < until
  for (let after = ''; mayGoOn(); ) {
    const marked = await listMarked(context.sql, after, STORES_AT_ONCE)
    for (const { storeId } of marked) {
      if (!mayGoOn()) return
      await foldStore(context, storeId, mayGoOn)
    }
    const last = marked.at(-1)
    if (marked.length < STORES_AT_ONCE || !last) return
    after = last.storeId
  }
}

async function foldStore({ sql }: Pick<Context, 'sql'>, storeId: string, mayGoOn: () => boolean) {
  const store = await findStore(sql, storeId)
  if (!store) {
    await forgetMarks(sql, storeId)
    return
  }
  const whose = { storeId, timeZone: timeZoneOf(store) }
  for (let before = ''; mayGoOn(); ) {
    // Once round: what is marked meanwhile is left to the next run.
    const days = await listStaleDays(sql, whose, DAYS_AT_ONCE, before)
    const last = days.at(-1)
    if (last === undefined) return
    for (const day of days) {
      if (!mayGoOn()) return
      const run = runOf(day, day, whose.timeZone)
      await transaction(sql, async (tx) => {
        await lookOnce(tx)
        await takeMarks(tx, whose, run)
        await writeDay(tx, whose, run)
      })
    }
    before = last
  }
}
