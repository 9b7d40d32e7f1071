import type { Static } from '@sinclair/typebox'
import type { SendOptions } from '../../plugins/carrier/segments.model.ts'
import type { Context } from '../context.ts'
import { transaction } from '../data/sql.ts'
import { ApiError, notFound } from '../http/errors.ts'
import type { Account } from '../integrations/call-carrier.ts'
import { insertNew, requestSubmission } from '../parcels/create.ts'
import { type Adapted, adaptDestination } from '../parcels/edit.ts'
import { countOfOrder, findLiveOfOrder, type ParcelRow } from '../parcels/parcels.queries.ts'
import { reassign } from '../parcels/reassign.ts'
import { findProject } from '../projects/projects.queries.ts'
import { findOrder, linesOfOrder, lockOrder, type OrderRow, updateOrder } from './orders.queries.ts'
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
  const wanted = {
    ...order.destination,
    ...(options.deliveryType && { deliveryType: options.deliveryType }),
    ...(options.pickupId && { pickupId: options.pickupId }),
  }
  const live = await findLiveOfOrder(context.sql, orderId)
  const adapted: Adapted = live ? { warnings: [] } : await adaptDestination(context, account, { destination: wanted })
  const parcel = await transaction(context.sql, async (tx) => {
    const locked = await lockOrder(tx, orderId)
    if (!locked) throw notFound('The order')
    const parcel = (await existing(tx, locked, account)) ?? (await insertFor(tx, locked, account, options, adapted.destination ?? wanted))
    if (submit && parcel.status === 'created') await requestSubmission(tx, [parcel.id])
    return parcel
  })
  return { ...adapted, parcel }
}

/** The order's parcel, if it has one with this carrier. One that was never taken may change its carrier. */
async function existing(tx: Parameters<typeof lockOrder>[0], order: OrderRow, account: Account): Promise<ParcelRow | undefined> {
  const parcel = await findLiveOfOrder(tx, order.id)
  if (!parcel) {
    if (!open.includes(order.status))
      throw new ApiError('invalid_transition', `The order is ${order.status}; only one that is ${open.join(', ')} can be sent.`)
    return undefined
  }
  if (parcel.carrierAccountId === account.row.id) return parcel
  if (parcel.status !== 'created')
    throw new ApiError('order_already_sent', `The order is with ${parcel.courierId} already. Unsend it there first.`)
  return reassign(tx, parcel.id, account.row)
}

async function insertFor(
  tx: Parameters<typeof lockOrder>[0],
  order: OrderRow,
  account: Account,
  options: SendChoice,
  destination: ParcelRow['destination'],
): Promise<ParcelRow> {
  const project = (await findProject(tx, account.row.projectId))!
  const earlier = await countOfOrder(tx, order.id)
  const lines = await linesOfOrder(tx, order.storeId, order.id)
  const weight = options.weightKg ?? (await weightOf(tx, order.storeId, order.id))
  const parcel = await insertNew(tx, {
    projectId: project.id,
    tenantId: project.tenantId,
    reference: earlier === 0 ? order.reference : `${order.reference}-${earlier + 1}`,
    orderId: order.id,
    carrierAccountId: account.row.id,
    courierId: account.row.key,
    recipient: { name: order.customerName, phone: order.customerPhone, phoneAlt: order.customerPhoneAlt },
    destination,
    codAmount: order.total,
    declaredValue: order.subtotal,
    weightKg: String(weight),
    dimensions: options.dimensions ?? null,
    contents: lines
      .map(({ name, quantity }) => `${name} x${quantity}`)
      .join(', ')
      .slice(0, 1000),
    notes: options.notes ?? order.note.slice(0, 1000),
  })
  await updateOrder(tx, order.id, { parcelId: parcel.id })
  return parcel
}
