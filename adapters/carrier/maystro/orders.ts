import {
  CarrierError,
  type Change,
  number,
  type Row,
  refuse,
  type Sent,
  type Shipment,
  text,
  unreadable,
  wholeDinars,
  word,
} from 'serai/carrier'
import { call, changed, get, jsonOf, LABEL, orderPath, rowOf, succeeded } from './api.ts'
import type { Context } from './fields.ts'
import { stepsOf, wordOf } from './parcels.ts'
import { personOf, placeOf, productsOf, translate, typeNumber } from './shipment.ts'
import { ABORTED, isAway, isWaiting } from './statuses.ts'

/** What a client that was tried sends; its words are not published. */
const ABORT_REASON = 21

/** The uuid is the tracking number: every later call takes it, and a callback names it. The number on the label stands beside it. */
export async function send(context: Context, shipment: Shipment): Promise<Sent> {
  const { row, warnings } = await translate(context, shipment)
  const order = rowOf(jsonOf(succeeded(context, await call(context, 'POST', 'stores/orders/', { json: row }), 'POST')), 'no order')
  const trackingId = text(order.id)
  if (trackingId === undefined) throw unreadable(LABEL, `no id for ${shipment.reference}`)
  const displayId = word(order.display_id)
  return {
    trackingId,
    ...(displayId !== undefined && { carrierData: { displayId } }),
    ...(warnings.length > 0 && { warnings }),
  }
}

async function orderOf(context: Context, id: string): Promise<{ order: Row; status: string }> {
  const order = rowOf(await get(context, orderPath(id)), 'no order')
  const status = wordOf(order.status)
  if (status === '') throw unreadable(LABEL, `no status of ${id}`)
  return { order, status }
}

export const editable = ['recipient', 'destination', 'codAmount', 'contents', 'notes'] as const satisfies readonly (keyof Change)[]

/** Whether the carrier itself declines later changes is not known, so what has left is not asked for. */
export async function edit(context: Context, id: string, change: Change): Promise<void> {
  if (!editable.some((name) => change[name] !== undefined)) return
  const { order, status } = await orderOf(context, id)
  if (!isWaiting(status)) refuse('on_its_way', 'Maystro has the parcel; ask it for changes.')
  const row = await rowFor(context, order, change)
  changed(context, await call(context, 'PATCH', orderPath(id), { json: row }))
}

async function rowFor(context: Context, order: Row, { recipient, destination, codAmount, contents, notes }: Change): Promise<Row> {
  const type = number(order.delivery_type) ?? typeNumber(context, 'home')
  if (destination && (destination.deliveryType === 'pickup' || type !== typeNumber(context, 'home')))
    refuse('bad_change', 'Maystro changes where home deliveries go, and no stop desk. Cancel the parcel and send it again.')
  return {
    ...(recipient && personOf(recipient).row),
    ...(destination && (await placeOf(context, destination))),
    ...(codAmount !== undefined && { product_price: wholeDinars(codAmount, 'amount to collect') }),
    ...(contents?.trim() && { products: productsOf({ contents, reference: '' }) }),
    ...(notes !== undefined && { note_to_driver: notes.trim() }),
  }
}

/**
 * Aborting what has left would bring it back as a return, which is no cancellation. Believed once the order shows it: an order that is
 * cancelled here alone would be sent a second time.
 */
export async function cancel(context: Context, id: string): Promise<void> {
  const { status } = await orderOf(context, id)
  if (status === ABORTED && !(await stepsOf(context, id)).some(({ code }) => isAway(code))) return
  if (!isWaiting(status))
    throw new CarrierError('refused', 'Maystro has the parcel: aborted now it would come back as a return. Ask Maystro for that.', {
      code: status,
    })
  await abort(context, id)
  const left = await orderOf(context, id)
  if (left.status !== ABORTED)
    throw new CarrierError('refused', `Maystro still has the order: its status is ${left.status}. Abort it in its panel.`, {
      code: 'not_aborted',
    })
}

/** Older servers have it at another path than the present one. */
async function abort(context: Context, id: string): Promise<void> {
  const json = { status: Number(ABORTED), abort_reason: ABORT_REASON }
  const answer = await call(context, 'PATCH', `shared/status/${encodeURIComponent(id)}/`, { json })
  changed(context, answer.status === 404 ? await call(context, 'PATCH', `${orderPath(id)}status/`, { json }) : answer)
}
