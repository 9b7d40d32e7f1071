import type { Context } from '../context.ts'
import { CIRCUIT_OPEN } from '../gateway/failure.ts'
import { ApiError, notFound } from '../http/errors.ts'
import { findParcel, type ParcelRow } from './parcels.queries.ts'

/** How often the row is read again in case the message of its outcome was lost. */
const LOOK_AGAIN_MS = 500

/** The parcel as it is when its submission came to something, or when `ms` are over. */
export async function waitForOutcome({ sql, outcomes }: Context, parcelId: string, ms: number): Promise<ParcelRow> {
  const until = Date.now() + ms
  for (;;) {
    const news = outcomes.next(parcelId, Math.min(LOOK_AGAIN_MS, Math.max(0, until - Date.now())))
    const parcel = await findParcel(sql, parcelId)
    if (!parcel) throw notFound('The parcel')
    if (isSettled(parcel) || Date.now() >= until) return parcel
    await news
  }
}

/** Sent or refused; not on its way, and not waiting for its turn. */
const isSettled = ({ status, lastError, outcomeUnknown }: ParcelRow) =>
  (status === 'created' ? lastError !== null : status !== 'submitting') || outcomeUnknown

/** It is tried again without anybody's doing. */
const GOES_ON = ['rate_limited', 'carrier_unavailable', 'not_taken', CIRCUIT_OPEN]

/** What the caller learns of a submission that was refused; null where it was not. */
export function outcomeError({ status, lastError, outcomeUnknown }: ParcelRow): ApiError | null {
  if (status !== 'created' || outcomeUnknown || !lastError) return null
  const details = [{ path: '/upstream', message: `${lastError.code}: ${lastError.message}` }]
  if (GOES_ON.includes(lastError.code)) return null
  return new ApiError(lastError.code === 'carrier_not_enabled' ? 'carrier_not_enabled' : 'carrier_refused', lastError.message, { details })
}
