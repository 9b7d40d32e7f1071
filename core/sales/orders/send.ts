import type { Static } from '@sinclair/typebox'
import type { SendOptions } from '../../../plugins/carrier/segments.model.ts'
import type { Context } from '../../context.ts'
import { type Tx, transaction } from '../../data/sql.ts'
import { ApiError, notFound } from '../../http/errors.ts'
import { findProject } from '../../identity/projects/projects.queries.ts'
import { known } from '../../lib/known.ts'
import { amend } from '../../logistics/parcels/amend.ts'
import { insertNew } from '../../logistics/parcels/create.ts'
import type { ParcelRow } from '../../logistics/parcels/parcels.queries.ts'
import { requestSubmission } from '../../logistics/parcels/submission/request.ts'
import type { CarrierConnection } from '../../shop/connections/connection.ts'
import { type HeldOrder, holdOrder } from './hold.ts'
import { findOrder, type OrderRow, updateOrder } from './orders.queries.ts'
import { parcelOf } from './parcel-of.ts'
import { open } from './statuses.ts'
import { weightOf } from './weight.queries.ts'

export type SendChoice = Static<typeof SendOptions>

/**
 * Makes the parcel of an order, if it has none, ready for its carrier. One order, one parcel: whoever asks again gets the same one.
 * With `submit` its sending is asked for in the same transaction. Throws `order_already_sent`, `invalid_transition`, `not_found`.
 */
export async function prepareParcel(
  context: Context,
  connection: CarrierConnection,
  orderId: string,
  options: SendChoice,
  submit: boolean,
): Promise<ParcelRow> {
  const order = await findOrder(context.sql, orderId)
  if (!order || order.storeId !== connection.row.storeId) throw notFound('The order')
  return transaction(context.sql, async (tx) => {
    const held = await holdOrder(tx, orderId)
    if (held.order.paymentStatus === 'needs_attention')
      throw new ApiError(
        'payment_needs_attention',
        `One of the order's payments waits for a person, so that it is not known what to collect: GET /v1/orders/${orderId}/payments, then accept or refund it.`,
      )
    const parcel = (await existing(tx, held, connection, options)) ?? (await insertFor(tx, held.order, connection, options))
    if (submit && parcel.status === 'created') await requestSubmission(tx, [parcel.id])
    return parcel
  })
}

/** Where it goes, as it is sent now: a centre of another carrier is none of this one's. */
function wanted(
  place: ParcelRow['destination'],
  live: ParcelRow | undefined,
  connection: CarrierConnection,
  { deliveryType, pickupId }: SendChoice,
) {
  const moved = live !== undefined && live.carrierAccountId !== connection.row.id
  return { ...place, ...(moved && { pickupId: null }), ...(deliveryType && { deliveryType }), ...(pickupId && { pickupId }) }
}

const chosen = ({ weightKg, dimensions, notes }: SendChoice) => ({
  ...(weightKg !== undefined && { weightKg: String(weightKg) }),
  ...(dimensions && { dimensions }),
  ...(notes !== undefined && { notes }),
})

/** The order's parcel, if it has one with this carrier. One that no carrier has goes to the one that is asked now, as it is asked now. */
async function existing(
  tx: Tx,
  { order, parcel }: HeldOrder,
  connection: CarrierConnection,
  options: SendChoice,
): Promise<ParcelRow | undefined> {
  if (!parcel) {
    if (!open.includes(order.status))
      throw new ApiError('invalid_transition', `The order is ${order.status}; only one that is ${open.join(', ')} can be sent.`)
    return undefined
  }
  if (parcel.status === 'created') {
    const destination = wanted(parcel.destination, parcel, connection, options)
    return amend(tx, parcel.id, { carrierAccountId: connection.row.id, courierId: connection.row.key, destination, ...chosen(options) })
  }
  if (parcel.carrierAccountId === connection.row.id) return parcel
  throw new ApiError('order_already_sent', `The order is with ${parcel.courierId} already. Unsend it there first.`)
}

async function insertFor(tx: Tx, order: OrderRow, connection: CarrierConnection, options: SendChoice): Promise<ParcelRow> {
  const [project, weightKg, taken] = await Promise.all([
    findProject(tx, connection.row.projectId),
    weightOf(tx, order.storeId, order.id),
    parcelOf(tx, order),
  ])
  const sendings = order.sendings + 1
  const parcel = await insertNew(tx, {
    projectId: connection.row.projectId,
    tenantId: known(project, 'The project of a connection').tenantId,
    // A carrier that remembers what was cancelled must not take it for this one.
    reference: sendings === 1 ? order.reference : `${order.reference}-${sendings}`,
    orderId: order.id,
    carrierAccountId: connection.row.id,
    courierId: connection.row.key,
    weightKg: String(weightKg),
    notes: order.note.slice(0, 1000),
    ...taken,
    destination: wanted(order.destination, undefined, connection, options),
    ...chosen(options),
  })
  await updateOrder(tx, order.id, { parcelId: parcel.id, sendings, heldUntil: null })
  return parcel
}
