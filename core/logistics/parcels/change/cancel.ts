import type { Context } from '../../../context.ts'
import { type Tx, transaction } from '../../../data/sql.ts'
import { publish } from '../../../data/subscribers.ts'
import { toDomainError } from '../../../integrations/connections/calls/adapter-failures.ts'
import { callAdapter } from '../../../integrations/connections/calls/call-adapter.ts'
import { requireMembers } from '../../../integrations/connections/calls/require-members.ts'
import { openNamedConnection } from '../../../integrations/connections/connection.ts'
import { notFound } from '../../../lib/errors/domain-error.ts'
import { recordAudit } from '../../../platform/audit/record-audit.ts'
import { emitWebhook } from '../../../platform/webhooks/emit.ts'
import { recordBatchOutcome } from '../batch/record-outcomes.ts'
import { withChangeLease } from '../change-lease.ts'
import { moveParcel } from '../lifecycle/move-parcel.ts'
import { parcelTransitions } from '../lifecycle/transitions.ts'
import { parcelErrors } from '../parcels.errors.ts'
import { deleteParcelRow, lockParcel, type ParcelKey, type ParcelRow } from '../parcels.queries.ts'
import { presentParcel } from '../present.ts'

declare module '../../../data/subscribers.ts' {
  interface DomainEvents {
    /** Published when we cancel a parcel, before or after it was sent: its order can be sent again. */
    'parcel.cancelled': { parcel: ParcelRow }
    /** Published before a parcel is deleted; its order stays as it is. */
    'parcel.removed': { parcel: ParcelRow }
  }
}

/**
 * Cancels a parcel: immediately while it is `created`, later only if its carrier still cancels it. Calls the carrier first, without locks.
 * The order can be sent again. Throws `invalid_transition`, `carrier_refused`, `outcome_unknown`.
 */
export async function cancelParcel(context: Context, { projectId, id }: ParcelKey): Promise<ParcelRow> {
  const key = { projectId, id }
  const atOnce = await transaction(context.sql, async (tx) => {
    const parcel = await lockParcel(tx, key)
    if (!parcel) throw notFound('The parcel')
    return parcel.status === 'created' || parcel.status === 'cancelled' ? releaseAndCancel(tx, parcel) : undefined
  })
  if (atOnce) return atOnce
  return withChangeLease(context, key, null, async ({ parcel, conclude }) => {
    if (parcel.status !== 'created' && parcel.status !== 'cancelled') await cancelAtCarrier(context, parcel)
    return conclude(async (tx, now) => {
      if (now.status === 'cancelled' || parcelTransitions[now.status].includes('cancelled')) return releaseAndCancel(tx, now)
      throw parcelErrors.cancelledButMoving({ status: now.status })
    })
  })
}

/**
 * Releases the order of a parcel and cancels the parcel. The release comes first; otherwise the cancellation would cancel the order too.
 */
async function releaseAndCancel(tx: Tx, parcel: ParcelRow): Promise<ParcelRow> {
  // The parcel was given up together with its order before any carrier had it, so the order stays given up.
  if (parcel.status === 'cancelled' && parcel.submittedAt === null) return parcel
  await publish(tx, 'parcel.cancelled', { parcel })
  if (parcel.status === 'cancelled') return parcel
  const { projectId, id: thing, status, courierId: carrier, trackingId, orderId } = parcel
  await recordAudit(tx, { projectId }, { what: 'parcel.cancelled', thing, after: { status, carrier, trackingId, orderId } })
  return moveParcel(tx, parcel, { to: 'cancelled', source: 'api', at: new Date().toISOString() })
}

async function cancelAtCarrier(context: Context, { projectId, id, status, carrierAccountId, trackingId }: ParcelRow) {
  if (status === 'submitting') throw parcelErrors.submissionUnderWay()
  if (!carrierAccountId || !trackingId) throw parcelErrors.notCancellable({ status })
  const connection = await openNamedConnection(context, 'carrier', { projectId, id: carrierAccountId })
  const { cancel, cancellableIn, label } = connection.mounted.carrier
  if (!cancel) throw parcelErrors.cancellationUnsupported({ status, label })
  if (!cancellableIn.includes(status)) throw parcelErrors.cancellationTooLate({ status, label, cancellable: cancellableIn.join(' or ') })
  await callAdapter(context, connection, (carrier, adapter) => requireMembers(carrier, 'cancel').cancel(adapter, trackingId), {
    operation: 'cancel',
    parcelIds: [id],
  }).catch((error) => Promise.reject(toDomainError(error)))
}

/** Deletes a parcel that was never sent or was cancelled, with its timeline. Throws `invalid_transition` for other parcels. */
export async function deleteParcel(context: Context, key: ParcelKey) {
  await transaction(context.sql, async (tx) => {
    const parcel = await lockParcel(tx, key)
    if (!parcel) throw notFound('The parcel')
    if (parcel.status !== 'created' && parcel.status !== 'cancelled') {
      throw parcelErrors.parcelNotDeletable({ status: parcel.status })
    }
    if (parcel.status === 'created') await publish(tx, 'parcel.cancelled', { parcel })
    await publish(tx, 'parcel.removed', { parcel })
    await deleteParcelRow(tx, parcel)
    await recordAudit(
      tx,
      { projectId: parcel.projectId },
      { what: 'parcel.deleted', thing: parcel.id, before: { ...parcel, carrier: parcel.courierId } },
    )
    await recordBatchOutcome(tx, parcel, 'cancelled', { code: 'not_found', message: 'The parcel was deleted before it was sent.' })
    const data = { parcel: presentParcel(parcel), sequence: parcel.sequence + 1 }
    await emitWebhook(tx, [{ projectId: parcel.projectId, type: 'parcel.deleted', data, orderKey: parcel.id }])
  })
}
