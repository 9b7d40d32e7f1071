import type { Context } from '../context.ts'
import { ApiError } from '../http/errors.ts'
import { cancelParcel } from '../parcels/cancel.ts'
import { findByTracking } from '../parcels/parcels.queries.ts'
import { type Account, asApiError, callCarrier } from './call-carrier.ts'

interface Removed {
  readonly trackingId: string
  readonly deleted: boolean
  readonly message?: string
}

const AT_ONCE = 4
/** No further one is begun after this: an answer is to come before the connection is given up. */
const BEGUN_MS = 20_000

/** Cancels a parcel at the carrier. One of ours moves to `cancelled` here too; one made in the carrier's own dashboard is cancelled there alone. */
export async function removeByTracking(context: Context, account: Account, trackingId: string): Promise<Removed> {
  const ours = await findByTracking(context.sql, account.row.id, trackingId)
  if (ours) await cancelParcel(context, ours)
  else
    await callCarrier(context, account, (carrier, adapter) => carrier.cancel!(adapter, trackingId), { operation: 'cancel' }).catch(
      (error) => Promise.reject(asApiError(error)),
    )
  return { trackingId, deleted: true }
}

/** The same for many; each is answered for itself, whatever became of the others. */
export async function removeMany(context: Context, account: Account, trackings: readonly string[]): Promise<Removed[]> {
  const removed = new Map<string, Removed>()
  const waiting = [...trackings]
  const until = Date.now() + BEGUN_MS
  const work = async () => {
    for (let trackingId = waiting.shift(); trackingId !== undefined; trackingId = waiting.shift()) {
      const kept = (message: string): Removed => ({ trackingId: trackingId!, deleted: false, message })
      if (Date.now() > until) removed.set(trackingId, kept('It was not begun in time. Ask again, for fewer at once.'))
      else removed.set(trackingId, await removeByTracking(context, account, trackingId).catch((error: unknown) => kept(wordsOf(error))))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return trackings.map((trackingId) => removed.get(trackingId)!)
}

function wordsOf(error: unknown): string {
  if (error instanceof ApiError) return error.message
  throw error
}
