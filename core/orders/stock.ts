import { namespaceOf } from '../catalog/products.ts'
import type { Queryable } from '../data/sql.ts'
import { fulfillReservation } from '../inventory/fulfill-reservation.ts'
import { releaseReservation } from '../inventory/release.ts'
import { reserve } from '../inventory/reserve.ts'
import { restockReservation } from '../inventory/restock.ts'
import type { Store } from '../stores/stores.model.ts'
import type { LineRow, OrderRow } from './orders.queries.ts'
import type { Goods } from './statuses.ts'

/** Reserves what the lines take; null where none keeps stock. */
export async function reserveLines(tx: Queryable, store: Store, reference: string, lines: readonly LineRow[]): Promise<string | null> {
  const namespace = namespaceOf(store)
  const legs = lines.flatMap(({ inventoryKey: key, quantity }) => (key === null ? [] : [{ namespace, key, quantity }]))
  if (legs.length === 0) return null
  return (await reserve(tx, store.projectId, { reference, expiresAt: null, legs })).id
}

/** What an order's goods are now. */
const goodsOf = ({ reservationId, fulfilmentId }: Pick<OrderRow, 'reservationId' | 'fulfilmentId'>): Goods =>
  fulfilmentId ? 'taken' : reservationId ? 'reserved' : 'back'

export interface Held {
  readonly reservationId: string | null
  readonly fulfilmentId: string | null
}

/** Moves an order's goods to where `goods` says, and gives what it holds then. Asking for what is so already does nothing. */
export async function moveGoods(tx: Queryable, store: Store, order: OrderRow, goods: Goods): Promise<Held> {
  const now = goodsOf(order)
  const { reservationId, fulfilmentId, reference } = order
  if (now === goods || (now === 'taken' && goods === 'reserved')) return { reservationId, fulfilmentId }
  if (goods === 'taken' && reservationId) {
    const operation = await fulfillReservation(tx, store.projectId, reservationId, { reference })
    return { reservationId, fulfilmentId: operation.id }
  }
  if (goods === 'back' && fulfilmentId) await restockReservation(tx, store.projectId, reservationId!, { reference })
  else if (goods === 'back' && reservationId) await releaseReservation(tx, store.projectId, reservationId)
  return { reservationId: null, fulfilmentId: null }
}
