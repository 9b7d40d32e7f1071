import { projectIdOf } from '../../data/project-ids.ts'
import type { Tx } from '../../data/sql.ts'
import type { OverridableField } from '../orders.queries.ts'

interface OverriddenParcel {
  readonly storeId: string
  readonly orderId: string | null
  /** Null when the parcel contains the whole order. */
  readonly partId: string | null
}

/** Adds overridden fields of a parcel that is sent again. The caller must have locked the order. */
export async function addOverrides(sql: Tx, { storeId, orderId, partId }: OverriddenParcel, more: readonly OverridableField[]) {
  if (more.length === 0) return
  const overrides = sql`array(select distinct unnest(overrides || ${more as OverridableField[]}::text[]))`
  if (partId === null) await sql`update orders set overrides = ${overrides} where project_id = ${projectIdOf(storeId)} and id = ${orderId}`
  else
    await sql`update order_parts set overrides = ${overrides} where project_id = ${projectIdOf(storeId)} and order_id = ${orderId} and id = ${partId}`
}
