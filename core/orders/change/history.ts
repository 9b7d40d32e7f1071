import type { Tx } from '../../data/sql.ts'
import { type Actor, currentActor } from '../../data/tenant-context.ts'
import { newId } from '../../lib/ids.ts'
import type { OrderKey, OrderRow } from '../orders.queries.ts'
import type { OrderStatus } from '../statuses.ts'
import { insertStatusChanges } from './history.queries.ts'

interface Moved {
  readonly order: OrderKey & Pick<OrderRow, 'status'>
  readonly to: OrderStatus
  readonly reason?: string
  /** The actor, where it is not the current one. */
  readonly by?: Actor | null
}

/** Keeps, in the transaction of the moves, which status each order came to, and by whom. */
export async function noteMoves(tx: Tx, moves: readonly Moved[]): Promise<void> {
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
