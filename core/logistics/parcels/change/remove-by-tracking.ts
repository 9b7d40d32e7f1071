import type { RemovedRow } from '../../../../plugins/carrier/rows.model.ts'
import type { Context } from '../../../context.ts'
import { ApiError, invalidValue } from '../../../http/errors/errors.ts'
import { callAdapter, toApiError } from '../../../integrations/connections/calls/call-adapter.ts'
import { requireMembers } from '../../../integrations/connections/calls/require-members.ts'
import type { CarrierConnection } from '../../../integrations/connections/connection.ts'
import { invariant } from '../../../lib/invariant.ts'
import { findByTracking } from '../parcels.queries.ts'
import { cancelParcel } from './cancel.ts'

interface Removed {
  readonly trackingId: string
  readonly deleted: true
}

const AT_ONCE = 4
/** No further one is begun after this: an answer is to come before the connection is given up. */
const BEGUN_MS = 20_000

/** Cancels a parcel at the carrier. One of ours moves to `cancelled` here too; one made in the carrier's own dashboard is cancelled there alone. */
export async function removeByTracking(context: Context, connection: CarrierConnection, trackingId: string): Promise<Removed> {
  const ours = await findByTracking(context.sql, connection.row, trackingId)
  if (ours) await cancelParcel(context, ours)
  else
    await callAdapter(context, connection, (carrier, adapter) => requireMembers(carrier, 'cancel').cancel(adapter, trackingId), {
      operation: 'cancel',
    }).catch((error) => Promise.reject(toApiError(error)))
  return { trackingId, deleted: true }
}

/** The same for many; each is answered for itself, whatever became of the others. */
export async function removeMany(context: Context, connection: CarrierConnection, trackings: readonly string[]): Promise<RemovedRow[]> {
  const removed = new Map<string, RemovedRow>()
  const waiting = trackings.values()
  const until = Date.now() + BEGUN_MS
  const work = async () => {
    for (const trackingId of waiting) {
      if (Date.now() > until) removed.set(trackingId, refusedRow(trackingId, late()))
      else removed.set(trackingId, await removeOne(context, connection, trackingId))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return trackings.map((trackingId) => invariant(removed.get(trackingId), 'What became of a parcel'))
}

const NAMED_MAX = 100

/** The same for those that a query names, separated by commas. */
export async function removeNamed(context: Context, connection: CarrierConnection, list: string): Promise<RemovedRow[]> {
  const named = list.split(',').map((part) => part.trim())
  const trackings = [...new Set(named.filter(Boolean))]
  if (trackings.length === 0 || trackings.length > NAMED_MAX)
    throw invalidValue('/query/trackingIds', `1 to ${NAMED_MAX} tracking numbers, separated by commas.`)
  return removeMany(context, connection, trackings)
}

const late = () => new ApiError('unavailable', 'It was not begun in time. Ask again, for fewer at once.')

const refusedRow = (trackingId: string, { code, message }: ApiError): RemovedRow => ({
  outcome: 'refused',
  trackingId,
  deleted: false,
  message,
  error: { code, message },
})

async function removeOne(context: Context, connection: CarrierConnection, trackingId: string): Promise<RemovedRow> {
  try {
    await removeByTracking(context, connection, trackingId)
    return { outcome: 'deleted', trackingId, deleted: true }
  } catch (error) {
    if (error instanceof ApiError) return refusedRow(trackingId, error)
    throw error
  }
}
