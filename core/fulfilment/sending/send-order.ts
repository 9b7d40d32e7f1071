import type { SendRowResult } from '../../../plugins/carrier/rows.model.ts'
import { limits } from '../../config.ts'
import type { Context } from '../../context.ts'
import { isConnectionError } from '../../data/database/database.ts'
import { transaction } from '../../data/sql.ts'
import type { RowError } from '../../http/errors/row-error.model.ts'
import { presentRowError, toRowError } from '../../http/errors/row-error.ts'
import { type CarrierConnection, openConnection } from '../../integrations/connections/connection.ts'
import { findConnectionByKey } from '../../integrations/connections/connections.queries.ts'
import { mapConcurrent } from '../../lib/async/map-concurrent.ts'
import { DomainError, notFound } from '../../lib/errors/domain-error.ts'
import { invariant } from '../../lib/invariant.ts'
import { cancelParcel, deleteParcel } from '../../logistics/parcels/change/cancel.ts'
import { parcelTransitions } from '../../logistics/parcels/lifecycle/transitions.ts'
import { isPending, submissionError, waitForOutcome, waitForOutcomes } from '../../logistics/parcels/lifecycle/wait-for-outcomes.ts'
import { listLiveParcelsOfOrder, type ParcelRow } from '../../logistics/parcels/parcels.queries.ts'
import { presentSendingResponse } from '../../logistics/parcels/present.ts'
import { requestSubmission, wakeSenders } from '../../logistics/parcels/submission/request.ts'
import { findOrder } from '../../orders/orders.queries.ts'
import { type OrderToSend, prepareParcel, prepareParcels } from '../../orders/parcels/prepare-parcel.ts'
import type { PartChoice } from '../../orders/parcels/send-part.ts'
import { recordAudit } from '../../platform/audit/record-audit.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { findCurrency } from '../../shop/stores/stores.queries.ts'
import { sendingErrors } from './sending.errors.ts'

/**
 * Opens the store's enabled connection to a carrier. Throws `not_found`, `carrier_not_enabled`, and `currency_not_supported` when the
 * carrier collects another currency.
 */
async function openEnabledConnection(context: Context, storeId: string, key: string): Promise<CarrierConnection> {
  if (!context.plugins.find('carrier', key)) throw notFound(`A carrier "${key}"`)
  const row = await findConnectionByKey(context.sql, storeId, key)
  if (!row?.enabled) throw sendingErrors.carrierNotEnabled({ key, storeId })
  const connection = openConnection(context, 'carrier', row)
  const { carrier } = connection.mounted
  const currency = await findCurrency(context.sql, storeId)
  if (carrier.currency !== currency)
    throw sendingErrors.currencyDiffers({ label: carrier.label, currency: carrier.currency, collected: currency })
  return connection
}

/** Sends an order or a part of it, and waits up to ten seconds for the carrier. After that, the parcel continues by itself. */
export async function sendOrder(context: Context, storeId: string, key: string, orderId: string, choice: PartChoice) {
  const connection = await openEnabledConnection(context, storeId, key)
  const parcel = await prepareParcel(context, connection, orderId, choice, { submit: true })
  await wakeSenders(context)
  const after = await waitForOutcome(context, parcel, limits.sendWaitMs)
  const failure = sendingErrorOf(after, key)
  if (failure) throw failure
  return after
}

/** Maximum number of orders that are prepared concurrently, since other requests need connections too. */
const PREPARED_AT_ONCE = 4
/** Number of orders that are prepared in one transaction. */
const PREPARED_TOGETHER = 50

type PreparedOrder = ParcelRow | { readonly error: RowError }

/** Sends many orders, together where the carrier allows it. Each order has its own result. */
export async function sendOrders(context: Context, storeId: string, key: string, orders: readonly OrderToSend[]): Promise<SendRowResult[]> {
  const connection = await openEnabledConnection(context, storeId, key)
  const each = [...new Map(orders.map((order) => [order.orderId, order])).values()]
  const together = await prepareInGroups(context, connection, each)
  const others = each.filter(({ orderId }) => !together.has(orderId))
  const prepared = new Map([...together, ...(await prepareOneByOne(context, connection, others))])
  const parcels = [...prepared.values()].flatMap((parcel) => ('error' in parcel ? [] : [parcel.id]))
  const outcomes = await waitForOutcomes(context, connection.row.projectId, parcels, limits.sendWaitMs)
  return orders.map(({ orderId }) => {
    const parcel = invariant(prepared.get(orderId), 'The prepared parcel of an order')
    return 'error' in parcel ? refusedSendRow(orderId, parcel.error) : sendRowOf(orderId, outcomes.get(parcel.id), key)
  })
}

/**
 * Prepares orders in groups. The result omits orders that need {@link prepareOneByOne}, and all orders of a group whose transaction failed.
 */
async function prepareInGroups(context: Context, connection: CarrierConnection, orders: readonly OrderToSend[]) {
  const prepared = new Map<string, PreparedOrder>()
  for (let at = 0; at < orders.length && orders.length > 1; at += PREPARED_TOGETHER) {
    const made = await prepareParcels(context, connection, orders.slice(at, at + PREPARED_TOGETHER)).catch((err) => {
      if (isConnectionError(err)) throw err
      context.log.warn({ err }, 'parcels of orders could not be made together; they are made one by one')
      return new Map<string, ParcelRow | DomainError>()
    })
    for (const [orderId, parcel] of made) prepared.set(orderId, parcel instanceof DomainError ? toErrorRow(parcel) : parcel)
    await wakeSenders(context)
  }
  return prepared
}

async function prepareOneByOne(context: Context, connection: CarrierConnection, orders: readonly OrderToSend[]) {
  const prepared = await mapConcurrent(
    orders,
    PREPARED_AT_ONCE,
    async ({ orderId, ...choice }): Promise<readonly [string, PreparedOrder]> => {
      return [orderId, await prepareParcel(context, connection, orderId, choice, { submit: false }).catch(toErrorRow)]
    },
  )
  const waiting = prepared.flatMap(([, parcel]) => ('status' in parcel && parcel.status === 'created' ? [parcel.id] : []))
  if (waiting.length === 0) return prepared
  await requestSubmission(context.sql, connection.row.projectId, waiting)
  await wakeSenders(context)
  return prepared
}

/** Returns an error when the carrier does not have the parcel and will not get it; null when it has it or may get it. */
function sendingErrorOf(parcel: ParcelRow, key: string | null): DomainError | null {
  if (parcel.status === 'cancelled') return sendingErrors.orderCancelled()
  if (parcel.courierId !== null && parcel.courierId !== key) return sendingErrors.orderSentMeanwhile({ courierId: parcel.courierId })
  return submissionError(parcel)
}

/** Row of an order that no carrier has. `parcelId` is the parcel created for it, if any. */
export const refusedSendRow = (orderId: string, error: RowError, parcelId: string | null = null): SendRowResult => ({
  outcome: 'refused',
  orderId,
  error,
  parcelId,
})

/** Row with the result of sending an order with a carrier; by default, the current carrier of the parcel. */
export function sendRowOf(orderId: string, parcel: ParcelRow | undefined, key = parcel?.courierId ?? null): SendRowResult {
  if (!parcel) return refusedSendRow(orderId, { code: 'not_found', message: 'The parcel was deleted meanwhile.' })
  const failure = sendingErrorOf(parcel, key)
  if (failure) return refusedSendRow(orderId, presentRowError(failure), parcel.status === 'created' ? parcel.id : null)
  const { data, ...rest } = presentSendingResponse(parcel)
  return { outcome: isPending(parcel) || parcel.outcomeUnknown ? 'pending' : 'sent', orderId, parcel: data, ...rest }
}

const toErrorRow = (error: unknown) => ({ error: toRowError(error) })

/**
 * Cancels the sending of an order at its carrier: the order is confirmed again, and its stock stays reserved. For a divided order, cancels
 * every parcel under way with this carrier. `erase` also deletes the parcels. Returns the last parcel.
 */
export async function unsendOrder(
  context: Context,
  store: Pick<Store, 'id' | 'projectId'>,
  key: string,
  orderId: string,
  { erase }: { readonly erase: boolean },
) {
  if (!(await findOrder(context.sql, { storeId: store.id, id: orderId }))) throw notFound('The order')
  const live = await listLiveParcelsOfOrder(context.sql, store.projectId, orderId)
  const ofCarrier = live.filter(({ courierId }) => courierId === key)
  const underWay = ofCarrier.filter(({ status }) => parcelTransitions[status].includes('cancelled'))
  const last = underWay.pop() ?? ofCarrier.at(-1)
  if (!last) throw notFound(`A parcel of this order with ${key}`)
  const unsendParcel = async (parcel: ParcelRow) => {
    const cancelled = await cancelParcel(context, parcel)
    if (erase) await deleteParcel(context, parcel)
    const after = { carrier: key, parcelId: parcel.id, trackingId: parcel.trackingId, ...(erase && { deleted: true }) }
    await transaction(context.sql, (tx) => recordAudit(tx, { storeId: store.id }, { what: 'order.unsent', thing: orderId, after }))
    return cancelled
  }
  for (const parcel of underWay) await unsendParcel(parcel)
  return unsendParcel(last)
}
