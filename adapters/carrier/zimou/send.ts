import { CarrierError, isRow, number, present, type Row, type Sent, type Shipment, text, unreadable, webAddress } from 'serai/carrier'
import { call, label } from './api.ts'
import type { Context } from './fields.ts'
import { notePackage } from './notes.ts'
import { translate } from './shipment.ts'
import { statuses } from './statuses.ts'
import { statusesOf } from './track.ts'

/** Sends a parcel. Must not be retried blindly: the carrier accepts an `order_id` twice, and has no lookup by it. */
export async function send(context: Context, shipment: Shipment): Promise<Sent> {
  const { row, warnings } = await translate(context, shipment)
  const answer = await call(context, 'POST', 'v3/packages', { json: row })
  const data = isRow(answer) && isRow(answer.data) ? answer.data : {}
  const trackingId = text(data.tracking_code)
  if (trackingId === undefined) throw unreadable(label, 'neither a refusal nor a tracking code')
  const [id, printUrl] = [number(data.id), webAddress(data.print_url)]
  await notePackage(context, trackingId, present({ id, printUrl }))
  return {
    trackingId,
    ...(printUrl !== undefined && { labelUrl: printUrl }),
    carrierData: noteFor(data, id),
    ...(warnings.length > 0 && { warnings: [...warnings] }),
  }
}

/** Partner that delivers the package, and its tracking number there, for support. */
function noteFor(data: Row, id: number | undefined): Record<string, unknown> {
  return present({
    id,
    partner: text(data.tracking_partner_company),
    partnerTracking: text(data.delivery_company_tracking_code),
    bordereau: text(data.bordereau),
    deliveryPrice: number(data.delivery_price),
  })
}

/** Deletes a package. The answer to a deletion is not documented, so it succeeds once the carrier no longer shows the package. */
export async function cancel(context: Context, trackingId: string): Promise<void> {
  const statusOf = async () => (await statusesOf(context, [trackingId])).get(trackingId)
  if ((await statusOf()) === undefined) throw new CarrierError('not_found', `${label} has no package ${trackingId}.`)
  await call(context, 'DELETE', 'v3/packages/bulk', { json: { tracking_codes: [trackingId] } })
  const left = await statusOf()
  if (left !== undefined && statuses[left] !== 'cancelled')
    throw new CarrierError('refused', `${label} still has the package: ${left}. Cancel it in its portal.`, { code: 'not_deleted' })
}
