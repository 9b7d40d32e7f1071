import type { Queryable } from '../../data/sql.ts'
import { listLiveParcelsInStore, type ParcelRow } from '../../logistics/parcels/parcels.queries.ts'
import type { ItemFulfilment, OrderParcel } from '../details/details.model.ts'
import type { OrderRow } from '../orders.queries.ts'
import { listLinesToReturn } from '../returns/returns.queries.ts'
import { listParts, type PartLine } from '../split/parts.queries.ts'
import { orderStatusByParcelStatus } from '../statuses.ts'

interface PackedLines {
  /** Undefined when the part was given up. */
  readonly parcel: ParcelRow | undefined
  readonly lines: readonly PartLine[]
}

/** Reads the parcels of an order, and the quantities of its items by state. */
export async function readFulfilment(sql: Queryable, order: OrderRow): Promise<{ parcels: OrderParcel[]; fulfilment: ItemFulfilment[] }> {
  const carried = order.isDivided || order.parcelId !== null ? await listPackedLines(sql, order) : []
  return {
    parcels: carried.flatMap(({ parcel, lines }) => (parcel ? [presentParcel(parcel, lines)] : [])),
    fulfilment: order.items.map(({ quantity }, item) => fulfilmentOfItem(item, quantity, carried)),
  }
}

async function listPackedLines(sql: Queryable, order: OrderRow): Promise<PackedLines[]> {
  const parcels = await listLiveParcelsInStore(sql, order.storeId, order.id)
  if (order.isDivided) {
    const parts = await listParts(sql, order)
    return parts.flatMap(({ id, parcelId, lines }) => {
      const parcel = parcels.find(({ partId }) => partId === id)
      // Skips a part that was created or cancelled between the two reads.
      return parcel || parcelId === null ? [{ parcel, lines }] : []
    })
  }
  const [parcel] = parcels
  const lines = await listLinesToReturn(sql, order)
  return parcel ? [{ parcel, lines: lines.map(({ line, quantity, returned }) => ({ line, quantity, back: returned })) }] : []
}

const presentParcel = (
  { id, status, courierId, trackingId, codAmount, lastError }: ParcelRow,
  lines: readonly PartLine[],
): OrderParcel => ({
  id,
  status,
  carrier: courierId,
  trackingId,
  codAmount: Number(codAmount),
  lastError,
  items: lines.map(({ line, quantity, back }) => ({ item: line - 1, quantity, returned: back })),
})

type ItemState = Exclude<keyof ItemFulfilment, 'item' | 'quantity' | 'left'>

function fulfilmentOfItem(item: number, quantity: number, carried: readonly PackedLines[]): ItemFulfilment {
  const counts: Record<ItemState, number> = { sent: 0, delivered: 0, returned: 0, lost: 0, givenUp: 0 }
  for (const { parcel, lines } of carried)
    for (const line of lines.filter((each) => each.line === item + 1)) {
      counts.returned += line.back
      counts[itemStateOf(parcel)] += line.quantity - line.back
    }
  return { item, quantity, left: quantity - Object.values(counts).reduce((sum, count) => sum + count, 0), ...counts }
}

function itemStateOf(parcel: ParcelRow | undefined): ItemState {
  if (!parcel) return 'givenUp'
  const order = orderStatusByParcelStatus[parcel.status]?.order
  return order === 'delivered' || order === 'returned' || order === 'lost' ? order : 'sent'
}
