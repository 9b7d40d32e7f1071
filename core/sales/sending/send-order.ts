import { limits } from '../../config.ts'
import type { Context } from '../../context.ts'
import { ApiError, notFound } from '../../http/errors.ts'
import { inPieces } from '../../lib/in-pieces.ts'
import { cancelParcel, deleteParcel } from '../../logistics/parcels/cancel.ts'
import type { ParcelAnswer } from '../../logistics/parcels/parcels.model.ts'
import { findLiveOfOrder, type ParcelRow } from '../../logistics/parcels/parcels.queries.ts'
import { answerOf } from '../../logistics/parcels/present.ts'
import { requestSubmission, wakeSenders } from '../../logistics/parcels/submission/request.ts'
import { outcomeError, waitForOutcome, waitForOutcomes } from '../../logistics/parcels/wait.ts'
import { type CarrierConnection, openConnection } from '../../shop/connections/connection.ts'
import { findConnectionByKey } from '../../shop/connections/connections.queries.ts'
import { findOrder } from '../orders/orders.queries.ts'
import { prepareParcel, type SendChoice } from '../orders/send.ts'

/** The store's connection to this carrier, switched on. */
export async function enabledConnection(context: Context, storeId: string, key: string): Promise<CarrierConnection> {
  if (!context.plugins.find('carrier', key)) throw notFound(`A carrier "${key}"`)
  const row = await findConnectionByKey(context.sql, storeId, key)
  if (!row?.enabled)
    throw new ApiError('carrier_not_enabled', `The store has not enabled ${key}. PUT /v1/stores/${storeId}/integrations/${key} first.`)
  return openConnection(context, 'carrier', row)
}

/** Sends one order and waits for the carrier's answer, up to ten seconds; after that the parcel goes on by itself. */
export async function sendOrder(context: Context, storeId: string, key: string, orderId: string, choice: SendChoice) {
  const connection = await enabledConnection(context, storeId, key)
  const parcel = await prepareParcel(context, connection, orderId, choice, true)
  await wakeSenders(context)
  const after = await waitForOutcome(context, parcel.id, limits.sendWaitMs)
  if (after.status === 'cancelled') throw new ApiError('invalid_transition', 'The order was given up while it was being sent.')
  const failure = outcomeError(after)
  if (failure) throw failure
  return after
}

interface RowError {
  readonly code: string
  readonly message: string
}

/** What came of an order: its parcel, or why there is none, or both. */
export type RowResult = { readonly orderId: string } & Partial<Omit<ParcelAnswer, 'data'>> &
  ({ readonly parcel: ParcelAnswer['data']; readonly error?: RowError } | { readonly parcel?: never; readonly error: RowError })

/** Orders of one request that are made ready at once: others want connections too. */
const PREPARED_AT_ONCE = 4

/** Sends many orders; each row is answered for itself, and those that the carrier can take together go together. */
export async function sendOrders(
  context: Context,
  storeId: string,
  key: string,
  orders: readonly ({ orderId: string } & SendChoice)[],
): Promise<RowResult[]> {
  const connection = await enabledConnection(context, storeId, key)
  const prepared = await inPieces(orders, PREPARED_AT_ONCE, async ({ orderId, ...choice }) => ({
    orderId,
    parcel: await prepareParcel(context, connection, orderId, choice, false).catch(asRowError),
  }))
  const waiting = prepared.flatMap(({ parcel }) => ('status' in parcel && parcel.status === 'created' ? [parcel.id] : []))
  if (waiting.length > 0) await requestSubmission(context.sql, waiting)
  await wakeSenders(context)
  const parcels = prepared.flatMap(({ parcel }) => ('status' in parcel ? [parcel.id] : []))
  const outcomes = await waitForOutcomes(context, parcels, limits.sendWaitMs)
  return prepared.map(({ orderId, parcel }) =>
    'error' in parcel ? { orderId, error: parcel.error } : rowOf(orderId, outcomes.get(parcel.id)),
  )
}

/** What came of one order's sending. */
export function rowOf(orderId: string, parcel: ParcelRow | undefined): RowResult {
  if (!parcel) return { orderId, error: { code: 'not_found', message: 'The parcel was deleted meanwhile.' } }
  const { data, ...told } = answerOf(parcel)
  const failure = outcomeError(parcel)
  return { orderId, parcel: data, ...told, ...(failure && { error: { code: failure.code, message: failure.message } }) }
}

function asRowError(error: unknown) {
  if (error instanceof ApiError) return { error: { code: error.code, message: error.message } }
  throw error
}

/** Takes an order back from its carrier: it is confirmed again, its stock still reserved. `erase` removes the parcel as well. */
export async function unsendOrder(context: Context, storeId: string, key: string, orderId: string, erase: boolean) {
  const order = await findOrder(context.sql, orderId)
  if (!order || order.storeId !== storeId) throw notFound('The order')
  const parcel = await findLiveOfOrder(context.sql, orderId)
  if (!parcel || parcel.courierId !== key) throw notFound(`A parcel of this order with ${key}`)
  const cancelled = await cancelParcel(context, parcel)
  if (erase) await deleteParcel(context, parcel.id)
  return cancelled
}
