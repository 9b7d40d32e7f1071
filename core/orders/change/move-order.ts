import type { Tx } from '../../data/sql.ts'
import { publish } from '../../data/subscribers.ts'
import type { Actor } from '../../data/tenant-context.ts'
import { invariant } from '../../lib/invariant.ts'
import { emitWebhook } from '../../platform/webhooks/emit.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import type { Order } from '../orders.model.ts'
import { lockOrderIncludingDeleted, type OrderRow, type OrderValues, updateOrder, updateOrders } from '../orders.queries.ts'
import { presentOrder } from '../present.ts'
import { updatePromotionUses } from '../pricing/promotion-uses.ts'
import { cancelAwaitedReturns } from '../returns/returns.queries.ts'
import { endedStatuses, type OrderStatus } from '../statuses.ts'
import { recordStatusChanges } from './history.ts'
import type { OrderRef } from './lock-order.ts'

declare module '../../data/subscribers.ts' {
  interface DomainEvents {
    /** Published when an order with payments changes its status or its total. The order and its parcels are locked. */
    'order.moved': OrderRef
  }
}

/** Status change of an order, with the columns that change with it. */
export interface OrderMove {
  readonly store: Store
  readonly order: OrderRow
  readonly to: OrderStatus
  /** Other columns to update. */
  readonly change: OrderValues
  /** Reason for the order's status history. */
  readonly reason?: string
  /** Actor of the change; the current actor by default. */
  readonly by?: Actor | null
}

/**
 * Sets the status and other columns of an order, records the change, and emits `order.status_changed`. Returns the order as the API shows
 * it.
 */
export async function moveOrder(
  tx: Tx,
  store: Store,
  order: OrderRow,
  to: OrderStatus,
  change: OrderValues,
  reason = '',
  by: Actor | null | undefined = undefined,
): Promise<Order> {
  const move = { store, order, to, change, reason, ...(by !== undefined && { by }) }
  await moveOrders(tx, [move])
  return hasPayments(move)
    ? presentOrder(invariant(await lockOrderIncludingDeleted(tx, order), 'The order that was moved'))
    : presentMoved(move)
}

/** Moves many orders with few statements; all moves must set the same columns. */
export async function moveOrders(tx: Tx, moves: readonly OrderMove[]) {
  const [only, ...others] = moves
  if (!only) return
  const all = () =>
    updateOrders(
      tx,
      moves.map(({ order: { storeId, id }, to, change }) => ({ storeId, id, ...change, status: to })),
    )
  const write = others.length > 0 ? all() : updateOrder(tx, only.order, { ...only.change, status: only.to })
  await Promise.all([write, recordStatusChanges(tx, moves.filter(isMove)), emitWebhook(tx, moves.filter(isMove).map(statusChangedEvent))])
  await updatePromotionUses(tx, moves)
  const over = moves.filter((move) => isMove(move) && endedStatuses.includes(move.to))
  if (over.length > 0)
    await cancelAwaitedReturns(
      tx,
      over.map(({ order }) => order),
    )
  for (const { store, order } of moves.filter(hasPayments))
    await publish(tx, 'order.moved', { projectId: store.projectId, storeId: store.id, orderId: order.id })
}

const isMove = ({ order, to }: OrderMove) => to !== order.status
const hasPayments = (move: OrderMove) => move.order.paymentStatus !== 'unpaid' && isMove(move)
const presentMoved = ({ order, to, change }: OrderMove) =>
  presentOrder({ ...order, ...change, status: to, revision: order.revision + 1, updatedAt: new Date().toISOString() })

function statusChangedEvent(move: OrderMove) {
  const { store, order, to } = move
  const data = { order: presentMoved(move), fromStatus: order.status, toStatus: to }
  return { projectId: store.projectId, type: 'order.status_changed', data, orderKey: order.id } as const
}
