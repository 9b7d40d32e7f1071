import type { Queryable, Tx } from '../../data/sql.ts'
import type { ParcelRow } from '../../logistics/parcels/parcels.queries.ts'
import { failSubmission } from '../../logistics/parcels/submission/fail-submission.ts'
import { isPlaceUnknown, placeWarnings } from '../create/place-warning.ts'
import { orderErrors } from '../orders.errors.ts'
import { lockOrdersIncludingDeleted, type OrderRow } from '../orders.queries.ts'
import { type OrderStatus, openStatuses, unconfirmedStatuses } from '../statuses.ts'
import { findSendOnlyConfirmedSetting } from './send-rule.queries.ts'

/** Rule for sending unconfirmed orders of a store. */
export interface SendRule {
  readonly onlyConfirmed: boolean
  /** True when the caller sends them anyway. */
  readonly force: boolean
}

/** Reads the rule for one sending. `force` is from the caller's request. */
export const readSendRule = async (
  sql: Queryable,
  storeId: string,
  { force }: { readonly force: boolean | undefined },
): Promise<SendRule> => ({
  onlyConfirmed: await findSendOnlyConfirmedSetting(sql, storeId),
  force: force === true,
})

/** Returns true when only `force` can send the order: it is unconfirmed, and its store sends only confirmed orders. */
export const needsForce = ({ status }: Pick<OrderRow, 'status'>, { onlyConfirmed }: SendRule): boolean =>
  onlyConfirmed && unconfirmedStatuses.includes(status)

/** Error for an unconfirmed order that cannot be sent. */
const notConfirmedError = ({ status }: Pick<OrderRow, 'status'>) => orderErrors.orderNotConfirmed({ status })

/** Throws `order_not_confirmed` for an unconfirmed order, unless `force` is set. */
export function assertConfirmed(order: Pick<OrderRow, 'status'>, rule: SendRule): void {
  if (needsForce(order, rule) && !rule.force) throw notConfirmedError(order)
}

/** Throws `place_unknown` for an unsent order whose address matches no known place, unless `force` is set. */
export function assertPlaceKnown(order: Pick<OrderRow, 'status' | 'destination'>, rule: SendRule): void {
  const error = placeUnknownError(order, rule)
  if (error) throw error
}

function placeUnknownError({ status, destination }: Pick<OrderRow, 'status' | 'destination'>, { force }: SendRule) {
  const [unknown] = force || !openStatuses.includes(status) ? [] : placeWarnings(destination)
  return unknown && orderErrors.placeUnknown({ message: unknown.message })
}

/** Returns the error for which an order cannot be sent without `force`: it is not confirmed, or its address matches no known place. */
export const forceNeededError = (order: Pick<OrderRow, 'status' | 'destination'>, rule: SendRule) =>
  needsForce(order, rule) && !rule.force ? notConfirmedError(order) : placeUnknownError(order, rule)

/**
 * Throws `order_not_confirmed` or `place_unknown` when the parcel's order needs `force`. Locks the order; the caller must have locked the
 * parcel. Returns true when `force` was needed.
 */
export async function assertParcelSendable(
  tx: Tx,
  { projectId, orderId, destination }: ParcelRow,
  { force }: { readonly force: boolean },
): Promise<boolean> {
  const [order] = await lockOrdersIncludingDeleted(tx, projectId, [orderId ?? ''])
  if (!order) return false
  const rule = await readSendRule(tx, order.storeId, { force })
  assertConfirmed(order, rule)
  // The address may have been corrected in the parcel.
  assertPlaceKnown({ ...order, destination }, rule)
  return needsForce(order, rule) || isPlaceUnknown(destination)
}

/** Removes parcels from their carrier's queue when their order is no longer confirmed. The caller must have locked them. */
export async function dequeueUnconfirmed(tx: Tx, storeId: string, to: OrderStatus, parcels: readonly ParcelRow[]): Promise<void> {
  const queued = parcels.filter(({ status, submitAt }) => status === 'created' && submitAt !== null)
  if (queued.length === 0 || !unconfirmedStatuses.includes(to) || !(await findSendOnlyConfirmedSetting(tx, storeId))) return
  const { code, message } = notConfirmedError({ status: to })
  for (const parcel of queued) await failSubmission(tx, parcel, { code, message })
}
