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
import { call, expectChange, expectSuccess, get, jsonOf, LABEL, orderPath, rowOf } from './api.ts'
import type { Context } from './fields.ts'
import { stepsOf, wordOf } from './parcels.ts'
import { personOf, placeOf, productsOf, translate, typeNumber } from './shipment.ts'
import { ABORTED, isAway, isWaiting } from './statuses.ts'

/** Abort reason that a tested client sends; the list is not published. */
const ABORT_REASON = 21

/** Sends a parcel. Its UUID is the tracking number, which calls and callbacks use; the number on the label is kept as an alias. */
export async function send(context: Context, shipment: Shipment): Promise<Sent> {
  const { row, warnings } = await translate(context, shipment)
  const order = rowOf(jsonOf(expectSuccess(context, await call(context, 'POST', 'stores/orders/', { json: row }), 'POST')), 'no order')
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

/** Fields of a parcel that can be edited. */
export const editable = ['recipient', 'destination', 'codAmount', 'contents', 'notes'] as const satisfies readonly (keyof Change)[]

/** Edits a parcel that has not left. The carrier may accept later changes silently, so they are not sent. */
export async function edit(context: Context, id: string, change: Change): Promise<void> {
  if (!editable.some((name) => change[name] !== undefined)) return
  const { order, status } = await orderOf(context, id)
  if (!isWaiting(status)) refuse('on_its_way', 'Maystro has the parcel; ask it for changes.')
  const row = await rowFor(context, order, change)
  expectChange(context, await call(context, 'PATCH', orderPath(id), { json: row }))
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
 * Cancels an order that has not left; aborting a later one would start a return. Succeeds only once the carrier shows it as aborted,
 * because an order cancelled on our side only could be sent twice.
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

/** Aborts an order. Older servers use another path. */
async function abort(context: Context, id: string): Promise<void> {
  const json = { status: Number(ABORTED), abort_reason: ABORT_REASON }
  const answer = await call(context, 'PATCH', `shared/status/${encodeURIComponent(id)}/`, { json })
  expectChange(context, answer.status === 404 ? await call(context, 'PATCH', `${orderPath(id)}status/`, { json }) : answer)
}
