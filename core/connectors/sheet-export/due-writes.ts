import type { Context } from '../../context.ts'
import { enqueue } from '../../data/jobs.ts'
import { type Tx, transaction } from '../../data/sql.ts'
import type { OrderChange } from '../../orders/changes/changes.model.ts'
import { drainChanges } from '../../orders/changes/drain-changes.ts'
import { BACKFILL_MAX } from './configure-target.ts'
import {
  deleteStrayRows,
  insertMissingRows,
  listDueTargets,
  listUnfilledTargets,
  markTargetFilled,
  requestRowsOfTargets,
} from './sheets.queries.ts'

declare module '../../data/jobs.ts' {
  interface Jobs {
    'sheets.writeDue': Record<string, unknown>
    'sheets.deleteOrphanedRows': Record<string, unknown>
  }
}

const AT_ONCE = 200

/** Enqueues the writing of sheets with waiting rows, and adds rows for missing orders. Runs every minute. */
export async function requestDueSheetWrites({ sql, log }: Pick<Context, 'sql' | 'log'>): Promise<void> {
  await drainChanges({ sql, log })
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

/** Columns of an order that its row shows. */
const SHOWN = ['status', 'version', 'total', 'paid', 'note', 'promo_code', 'parcel_id', 'deleted_at']

/** Requests the rows of changed orders, in each spreadsheet that they belong to. */
export async function requestChangedRows(tx: Tx, changes: readonly OrderChange[]): Promise<void> {
  const shown = changes.filter(({ changed }) => changed === null || changed.some((name) => SHOWN.includes(name)))
  if (shown.length > 0) await requestRowsOfTargets(tx, shown)
}
