import type { Tx } from '../../../data/sql.ts'
import type { OrderChange } from '../../../orders/changes/changes.model.ts'
import { insertEventsOfRules } from './events.queries.ts'

/** Inserts an event for each rule that names a status which an order has reached. The job `ads.sendDue` sends it. */
export async function noteStatusEvents(tx: Tx, changes: readonly OrderChange[]): Promise<void> {
  const moved = changes.filter(({ changed }) => changed === null || changed.includes('status'))
  if (moved.length > 0) await insertEventsOfRules(tx, moved)
}
