import type { Warning } from '../../plugins/carrier/model.ts'
import { limits } from '../config.ts'
import type { Context } from '../context.ts'
import { transaction } from '../data/sql.ts'
import { ApiError, notFound } from '../http/errors.ts'
import { findOrder } from '../orders/orders.queries.ts'
import { prepareParcel, type SendChoice } from '../orders/send.ts'
import { cancelParcel, deleteParcel } from '../parcels/cancel.ts'
import { requestSubmission } from '../parcels/create.ts'
import { findLiveOfOrder, type ParcelRow } from '../parcels/parcels.queries.ts'
import { present } from '../parcels/present.ts'
import { outcomeError, waitForOutcome } from '../parcels/wait.ts'
import { type Account, openAccount } from './call-carrier.ts'
import { findAccountByKey } from './integrations.queries.ts'

/** The store's connection to this carrier, switched on. */
export async function enabledAccount(context: Context, storeId: string, key: string): Promise<Account> {
  if (!context.plugins.find(key)) throw notFound(`A carrier "${key}"`)
  const row = await findAccountByKey(context.sql, storeId, key)
  if (!row?.enabled)
    throw new ApiError('carrier_not_enabled', `The store has not enabled ${key}. PUT /v1/stores/${storeId}/integrations/${key} first.`)
  return openAccount(context, row)
}

/** Sends one order and waits for the carrier's answer, up to ten seconds; after that the parcel goes on by itself. */
export async function sendOrder(context: Context, storeId: string, key: string, orderId: string, choice: SendChoice) {
  const account = await enabledAccount(context, storeId, key)
  const { parcel, warnings, rewritten } = await prepareParcel(context, account, orderId, choice, true)
  const after = await waitForOutcome(context, parcel.id, limits.sendWaitMs)
  const failure = outcomeError(after)
  if (failure) throw failure
  return {
    parcel: after,
    warnings: [...warnings, ...saidBy(after)],
    ...(rewritten && { destinationRewritten: rewritten }),
    done: isDone(after),
  }
}

/** What the carrier's adapter had to say of a sending that went well. */
const saidBy = ({ carrierData }: ParcelRow) => (Array.isArray(carrierData.warnings) ? (carrierData.warnings as Warning[]) : [])

const isDone = ({ status }: ParcelRow) => status !== 'created' && status !== 'submitting'

export interface RowResult {
  readonly orderId: string
  readonly parcel?: ReturnType<typeof present>
  readonly error?: { readonly code: string; readonly message: string }
}

/** Sends many orders; each row is answered for itself, and those that the carrier can take together go together. */
export async function sendOrders(
  context: Context,
  storeId: string,
  key: string,
  orders: readonly ({ orderId: string } & SendChoice)[],
): Promise<RowResult[]> {
  const account = await enabledAccount(context, storeId, key)
  const prepared = await Promise.all(
    orders.map(async ({ orderId, ...choice }) => {
      const parcel = await prepareParcel(context, account, orderId, choice, false).then(({ parcel }) => parcel, asRowError)
      return { orderId, parcel }
    }),
  )
  const waiting = prepared.flatMap(({ parcel }) => ('status' in parcel && parcel.status === 'created' ? [parcel.id] : []))
  if (waiting.length > 0) await transaction(context.sql, (tx) => requestSubmission(tx, waiting))
  const until = Date.now() + limits.sendWaitMs
  return Promise.all(
    prepared.map(async ({ orderId, parcel }) => {
      if ('error' in parcel) return { orderId, error: parcel.error }
      const after = await waitForOutcome(context, parcel.id, Math.max(0, until - Date.now()))
      const failure = outcomeError(after)
      return { orderId, parcel: present(after), ...(failure && { error: { code: failure.code, message: failure.message } }) }
    }),
  )
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
