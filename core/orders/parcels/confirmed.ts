import type { Queryable, Tx } from '../../data/sql.ts'
import { ApiError } from '../../http/errors/errors.ts'
import type { ParcelRow } from '../../logistics/parcels/parcels.queries.ts'
import { failSubmission } from '../../logistics/parcels/submission/fail.ts'
import { isPlaceUnknown, placeWarnings } from '../create/place-warning.ts'
import { lockAllDeletedToo, type OrderRow } from '../orders.queries.ts'
import { type OrderStatus, open, waiting } from '../statuses.ts'
import { findSendOnlyConfirmed } from './confirmed.queries.ts'

/** Rule of a store by which its unconfirmed orders may be sent. */
export interface SendRule {
  readonly onlyConfirmed: boolean
  /** Sends them all the same. */
  readonly force: boolean
}

/** Reads the rule for one sending. `force` is what the caller asks for. */
export const readSendRule = async (sql: Queryable, storeId: string, force: boolean | undefined): Promise<SendRule> => ({
  onlyConfirmed: await findSendOnlyConfirmed(sql, storeId),
  force: force === true,
})

/** Whether an order may be sent only by force: nobody has confirmed it, and its store sends only what was confirmed. */
export const needsForce = ({ status }: Pick<OrderRow, 'status'>, { onlyConfirmed }: SendRule): boolean =>
  onlyConfirmed && waiting.includes(status)

/** The error of an unconfirmed order that is not sent. */
export const notConfirmed = ({ status }: Pick<OrderRow, 'status'>) =>
  new ApiError(
    'order_not_confirmed',
    `The order is ${status}, and the store sends only confirmed orders. Confirm it first, or send it with force: true.`,
  )

/** Throws `order_not_confirmed` for an unconfirmed order, unless it is sent by force. */
export function assertConfirmed(order: Pick<OrderRow, 'status'>, rule: SendRule): void {
  if (needsForce(order, rule) && !rule.force) throw notConfirmed(order)
}

/** Throws `place_unknown` for an order that is still to be sent to a place that nobody knows, unless it is sent by force. */
export function assertPlaceKnown({ status, destination }: Pick<OrderRow, 'status' | 'destination'>, { force }: SendRule): void {
  const [unknown] = force || !open.includes(status) ? [] : placeWarnings(destination)
  if (unknown) throw new ApiError('place_unknown', `${unknown.message} Or send it with force: true.`)
}

/**
 * Throws `order_not_confirmed` or `place_unknown` where the order of a parcel, which the caller holds, may not be sent without force. Gives back whether it took
 * force.
 */
export async function assertParcelConfirmed(tx: Tx, { projectId, orderId, destination }: ParcelRow, force: boolean): Promise<boolean> {
  const [order] = await lockAllDeletedToo(tx, projectId, [orderId ?? ''])
  if (!order) return false
  const rule = await readSendRule(tx, order.storeId, force)
  assertConfirmed(order, rule)
  // An address may have been corrected in the parcel.
  assertPlaceKnown({ ...order, destination }, rule)
  return needsForce(order, rule) || isPlaceUnknown(destination)
}

/** Takes parcels out of the line to their carrier when their order is not confirmed any more. The caller holds them. */
export async function withdrawUnconfirmed(tx: Tx, storeId: string, to: OrderStatus, parcels: readonly ParcelRow[]): Promise<void> {
  const queued = parcels.filter(({ status, submitAt }) => status === 'created' && submitAt !== null)
  if (queued.length === 0 || !waiting.includes(to) || !(await findSendOnlyConfirmed(tx, storeId))) return
  const { code, message } = notConfirmed({ status: to })
  for (const parcel of queued) await failSubmission(tx, parcel, { code, message })
}
