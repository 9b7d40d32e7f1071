import type { Tx } from '../../data/sql.ts'
import type { OrderChange } from '../../orders/changes/changes.model.ts'
import { insertMarks, insertMarksOfExchanged } from './aggregate-days.queries.ts'

/** Columns that figures are counted from. */
const COUNTED = ['status', 'version', 'total', 'paid', 'payment_status', 'assigned_to', 'deleted_at', 'promo_code', 'metadata']
/** Columns of an exchange that change the figures of the order whose goods it replaces. */
const EXCHANGED = ['status', 'discount', 'deleted_at']

/** Marks the days of changed orders, so that the job `analytics.fold` counts them again. */
export async function markChangedDays(tx: Tx, changes: readonly OrderChange[]): Promise<void> {
  const withAny = (names: readonly string[], { changed }: OrderChange) => changed?.some((name) => names.includes(name)) ?? false
  const counted = changes.filter((change) => change.changed === null || withAny(COUNTED, change))
  const exchanged = changes.filter((change) => withAny(EXCHANGED, change))
  if (counted.length > 0) await insertMarks(tx, counted)
  if (exchanged.length > 0) await insertMarksOfExchanged(tx, exchanged)
}
