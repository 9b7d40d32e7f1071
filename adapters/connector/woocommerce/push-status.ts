import { isRow, rows, type StatusPushed, unreadable } from 'serai/connector'
import { call, LABEL } from './api.ts'
import type { Context } from './fields.ts'

const TRACKING = '_tracking_number'
const CARRIER = '_tracking_provider'

/** Sets the status and the tracking number. Both are replaced, so that a repeated call adds nothing. */
export async function pushStatus(context: Context, { externalId, status, trackingId, carrier }: StatusPushed): Promise<void> {
  const path = `orders/${encodeURIComponent(externalId)}`
  const { value: known } = await call(context, 'GET', path)
  if (!isRow(known)) throw unreadable(LABEL, 'no order')
  const meta = { [TRACKING]: trackingId, [CARRIER]: carrier }
  const wanted = statusFor(context, status)
  const changes = Object.entries(meta).flatMap(([key, value]) => {
    const had = rows(known.meta_data).find((row) => row.key === key)
    if (value === undefined || had?.value === value) return []
    return [{ key, value, ...(had?.id !== undefined && { id: had.id }) }]
  })
  const json = {
    ...(wanted !== undefined && known.status !== wanted && { status: wanted }),
    ...(changes.length > 0 && { meta_data: changes }),
  }
  if (Object.keys(json).length > 0) await call(context, 'PUT', path, { json })
}

function statusFor({ settings }: Context, status: StatusPushed['status']): string | undefined {
  if (status === 'delivered') return 'completed'
  if (status === 'cancelled' || status === 'returned') return 'cancelled'
  return status === 'sent' ? settings.sentStatus || undefined : undefined
}
