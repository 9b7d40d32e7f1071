import type { Context } from '../../../context.ts'
import { type DomainError, type FieldIssue, notFound, relayError } from '../../../lib/errors/domain-error.ts'
import { parcelErrors } from '../parcels.errors.ts'
import { findParcels, type ParcelKey, type ParcelRow } from '../parcels.queries.ts'

/** Interval for reading the rows again, in case a notification was lost. */
const REREAD_MS = 500
/** Delay for reading outcomes that arrive close together at once. */
const GATHER_MS = 5

/** Waits until the submissions of parcels have outcomes, at most `ms`. Returns the parcels as they are then, without deleted ones. */
export async function waitForOutcomes(
  { sql, outcomeNotifier }: Pick<Context, 'sql' | 'outcomeNotifier'>,
  projectId: string,
  parcelIds: readonly string[],
  ms: number,
): Promise<Map<string, ParcelRow>> {
  const until = Date.now() + ms
  const concluded = new Map<string, ParcelRow>()
  let waiting = [...parcelIds]
  for (let first = true; waiting.length > 0; first = false) {
    if (!first && parcelIds.length > 1) await Bun.sleep(GATHER_MS)
    const notification = outcomeNotifier.waitForNext(waiting, Math.min(REREAD_MS, Math.max(0, until - Date.now())))
    const isOver = Date.now() >= until
    const found = await findParcels(sql, projectId, waiting)
    const open = found.filter((parcel) => !isOver && !hasOutcome(parcel))
    for (const parcel of found) concluded.set(parcel.id, parcel)
    waiting = open.map(({ id }) => id)
    if (waiting.length === 0) notification.cancel()
    else await notification.arrived
  }
  return concluded
}

/** Waits for the outcome of one submission, at most `ms`. Throws `not_found` when the parcel was deleted meanwhile. */
export async function waitForOutcome(
  context: Pick<Context, 'sql' | 'outcomeNotifier'>,
  { projectId, id }: ParcelKey,
  ms: number,
): Promise<ParcelRow> {
  const parcel = (await waitForOutcomes(context, projectId, [id], ms)).get(id)
  if (!parcel) throw notFound('The parcel')
  return parcel
}

/** Returns true when a parcel is sent, refused, or of unknown outcome; false while it is queued or being submitted. */
const hasOutcome = ({ status, lastError, outcomeUnknown, submitAt }: ParcelRow) =>
  (status === 'created' ? lastError !== null || submitAt === null : status !== 'submitting') || outcomeUnknown

/** Returns true when a parcel is still to be submitted; the response to its request is 202. */
export const isPending = ({ status, submitAt }: ParcelRow) => (status === 'created' ? submitAt !== null : status === 'submitting')

/** Seconds until the next submission attempt of a queued parcel, for `Retry-After`; at least one. */
const secondsUntilSent = ({ submitAt }: Pick<ParcelRow, 'submitAt'>) =>
  Math.max(1, Math.ceil((submitAt === null ? 0 : Date.parse(submitAt) - Date.now()) / 1000))

/** Sets status 202 and `Retry-After` when the parcel is still to be submitted. */
export function respondPending(set: { status?: number | string; headers: Record<string, unknown> }, parcel: ParcelRow): void {
  if (!isPending(parcel)) return
  set.status = 202
  set.headers['retry-after'] = String(secondsUntilSent(parcel))
}

const errorCodes: Readonly<Record<string, 'carrier_not_enabled' | 'carrier_error' | 'order_not_confirmed'>> = {
  carrier_not_enabled: 'carrier_not_enabled',
  carrier_unavailable: 'carrier_error',
  not_taken: 'carrier_error',
  order_not_confirmed: 'order_not_confirmed',
}

/** Returns the error of a failed submission. Null when the carrier has the parcel, or it is retried by itself. */
export function submissionError({ status, lastError, outcomeUnknown, submitAt }: ParcelRow): DomainError | null {
  if (status !== 'created' || outcomeUnknown || submitAt !== null) return null
  if (!lastError) return parcelErrors.carrierChanged()
  const issues: FieldIssue[] = [{ isOutside: true, field: ['upstream'], message: `${lastError.code}: ${lastError.message}` }]
  return relayError(errorCodes[lastError.code] ?? 'carrier_refused', lastError.message, { issues })
}
