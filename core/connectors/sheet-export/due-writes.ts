import type { Context } from '../../context.ts'
import { enqueue } from '../../data/jobs.ts'
import { transaction } from '../../data/sql.ts'
import { BACKFILL_MAX } from './configure-target.ts'
import { deleteStrayRows, insertMissingRows, listDueTargets, listUnfilledTargets, markTargetFilled } from './sheets.queries.ts'

declare module '../../data/jobs.ts' {
  interface Jobs {
    'sheets.writeDue': Record<string, unknown>
    'sheets.deleteOrphanedRows': Record<string, unknown>
  }
}

const AT_ONCE = 200

/** Enqueues the writing of sheets with waiting rows, and adds rows for missing orders. Runs every minute. */
export async function requestDueSheetWrites({ sql }: Pick<Context, 'sql'>): Promise<void> {
  for (const target of await listUnfilledTargets(sql, AT_ONCE))
    await transaction(sql, async (tx) => {
      const { count } = await insertMissingRows(tx, target, BACKFILL_MAX)
      if (count < BACKFILL_MAX) await markTargetFilled(tx, target)
    })
  for (const { connectionId, projectId } of await listDueTargets(sql, AT_ONCE))
    await enqueue(sql, 'sheets.write', { connectionId }, { key: `sheets:${connectionId}`, owner: projectId, maxAttempts: 1 })
}

/** Deletes rows whose sheet is no longer configured. */
export const deleteRowsWithoutTarget = async ({ sql }: Pick<Context, 'sql'>): Promise<void> => {
  await deleteStrayRows(sql)
}
