import type { Tx } from '../../data/sql.ts'
import { type Actor, currentActor } from '../../data/tenant-context.ts'
import { newId } from '../../lib/ids.ts'
import type { OrderKey, OrderRow } from '../orders.queries.ts'
import type { OrderStatus } from '../statuses.ts'
import { insertStatusChanges } from './history.queries.ts'

interface RecordedMove {
  readonly order: OrderKey & Pick<OrderRow, 'status'>
  readonly to: OrderStatus
  readonly reason?: string
  /** Actor of the change; the current actor by default. */
  readonly by?: Actor | null
}

/** Records each status change with its actor, in the transaction of the change. */
export async function recordStatusChanges(tx: Tx, moves: readonly RecordedMove[]): Promise<void> {
  if (moves.length === 0) return
  const current = currentActor() ?? null
  await insertStatusChanges(
    tx,
    moves.map(({ order, to, reason = '', by = current }) => ({
      storeId: order.storeId,
      orderId: order.id,
      id: newId('osc'),
      fromStatus: order.status,
      toStatus: to,
      reason,
      byId: by?.id ?? '',
      byKind: by?.kind ?? ('system' as const),
      appId: by?.appId ?? null,
      adminId: by?.adminId ?? null,
    })),
  )
}
