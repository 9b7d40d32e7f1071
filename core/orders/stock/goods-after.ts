import type { ParcelStatus } from '../../../plugins/carrier/model.ts'
import type { ParcelRow } from '../../logistics/parcels/parcels.queries.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { type GoodsState, orderStatusByParcelStatus } from '../statuses.ts'

/**
 * State of the goods of a parcel that has a new status. Goods of a returned parcel go back to stock if they were scanned in as good, or were
 * not scanned in and the store trusts the carrier's word. Throws for a status that leaves goods as they are.
 */
export function goodsAfter({ settings }: Store, { returnCondition }: Pick<ParcelRow, 'returnCondition'>, to: ParcelStatus): GoodsState {
  const goods = orderStatusByParcelStatus[to]?.goods
  if (!goods) throw new Error(`The status ${to} moves no goods.`)
  if (to !== 'returned' || returnCondition === 'good') return goods
  return returnCondition === null && settings.returns?.restock !== 'on_scan' ? goods : 'taken'
}
