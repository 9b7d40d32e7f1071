import type { RemovedRow } from '../../../../plugins/carrier/rows.model.ts'
import type { Context } from '../../../context.ts'
import { toDomainError } from '../../../integrations/connections/calls/adapter-failures.ts'
import { callAdapter } from '../../../integrations/connections/calls/call-adapter.ts'
import { requireMembers } from '../../../integrations/connections/calls/require-members.ts'
import type { CarrierConnection } from '../../../integrations/connections/connection.ts'
import { describeError } from '../../../lib/errors/describe-error.ts'
import { DomainError } from '../../../lib/errors/domain-error.ts'
import { invariant } from '../../../lib/invariant.ts'
import { parcelErrors } from '../parcels.errors.ts'
import { findParcelByTracking } from '../parcels.queries.ts'
import { cancelParcel } from './cancel.ts'

interface RemovedParcel {
  readonly trackingId: string
  readonly deleted: true
}

const AT_ONCE = 4
/** No removal starts after this time, so that the response is complete before the client's timeout. */
const START_LIMIT_MS = 20_000

/**
 * Cancels a parcel at the carrier by tracking number. A parcel created here becomes `cancelled`; others are cancelled only at the carrier.
 */
export async function removeByTracking(context: Context, connection: CarrierConnection, trackingId: string): Promise<RemovedParcel> {
  const ours = await findParcelByTracking(context.sql, connection.row, trackingId)
  if (ours) await cancelParcel(context, ours)
  else
    await callAdapter(context, connection, (carrier, adapter) => requireMembers(carrier, 'cancel').cancel(adapter, trackingId), {
      operation: 'cancel',
    }).catch((error) => Promise.reject(toDomainError(error)))
  return { trackingId, deleted: true }
}

/** Cancels many parcels by tracking number. Each has its own result, independent of the others. */
export async function removeManyByTracking(
  context: Context,
  connection: CarrierConnection,
  trackings: readonly string[],
): Promise<RemovedRow[]> {
  const removed = new Map<string, RemovedRow>()
  const waiting = trackings.values()
  const until = Date.now() + START_LIMIT_MS
  const work = async () => {
    for (const trackingId of waiting) {
      if (Date.now() > until) removed.set(trackingId, refusedRow(trackingId, parcelErrors.notStartedInTime()))
      else removed.set(trackingId, await removeOne(context, connection, trackingId))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return trackings.map((trackingId) => invariant(removed.get(trackingId), 'What became of a parcel'))
}

const NAMED_MAX = 100

/** Cancels the parcels of a comma-separated list of tracking numbers. Throws `invalid_request` for none or too many. */
export async function removeByTrackingList(context: Context, connection: CarrierConnection, list: string): Promise<RemovedRow[]> {
  const named = list.split(',').map((part) => part.trim())
  const trackings = [...new Set(named.filter(Boolean))]
  if (trackings.length === 0 || trackings.length > NAMED_MAX)
    throw parcelErrors.trackingsInvalid({ namedMax: NAMED_MAX }, { field: ['trackingIds'] })
  return removeManyByTracking(context, connection, trackings)
}

function refusedRow(trackingId: string, refused: DomainError): RemovedRow {
  const message = describeError(refused)
  return { outcome: 'refused', trackingId, deleted: false, message, error: { code: refused.code, message } }
}

async function removeOne(context: Context, connection: CarrierConnection, trackingId: string): Promise<RemovedRow> {
  try {
    await removeByTracking(context, connection, trackingId)
    return { outcome: 'deleted', trackingId, deleted: true }
  } catch (error) {
    if (error instanceof DomainError) return refusedRow(trackingId, error)
    throw error
  }
}
