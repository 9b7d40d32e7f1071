import type { Context } from '../context.ts'
import { ApiError, notFound } from '../http/errors.ts'
import { cancelParcel } from '../parcels/cancel.ts'
import { findByTracking } from '../parcels/parcels.queries.ts'
import { type Account, asApiError, callCarrier } from './call-carrier.ts'

interface Removed {
  readonly trackingId: string
  readonly deleted: boolean
  readonly message?: string
}

/** Cancels parcels at the carrier. One of ours moves to `cancelled` here too; one made in the carrier's own dashboard is cancelled there alone. */
export async function removeByTracking(
  context: Context,
  account: Account,
  trackings: readonly string[],
  strict = false,
): Promise<Removed[]> {
  const removed: Removed[] = []
  for (const trackingId of trackings) {
    const outcome = await removeOne(context, account, trackingId).catch((error) => {
      const failure = asApiError(error)
      if (strict || !(failure instanceof ApiError) || failure.status >= 500) throw failure
      return failure
    })
    removed.push(outcome instanceof ApiError ? { trackingId, deleted: false, message: outcome.message } : { trackingId, deleted: true })
  }
  return removed
}

async function removeOne(context: Context, account: Account, trackingId: string) {
  const ours = await findByTracking(context.sql, account.row.id, trackingId)
  if (ours) return void (await cancelParcel(context, ours))
  const { cancel } = account.mounted.carrier
  if (!cancel) throw notFound('The parcel')
  await callCarrier(context, account, (_carrier, adapter) => cancel(adapter, trackingId), { operation: 'cancel' })
}
