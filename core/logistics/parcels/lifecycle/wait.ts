import type { Context } from '../../../context.ts'
import { ApiError, notFound } from '../../../http/errors/errors.ts'
import { findParcels, type ParcelKey, type ParcelRow } from '../parcels.queries.ts'

/** How often the rows are read again in case the message of an outcome was lost. */
const LOOK_AGAIN_MS = 500
/** News that came close together are read together. */
const GATHER_MS = 5

/** The parcels as they are when their submissions came to something, or when `ms` are over; those that were deleted meanwhile are left out. */
export async function waitForOutcomes(
  { sql, outcomes }: Pick<Context, 'sql' | 'outcomes'>,
  projectId: string,
  parcelIds: readonly string[],
  ms: number,
): Promise<Map<string, ParcelRow>> {
  const until = Date.now() + ms
  const settled = new Map<string, ParcelRow>()
  let waiting = [...parcelIds]
  for (let first = true; waiting.length > 0; first = false) {
    if (!first && parcelIds.length > 1) await Bun.sleep(GATHER_MS)
    const news = outcomes.next(waiting, Math.min(LOOK_AGAIN_MS, Math.max(0, until - Date.now())))
    const isOver = Date.now() >= until
    const found = await findParcels(sql, projectId, waiting)
    const open = found.filter((parcel) => !isOver && !isSettled(parcel))
    for (const parcel of found) settled.set(parcel.id, parcel)
    waiting = open.map(({ id }) => id)
    if (waiting.length === 0) news.cancel()
    else await news.came
  }
  return settled
}

/** The same for one. Throws `not_found` where it was deleted meanwhile. */
export async function waitForOutcome(
  context: Pick<Context, 'sql' | 'outcomes'>,
  { projectId, id }: ParcelKey,
  ms: number,
): Promise<ParcelRow> {
  const parcel = (await waitForOutcomes(context, projectId, [id], ms)).get(id)
  if (!parcel) throw notFound('The parcel')
  return parcel
}

/** Sent or refused; not on its way, and not waiting for its turn. */
const isSettled = ({ status, lastError, outcomeUnknown, submitAt }: ParcelRow) =>
  (status === 'created' ? lastError !== null || submitAt === null : status !== 'submitting') || outcomeUnknown

/** Still to be handed over, by itself: the answer of who asked for it is 202. */
export const goesOn = ({ status, submitAt }: ParcelRow) => (status === 'created' ? submitAt !== null : status === 'submitting')

/** Seconds until a parcel that waits for its turn at the carrier is taken up, for `Retry-After`; at least one. */
const secondsUntilSent = ({ submitAt }: Pick<ParcelRow, 'submitAt'>) =>
  Math.max(1, Math.ceil((submitAt === null ? 0 : Date.parse(submitAt) - Date.now()) / 1000))

/** Answers 202 with `Retry-After` where the parcel is still to be handed over. */
export function tellPending(set: { status?: number | string; headers: Record<string, unknown> }, parcel: ParcelRow): void {
  if (!goesOn(parcel)) return
  set.status = 202
  set.headers['retry-after'] = String(secondsUntilSent(parcel))
}

const codes: Readonly<Record<string, 'carrier_not_enabled' | 'carrier_error' | 'order_not_confirmed'>> = {
  carrier_not_enabled: 'carrier_not_enabled',
  carrier_unavailable: 'carrier_error',
  not_taken: 'carrier_error',
  order_not_confirmed: 'order_not_confirmed',
}

/** What the caller learns of a submission that came to nothing; null where it was taken, or is tried again without anybody's doing. */
export function outcomeError({ status, lastError, outcomeUnknown, submitAt }: ParcelRow): ApiError | null {
  if (status !== 'created' || outcomeUnknown || submitAt !== null) return null
  if (!lastError)
    return new ApiError('conflict', 'The parcel was given another carrier, or none, before it was sent. Read it, and submit it again.')
  const details = [{ path: '/upstream', message: `${lastError.code}: ${lastError.message}` }]
  return new ApiError(codes[lastError.code] ?? 'carrier_refused', lastError.message, { details })
}
