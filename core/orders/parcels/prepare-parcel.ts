import type { Context } from '../../context.ts'
import { type Tx, transaction } from '../../data/sql.ts'
import { ApiError, notFound } from '../../http/errors/errors.ts'
import { findProject } from '../../identity/tenants/projects.queries.ts'
import type { CarrierConnection } from '../../integrations/connections/connection.ts'
import { invariant } from '../../lib/invariant.ts'
import { ERASED } from '../../lib/person/person-matcher.ts'
import { insertAllNew, insertNew } from '../../logistics/parcels/create.ts'
import type { ParcelRow } from '../../logistics/parcels/parcels.queries.ts'
import { requestSubmission } from '../../logistics/parcels/submission/request.ts'
import { recordAudit, recordAuditAll } from '../../platform/audit/record-audit.ts'
import { type HeldOrder, holdFree, holdOrder } from '../change/hold.ts'
import { isPlaceUnknown } from '../create/place-warning.ts'
import { findOrder, type OrderRow, updateOrder, updateOrders } from '../orders.queries.ts'
import { weightOf, weightsOf } from '../pricing/weight.queries.ts'
import { assertConfirmed, assertPlaceKnown, needsForce, readSendRule, type SendRule } from './confirmed.ts'
import { amountAsked, askedAgain, assertAmount, newParcel, type SendChoice, saidOf, sentAs } from './new-parcel.ts'
import { dueOf, parcelOf, parcelOfLines } from './parcel-of.ts'
import { assertOpen, isOfPart, type PartChoice, partFor } from './send-part.ts'

/**
 * Makes the parcel of an order, or of a part of it, if it has none, ready for its carrier. One part, one parcel: whoever asks again gets the same one.
 * With `submit` its sending is asked for in the same transaction. Throws `order_already_sent`, `order_not_confirmed`, `place_unknown`,
 * `invalid_transition`, `not_found`.
 */
export async function prepareParcel(
  context: Context,
  connection: CarrierConnection,
  orderId: string,
  { force, ...choice }: PartChoice,
  submit: boolean,
): Promise<ParcelRow> {
  const { projectId, storeId } = connection.row
  if (!(await findOrder(context.sql, { storeId, id: orderId }))) throw notFound('The order')
  return transaction(context.sql, async (tx) => {
    const held = await holdOrder(tx, { projectId, storeId, orderId })
    const rule = await readSendRule(tx, storeId, force)
    assertSettled(held.order)
    assertConfirmed(held.order, rule)
    assertPlaceKnown(held.order, rule)
    const parcel = isOfPart(held.order, choice) ? await partFor(tx, held, connection, choice) : await wholeFor(tx, held, connection, choice)
    if (parcel.status !== 'created') return parcel
    if (submit) await requestSubmission(tx, projectId, [parcel.id])
    await recordAudit(tx, { storeId }, sendingOf(held.order, parcel, rule))
    return parcel
  })
}

/** The sending of an order, for the audit. */
const sendingOf = (order: OrderRow, { id: parcelId, courierId: carrier }: ParcelRow, rule: SendRule) => ({
  what: 'order.sent' as const,
  thing: order.id,
  after: {
    carrier,
    parcelId,
    status: order.status,
    ...((needsForce(order, rule) || isPlaceUnknown(order.destination)) && { forced: true }),
  },
})

function assertSettled({ id, paymentStatus, customerPhone }: OrderRow) {
  if (customerPhone === ERASED)
    throw new ApiError('conflict', 'The personal data of this order was erased: nobody can deliver it any more.')
  if (paymentStatus !== 'needs_attention') return
  throw new ApiError(
    'payment_needs_attention',
    `One of the order's payments waits for a person, so that it is not known what to collect: GET /v1/orders/${id}/payments, then accept or refund it.`,
  )
}

/** The one parcel of all of it. */
async function wholeFor(tx: Tx, { order, parcels: [parcel] }: HeldOrder, connection: CarrierConnection, choice: PartChoice) {
  const { items: _, part: __, codAmount, ...options } = choice
  const toCollect = amountAsked(codAmount, connection)
  if (parcel) return askedAgain(tx, parcel, connection, options, toCollect)
  assertOpen(order)
  assertAmount(toCollect, dueOf(order))
  const [project, weightKg, taken] = await Promise.all([
    findProject(tx, connection.row.projectId),
    weightOf(tx, order.storeId, order.id),
    parcelOf(tx, order),
  ])
  const { tenantId } = invariant(project, 'The project of a connection')
  const made = await insertNew(tx, { ...taken, ...newParcel(order, connection, { tenantId, weightKg }, options) })
  await updateOrder(tx, order, { ...sentAs(order, made.id), said: saidOf(options) })
  return made
}

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
  const choices = new Map(orders.map(({ orderId, force: _, ...choice }) => [orderId, choice]))
  const forced = new Set(orders.flatMap(({ orderId, force }) => (force ? [orderId] : [])))
  const { projectId, storeId } = connection.row
  return transaction(context.sql, async (tx) => {
    const found = await holdFree(tx, { id: storeId, projectId }, [...choices.keys()])
    const rule = await readSendRule(tx, storeId, false)
    const ruleOf = ({ id }: OrderRow) => ({ ...rule, force: forced.has(id) })
    const refusals = new Map(found.flatMap((order) => refusalOf(order, ruleOf(order))))
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
    const { tenantId } = invariant(project, 'The project of a connection')
    const values = ready.map((order) => {
      const asked = newParcel(order, connection, { tenantId, weightKg: weights.get(order.id) ?? 0 }, choices.get(order.id) ?? {})
      return { ...parcelOfLines(order, order.items), ...asked }
    })
    const made = new Map((await insertAllNew(tx, values)).map((parcel) => [parcel.orderId ?? '', parcel]))
    const parcelOfOrder = (id: string) => invariant(made.get(id), 'The parcel of an order')
    await updateOrders(
      tx,
      ready.map((order) => {
        const said = saidOf(choices.get(order.id) ?? {})
        return { storeId: order.storeId, id: order.id, ...sentAs(order, parcelOfOrder(order.id).id), said }
      }),
    )
    await requestSubmission(
      tx,
      projectId,
      [...made.values()].map(({ id }) => id),
    )
    await recordAuditAll(
      tx,
      { storeId },
      ready.map((order) => sendingOf(order, parcelOfOrder(order.id), ruleOf(order))),
    )
    return new Map<string, ParcelRow | ApiError>([...refusals, ...made])
  })
}

/** Why an order cannot be sent, if it cannot. */
function refusalOf(order: OrderRow, rule: SendRule): [string, ApiError][] {
  try {
    assertSettled(order)
    assertOpen(order)
    assertConfirmed(order, rule)
    assertPlaceKnown(order, rule)
    return []
  } catch (error) {
    if (error instanceof ApiError) return [[order.id, error]]
    throw error
  }
}
