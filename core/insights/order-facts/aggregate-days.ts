import type { Context } from '../../context.ts'
import { storeIdOf } from '../../data/project-ids.ts'
import { transaction } from '../../data/sql.ts'
import { drainChanges } from '../../orders/changes/drain-changes.ts'
import { findStore } from '../../shop/stores/stores.queries.ts'
import { timeZoneOf } from '../../shop/stores/time-zone.ts'
import { deleteMarks, deleteMarksOfRun, listMarkedProjects, listStaleDays, replaceDay } from './aggregate-days.queries.ts'
import { useSnapshot } from './cells.queries.ts'
import { dayRunOf } from './days.ts'

const DAYS_AT_ONCE = 50
const PROJECTS_AT_ONCE = 200
/** Duration of a run; the next run counts the rest. */
const RUN_MS = 40_000

/** Counts all days with changed orders again, store by store. Work of the job `analytics.fold`. */
export async function aggregateMarkedDays(context: Pick<Context, 'sql' | 'log'>, signal?: AbortSignal): Promise<void> {
  await drainChanges(context)
  const until = Date.now() + RUN_MS
  const canContinue = () => !signal?.aborted && Date.now() < until
  for (let after = ''; canContinue(); ) {
    const marked = await listMarkedProjects(context.sql, after, PROJECTS_AT_ONCE)
    for (const { projectId } of marked) {
      if (!canContinue()) return
      await aggregateStore(context, projectId, canContinue)
    }
    const last = marked.at(-1)
    if (marked.length < PROJECTS_AT_ONCE || !last) return
    after = last.projectId
  }
}

async function aggregateStore({ sql }: Pick<Context, 'sql'>, projectId: string, canContinue: () => boolean) {
  const store = await findStore(sql, storeIdOf(projectId))
  if (!store) {
    await deleteMarks(sql, projectId)
    return
  }
  const projectZone = { projectId, timeZone: timeZoneOf(store) }
  for (let before = ''; canContinue(); ) {
    // One pass over the days; the next run counts what is marked meanwhile.
    const days = await listStaleDays(sql, projectZone, DAYS_AT_ONCE, before)
    const last = days.at(-1)
    if (last === undefined) return
    for (const day of days) {
      if (!canContinue()) return
      const run = dayRunOf(day, day, projectZone.timeZone)
      await transaction(sql, async (tx) => {
        await useSnapshot(tx)
        await deleteMarksOfRun(tx, projectZone, run)
        await replaceDay(tx, projectZone, run)
      })
    }
    before = last
  }
}
