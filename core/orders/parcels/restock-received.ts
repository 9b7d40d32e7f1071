import type { Tx } from '../../data/sql.ts'
import type { ParcelRow } from '../../logistics/parcels/parcels.queries.ts'
import { recordAudit } from '../../platform/audit/record-audit.ts'
import { findStore } from '../../shop/stores/stores.queries.ts'
import { updateOrder } from '../orders.queries.ts'
import { movePartGoods } from '../split/divide.ts'
import { readDividedOrder } from '../split/divided-order.ts'
import { moveGoods } from '../stock/stock.ts'
import { lockOrdersByParcel } from './apply-parcel-moves.ts'

/**
 * Puts the goods of a parcel that came back in good condition into stock, unless they are there. A parcel that its carrier has not called
 * returned yet waits for that. The caller must have locked the parcel.
 */
export async function restockReceived(tx: Tx, parcel: ParcelRow): Promise<void> {
  if (parcel.status !== 'returned' || parcel.returnCondition !== 'good') return
  const order = (await lockOrdersByParcel(tx, [parcel])).get(parcel.id)
  const store = order && (await findStore(tx, order.storeId))
  if (!order || !store) return
  const divided = order.isDivided ? await readDividedOrder(tx, store, order) : undefined
  const part = divided?.parts.find(({ id }) => id === parcel.partId)
  const { fulfilmentId } = divided ? (part ?? { fulfilmentId: null }) : order
  // The carrier's word or a return by hand put them back before.
  if (fulfilmentId === null) return
  if (divided && part) await movePartGoods(tx, store, divided, part, 'back')
  else await updateOrder(tx, order, await moveGoods(tx, store, order, 'back'))
  await recordAudit(
    tx,
    { storeId: store.id },
    { what: 'order.returned', thing: order.id, after: { status: order.status, restocked: true } },
  )
}
