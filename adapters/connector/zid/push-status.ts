import { type Row, type StatusPushed, text, word } from 'serai/connector'
import { call, row } from './api.ts'
import type { Context } from './fields.ts'
import { viewOf } from './orders.ts'

/** It has no status of what came back. */
const codes: Readonly<Record<StatusPushed['status'], string | undefined>> = {
  confirmed: 'preparing',
  sent: 'indelivery',
  delivered: 'delivered',
  returned: undefined,
  cancelled: 'cancelled',
}

/** The status and the parcel's number, where the order has others. Both are replaced: told again, nothing is added. */
export async function pushStatus(context: Context, { externalId, status, trackingId }: StatusPushed): Promise<void> {
  const code = codes[status]
  const said = code === undefined ? undefined : await viewOf(context, externalId)
  if (code === undefined || !said) return
  if (codeOf(said) === code && (trackingId === undefined || numberOf(said) === trackingId)) return
  const form = { order_status: code, ...(trackingId !== undefined && { tracking_number: trackingId }) }
  await call(context, 'POST', `store/orders/${encodeURIComponent(externalId)}/change-order-status`, { form })
}

/** Its documents spell it either way. */
const codeOf = ({ order_status: status }: Row) =>
  text(row(status).code)
    ?.toLowerCase()
    .replace(/^canceled$/, 'cancelled')
const numberOf = ({ shipping }: Row) => word(row(row(row(shipping).method).tracking).number)
