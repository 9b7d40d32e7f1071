import type { Static } from '@sinclair/typebox'
import type { SendOptions } from '../../plugins/carrier/segments.model.ts'
import type { Context } from '../context.ts'
import { type Queryable, transaction } from '../data/sql.ts'
import { ApiError, notFound } from '../http/errors.ts'
import type { Account } from '../integrations/call-carrier.ts'
import { amend, holdLive } from '../parcels/amend.ts'
import { insertNew, requestSubmission } from '../parcels/create.ts'
import { type Adapted, adaptDestination } from '../parcels/edit.ts'
import { findLiveOfOrder, type ParcelRow } from '../parcels/parcels.queries.ts'
import { findProject } from '../projects/projects.queries.ts'
import { findOrder, lockOrder, type OrderRow, updateOrder } from './orders.queries.ts'
import { parcelOf } from './parcel-of.ts'
import { open } from './statuses.ts'
import { weightOf } from './weight.queries.ts'

export type SendChoice = Static<typeof SendOptions>

export interface Prepared extends Adapted {
  readonly parcel: ParcelRow
}

/**
 * Makes the parcel of an order, if it has none, ready for its carrier. One order, one parcel: whoever asks again gets the same one.
 * With `submit` its sending is enqueued in the same transaction. Throws `order_already_sent`, `invalid_transition`, `not_found`.
 */
export async function prepareParcel(
  context: Context,
  account: Account,
  orderId: string,
  options: SendChoice,
  submit: boolean,
): Promise<Prepared> {
  const order = await findOrder(context.sql, orderId)
  if (!order || order.storeId !== account.row.storeId) throw notFound('The order')
  const live = await findLiveOfOrder(context.sql, orderId)
  const adapted: Adapted =
    live && live.status !== 'created'
      ? { warnings: [] }
      : await adaptDestination(context, account, { destination: wanted(live?.destination ?? order.destination, live, account, options) })
  const parcel = await transaction(context.sql, async (tx) => {
    await holdLive(tx, orderId)
    const locked = await lockOrder(tx, orderId)
    if (!locked) throw notFound('The order')
    const parcel = (await existing(tx, locked, account, options, adapted)) ?? (await insertFor(tx, locked, account, options, adapted))
    if (submit && parcel.status === 'created') await requestSubmission(tx, [parcel.id])
    return parcel
  })
  return { ...adapted, parcel }
}

/** Where it goes, as it is sent now: a centre of another carrier is none of this one's. */
function wanted(place: ParcelRow['destination'], live: ParcelRow | undefined, account: Account, { deliveryType, pickupId }: SendChoice) {
  const moved = live !== undefined && live.carrierAccountId !== account.row.id
  return { ...place, ...(moved && { pickupId: null }), ...(deliveryType && { deliveryType }), ...(pickupId && { pickupId }) }
}

const chosen = ({ weightKg, dimensions, notes }: SendChoice) => ({
  ...(weightKg !== undefined && { weightKg: String(weightKg) }),
  ...(dimensions && { dimensions }),
  ...(notes !== undefined && { notes }),
})

/** The order's parcel, if it has one with this carrier. One that no carrier has goes to the one that is asked now, as it is asked now. */
async function existing(
  tx: Queryable,
  order: OrderRow,
  account: Account,
  options: SendChoice,
  { destination }: Adapted,
): Promise<ParcelRow | undefined> {
  const parcel = await holdLive(tx, order.id)
  if (!parcel) {
    if (!open.includes(order.status))
      throw new ApiError('invalid_transition', `The order is ${order.status}; only one that is ${open.join(', ')} can be sent.`)
    return undefined
  }
  if (parcel.status === 'created') {
    const place = destination ?? wanted(parcel.destination, parcel, account, options)
    return amend(tx, parcel.id, { carrierAccountId: account.row.id, courierId: account.row.key, destination: place, ...chosen(options) })
  }
  if (parcel.carrierAccountId === account.row.id) return parcel
  throw new ApiError('order_already_sent', `The order is with ${parcel.courierId} already. Unsend it there first.`)
}

async function insertFor(
  tx: Queryable,
  order: OrderRow,
  account: Account,
  options: SendChoice,
  { destination }: Adapted,
): Promise<ParcelRow> {
  const project = (await findProject(tx, account.row.projectId))!
  const sendings = order.sendings + 1
  const parcel = await insertNew(tx, {
    projectId: project.id,
    tenantId: project.tenantId,
    // A carrier that remembers what was cancelled must not take it for this one.
    reference: sendings === 1 ? order.reference : `${order.reference}-${sendings}`,
    orderId: order.id,
    carrierAccountId: account.row.id,
    courierId: account.row.key,
    weightKg: String(await weightOf(tx, order.storeId, order.id)),
    notes: order.note.slice(0, 1000),
    ...(await parcelOf(tx, order)),
    destination: destination ?? wanted(order.destination, undefined, account, options),
    ...chosen(options),
  })
  await updateOrder(tx, order.id, { parcelId: parcel.id, sendings })
  return parcel
}
