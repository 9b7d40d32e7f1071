import type { Context } from '../../context.ts'
import { type Tx, transaction } from '../../data/sql.ts'
import { findProject } from '../../identity/tenants/projects.queries.ts'
import type { CarrierConnection } from '../../integrations/connections/connection.ts'
import { DomainError, notFound } from '../../lib/errors/domain-error.ts'
import { invariant } from '../../lib/invariant.ts'
import { ERASED } from '../../lib/person/person-matcher.ts'
import { insertNewParcel, insertNewParcels } from '../../logistics/parcels/create.ts'
import type { ParcelRow } from '../../logistics/parcels/parcels.queries.ts'
import { requestSubmission } from '../../logistics/parcels/submission/request.ts'
import { recordAudit, recordAuditAll } from '../../platform/audit/record-audit.ts'
import { type LockedOrder, lockOrderWithParcels, lockUnsentOrdersSkipLocked } from '../change/lock-order.ts'
import { isPlaceUnknown } from '../create/place-warning.ts'
import { orderErrors } from '../orders.errors.ts'
import { findOrder, type OrderRow, updateOrder, updateOrders } from '../orders.queries.ts'
import { orderWeightOf, orderWeightsOf } from '../pricing/weight.queries.ts'
import {
  assertCodAmount,
  newParcelValues,
  overridesOf,
  requestedCodAmount,
  reuseParcel,
  type SendChoice,
  sendingColumns,
} from './new-parcel.ts'
import { amountDueOf, parcelValuesOf, parcelValuesOfLines } from './parcel-values.ts'
import { assertSendable, isPartialSending, type PartChoice, preparePart } from './send-part.ts'
import { assertConfirmed, assertPlaceKnown, needsForce, readSendRule, type SendRule } from './send-rule.ts'

/**
 * Creates the parcel of an order or of a part of it, unless it exists; a repeated call returns the same parcel. With `submit`, queues the
 * parcel for its carrier in the same transaction. Throws `order_already_sent`, `order_not_confirmed`, `place_unknown`,
 * `invalid_transition`, `not_found`.
 */
export async function prepareParcel(
  context: Context,
  connection: CarrierConnection,
  orderId: string,
  { force, ...choice }: PartChoice,
  { submit }: { readonly submit: boolean },
): Promise<ParcelRow> {
  const { projectId, storeId } = connection.row
  if (!(await findOrder(context.sql, { storeId, id: orderId }))) throw notFound('The order')
  return transaction(context.sql, async (tx) => {
    const locked = await lockOrderWithParcels(tx, { projectId, storeId, orderId })
    const rule = await readSendRule(tx, storeId, { force })
    assertDeliverable(locked.order)
    assertConfirmed(locked.order, rule)
    assertPlaceKnown(locked.order, rule)
    const parcel = isPartialSending(locked.order, choice)
      ? await preparePart(tx, locked, connection, choice)
      : await prepareWholeOrder(tx, locked, connection, choice)
    if (parcel.status !== 'created') return parcel
    if (submit) await requestSubmission(tx, projectId, [parcel.id])
    await recordAudit(tx, { storeId }, sendingAuditEntry(locked.order, parcel, rule))
    return parcel
  })
}

/** Audit entry of a sending. */
const sendingAuditEntry = (order: OrderRow, { id: parcelId, courierId: carrier }: ParcelRow, rule: SendRule) => ({
  what: 'order.sent' as const,
  thing: order.id,
  after: {
    carrier,
    parcelId,
    status: order.status,
    ...((needsForce(order, rule) || isPlaceUnknown(order.destination)) && { forced: true }),
  },
})

function assertDeliverable({ id, paymentStatus, customerPhone }: OrderRow) {
  if (customerPhone === ERASED) throw orderErrors.personErased()
  if (paymentStatus !== 'needs_attention') return
  throw orderErrors.amountUncertain({ id })
}

/** Prepares the one parcel of an undivided order. */
async function prepareWholeOrder(tx: Tx, { order, parcels: [parcel] }: LockedOrder, connection: CarrierConnection, choice: PartChoice) {
  const { items: _, part: __, codAmount, ...options } = choice
  const toCollect = requestedCodAmount(codAmount, connection)
  if (parcel) return reuseParcel(tx, parcel, connection, options, toCollect)
  assertSendable(order)
  assertCodAmount(toCollect, amountDueOf(order))
  const [project, weightKg, taken] = await Promise.all([
    findProject(tx, connection.row.projectId),
    orderWeightOf(tx, order.storeId, order.id),
    parcelValuesOf(tx, order),
  ])
  const { tenantId } = invariant(project, 'The project of a connection')
  const made = await insertNewParcel(tx, { ...taken, ...newParcelValues(order, connection, { tenantId, weightKg }, options) })
  await updateOrder(tx, order, { ...sendingColumns(order, made.id), overrides: overridesOf(options) })
  return made
}

/** Order to send, with the options of its sending. */
export type OrderToSend = { readonly orderId: string } & SendChoice

/**
 * Creates and queues the parcels of many orders with few statements. Handles only undivided orders without a parcel that no other
 * transaction has locked. The result has a parcel or an error for each of those; send the others with {@link prepareParcel}.
 */
export async function prepareParcels(
  context: Context,
  connection: CarrierConnection,
  orders: readonly OrderToSend[],
): Promise<ReadonlyMap<string, ParcelRow | DomainError>> {
  const choices = new Map(orders.map(({ orderId, force: _, ...choice }) => [orderId, choice]))
  const forced = new Set(orders.flatMap(({ orderId, force }) => (force ? [orderId] : [])))
  const { projectId, storeId } = connection.row
  return transaction(context.sql, async (tx) => {
    const found = await lockUnsentOrdersSkipLocked(tx, { id: storeId, projectId }, [...choices.keys()])
    const rule = await readSendRule(tx, storeId, { force: false })
    const ruleOf = ({ id }: OrderRow) => ({ ...rule, force: forced.has(id) })
    const refusals = new Map(found.flatMap((order) => refusalOf(order, ruleOf(order))))
    const ready = found.filter(({ id }) => !refusals.has(id))
    if (ready.length === 0) return refusals
    const [project, weights] = await Promise.all([
      findProject(tx, projectId),
      orderWeightsOf(
        tx,
        storeId,
        ready.map(({ id }) => id),
      ),
    ])
    const { tenantId } = invariant(project, 'The project of a connection')
    const values = ready.map((order) => {
      const asked = newParcelValues(order, connection, { tenantId, weightKg: weights.get(order.id) ?? 0 }, choices.get(order.id) ?? {})
      return { ...parcelValuesOfLines(order, order.items), ...asked }
    })
    const made = new Map((await insertNewParcels(tx, values)).map((parcel) => [parcel.orderId ?? '', parcel]))
    const parcelOfOrder = (id: string) => invariant(made.get(id), 'The parcel of an order')
    await updateOrders(
      tx,
      ready.map((order) => {
        const overrides = overridesOf(choices.get(order.id) ?? {})
        return { storeId: order.storeId, id: order.id, ...sendingColumns(order, parcelOfOrder(order.id).id), overrides }
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
      ready.map((order) => sendingAuditEntry(order, parcelOfOrder(order.id), ruleOf(order))),
    )
    return new Map<string, ParcelRow | DomainError>([...refusals, ...made])
  })
}

/** Returns the id of the order with the error that prevents its sending; empty when it can be sent. */
function refusalOf(order: OrderRow, rule: SendRule): [string, DomainError][] {
  try {
    assertDeliverable(order)
    assertSendable(order)
    assertConfirmed(order, rule)
    assertPlaceKnown(order, rule)
    return []
  } catch (error) {
    if (error instanceof DomainError) return [[order.id, error]]
    throw error
  }
}
