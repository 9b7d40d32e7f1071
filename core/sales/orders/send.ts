import type { Static } from '@sinclair/typebox'
import type { SendOptions } from '../../../plugins/carrier/segments.model.ts'
import type { Context } from '../../context.ts'
import { type Tx, transaction } from '../../data/sql.ts'
import { ApiError, notFound } from '../../http/errors.ts'
import { findProject } from '../../identity/projects/projects.queries.ts'
import { known } from '../../lib/known.ts'
import { amend } from '../../logistics/parcels/amend.ts'
import { insertAllNew, insertNew } from '../../logistics/parcels/create.ts'
import type { ParcelRow } from '../../logistics/parcels/parcels.queries.ts'
import { requestSubmission } from '../../logistics/parcels/submission/request.ts'
import type { CarrierConnection } from '../../shop/connections/connection.ts'
import { type HeldOrder, holdFree, holdOrder } from './hold.ts'
import { findOrder, type OrderRow, updateOrder, updateOrders } from './orders.queries.ts'
import { parcelOf, parcelOfLines } from './parcel-of.ts'
import { open } from './statuses.ts'
import { weightOf, weightsOf } from './weight.queries.ts'

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
  const { projectId, storeId } = connection.row
  if (!(await findOrder(context.sql, { storeId, id: orderId }))) throw notFound('The order')
  return transaction(context.sql, async (tx) => {
    const held = await holdOrder(tx, { projectId, storeId, orderId })
    assertSettled(held.order)
    const parcel = (await existing(tx, held, connection, options)) ?? (await insertFor(tx, held.order, connection, options))
    if (submit && parcel.status === 'created') await requestSubmission(tx, projectId, [parcel.id])
    return parcel
  })
}

function assertSettled({ id, paymentStatus }: OrderRow) {
  if (paymentStatus !== 'needs_attention') return
  throw new ApiError(
    'payment_needs_attention',
    `One of the order's payments waits for a person, so that it is not known what to collect: GET /v1/orders/${id}/payments, then accept or refund it.`,
  )
}

function assertOpen({ status }: OrderRow) {
  if (open.includes(status)) return
  throw new ApiError('invalid_transition', `The order is ${status}; only one that is ${open.join(', ')} can be sent.`)
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
    assertOpen(order)
    return undefined
  }
  if (parcel.status === 'created') {
    const destination = wanted(parcel.destination, parcel, connection, options)
    return amend(tx, parcel, { carrierAccountId: connection.row.id, courierId: connection.row.key, destination, ...chosen(options) })
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
  const { tenantId } = known(project, 'The project of a connection')
  const parcel = await insertNew(tx, { ...taken, ...newParcel(order, connection, { tenantId, weightKg }, options) })
  await updateOrder(tx, order, sentAs(order, parcel.id))
  return parcel
}

/** The parcel of an order, but for what it takes over. */
function newParcel(
  order: OrderRow,
  connection: CarrierConnection,
  { tenantId, weightKg }: { tenantId: number; weightKg: number },
  options: SendChoice,
) {
  return {
    projectId: connection.row.projectId,
    tenantId,
    // A carrier that remembers what was cancelled must not take it for this one.
    reference: order.sendings === 0 ? order.reference : `${order.reference}-${order.sendings + 1}`,
    orderId: order.id,
    carrierAccountId: connection.row.id,
    courierId: connection.row.key,
    weightKg: String(weightKg),
    notes: order.note.slice(0, 1000),
    dimensions: null,
    destination: wanted(order.destination, undefined, connection, options),
    ...chosen(options),
  }
}

const sentAs = ({ sendings }: OrderRow, parcelId: string) => ({ parcelId, sendings: sendings + 1, heldUntil: null })

export type Wanted = { readonly orderId: string } & SendChoice

/**
 * Makes the parcels of many orders of a store in few statements, and asks for their sending in the same transaction. It takes what is plain:
 * orders without a parcel that nobody else holds now. What came of the others is for `prepareParcel` to say, one by one.
 */
export async function prepareTogether(
  context: Context,
  connection: CarrierConnection,
  orders: readonly Wanted[],
): Promise<ReadonlyMap<string, ParcelRow | ApiError>> {
  const choices = new Map(orders.map(({ orderId, ...choice }) => [orderId, choice]))
  const { projectId, storeId } = connection.row
  return transaction(context.sql, async (tx) => {
    const found = await holdFree(tx, { id: storeId, projectId }, [...choices.keys()])
    const refusals = new Map(found.flatMap((order) => refusalOf(order)))
    const ready = found.filter(({ id }) => !refusals.has(id))
    if (ready.length === 0) return refusals
    const [project, weights] = await Promise.all([
      findProject(tx, projectId),
      weightsOf(
        tx,
        storeId,
        ready.map(({ id }) => id),
      ),
    ])
    const { tenantId } = known(project, 'The project of a connection')
    const values = ready.map((order) => {
      const asked = newParcel(order, connection, { tenantId, weightKg: weights.get(order.id) ?? 0 }, choices.get(order.id) ?? {})
      return { ...parcelOfLines(order, order.items), ...asked }
    })
    const made = new Map((await insertAllNew(tx, values)).map((parcel) => [parcel.orderId ?? '', parcel]))
    const parcelOfOrder = (id: string) => known(made.get(id), 'The parcel of an order')
    await updateOrders(
      tx,
      ready.map((order) => ({ storeId: order.storeId, id: order.id, ...sentAs(order, parcelOfOrder(order.id).id) })),
    )
    await requestSubmission(
      tx,
      projectId,
      [...made.values()].map(({ id }) => id),
    )
    return new Map<string, ParcelRow | ApiError>([...refusals, ...made])
  })
}

/** Why an order cannot be sent, if it cannot. */
function refusalOf(order: OrderRow): [string, ApiError][] {
  try {
    assertSettled(order)
    assertOpen(order)
    return []
  } catch (error) {
    if (error instanceof ApiError) return [[order.id, error]]
    throw error
  }
}
