import type { Tx } from '../../data/sql.ts'
import type { Said } from '../orders.queries.ts'

interface Carried {
  readonly storeId: string
  readonly orderId: string | null
  /** Null where the parcel carries all of the order. */
  readonly partId: string | null
}

/** A parcel that is sent again is told more of itself. Its order is held. */
export async function addSaid(sql: Tx, { storeId, orderId, partId }: Carried, more: readonly Said[]) {
  if (more.length === 0) return
  const said = sql`array(select distinct unnest(said || ${more as Said[]}::text[]))`
  if (partId === null) await sql`update orders set said = ${said} where store_id = ${storeId} and id = ${orderId}`
  else await sql`update order_parts set said = ${said} where store_id = ${storeId} and order_id = ${orderId} and id = ${partId}`
}
