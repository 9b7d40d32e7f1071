import type { StatusPushed } from 'serai/connector'
import { call } from './api.ts'
import type { Context } from './fields.ts'
import { findOrder } from './orders.ts'

const statuses = {
  confirmed: 'confirmed',
  sent: 'in_delivery',
  delivered: 'delivered',
  returned: 'returning_from_delivery',
  cancelled: 'canceled',
} as const satisfies Record<StatusPushed['status'], string>

/** The status, where the order has another. There is no place for the number of a parcel. */
export async function pushStatus(context: Context, { externalId, status }: StatusPushed): Promise<void> {
  const wanted = statuses[status]
  const said = await findOrder(context, externalId)
  if (!said || said.status === wanted) return
  await call(context, 'PATCH', `orders/${encodeURIComponent(externalId)}/status`, { json: { status: wanted } })
}
