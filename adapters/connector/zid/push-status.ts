import { type Row, type StatusPushed, text, word } from 'serai/connector'
import { call, row } from './api.ts'
import type { Context } from './fields.ts'
import { viewOf } from './orders.ts'

/** Status codes; the platform has none for a returned order. */
const codes: Readonly<Record<StatusPushed['status'], string | undefined>> = {
  confirmed: 'preparing',
  sent: 'indelivery',
  delivered: 'delivered',
  returned: undefined,
  cancelled: 'cancelled',
}

/** Sets the status and the tracking number if they differ. Both are replaced, so that a repeated call adds nothing. */
export async function pushStatus(context: Context, { externalId, status, trackingId }: StatusPushed): Promise<void> {
  const code = codes[status]
  const said = code === undefined ? undefined : await viewOf(context, externalId)
  if (code === undefined || !said) return
  if (codeOf(said) === code && (trackingId === undefined || numberOf(said) === trackingId)) return
  const form = { order_status: code, ...(trackingId !== undefined && { tracking_number: trackingId }) }
  await call(context, 'POST', `store/orders/${encodeURIComponent(externalId)}/change-order-status`, { form })
}

/** Returns the status code, of which the documents show two spellings. */
const codeOf = ({ order_status: status }: Row) =>
  text(row(status).code)
    ?.toLowerCase()
    .replace(/^canceled$/, 'cancelled')
const numberOf = ({ shipping }: Row) => word(row(row(row(shipping).method).tracking).number)
