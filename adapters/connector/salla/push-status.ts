import type { StatusPushed } from 'serai/connector'
import { call } from './api.ts'
import type { Context } from './fields.ts'
import { detailsOf } from './orders.ts'
import { slugOf } from './statuses.ts'

/** Sets the status if it differs. The platform has no field for a tracking number. */
export async function pushStatus(context: Context, { externalId, status }: StatusPushed): Promise<void> {
  const slug = slugFor(context, status)
  const said = slug === '' ? undefined : await detailsOf(context, externalId)
  if (said && slugOf(said) !== slug) await call(context, 'POST', `orders/${externalId}/status`, { json: { slug } })
}

function slugFor({ settings }: Context, status: StatusPushed['status']): string {
  const slugs = {
    confirmed: 'in_progress',
    sent: settings.sentStatus,
    delivered: 'delivered',
    returned: settings.returnedStatus,
    cancelled: 'canceled',
  } as const satisfies Record<StatusPushed['status'], string>
  return slugs[status].trim().toLowerCase()
}
