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

/** Sets the status if it differs. The platform has no field for a tracking number. */
export async function pushStatus(context: Context, { externalId, status }: StatusPushed): Promise<void> {
  const wanted = statuses[status]
  const said = await findOrder(context, externalId)
  if (!said || said.status === wanted) return
  await call(context, 'PATCH', `orders/${encodeURIComponent(externalId)}/status`, { json: { status: wanted } })
}
