import type { Context } from '../../../context.ts'
import { type Tx, transaction } from '../../../data/sql.ts'
import { publish } from '../../../data/subscribers.ts'
import { ApiError, notFound } from '../../../http/errors/errors.ts'
import { callAdapter, toApiError } from '../../../integrations/connections/calls/call-adapter.ts'
import { requireMembers } from '../../../integrations/connections/calls/require-members.ts'
import { openConnectionById } from '../../../integrations/connections/connection.ts'
import { recordAudit } from '../../../platform/audit/record-audit.ts'
import { emitWebhook } from '../../../platform/webhooks/emit.ts'
import { tellBatch } from '../batch/tell.ts'
import { inTurn } from '../carrier-turn.ts'
import { moveParcel } from '../lifecycle/move.ts'
import { transitions } from '../lifecycle/transitions.ts'
import { deleteParcelRow, lockParcel, type ParcelKey, type ParcelRow } from '../parcels.queries.ts'
import { present } from '../present.ts'

declare module '../../../data/subscribers.ts' {
  interface DomainEvents {
    /** It was withdrawn by us before or after it was sent: what it was made for is free to be sent again. */
    'parcel.freed': { parcel: ParcelRow }
    /** It is about to be gone; what it was made for stays as it is. */
    'parcel.removed': { parcel: ParcelRow }
  }
}

/**
 * Withdraws a parcel: at once while it is `created`, after that only where the carrier still lets go of it; the carrier is asked
 * first, with no lock held. Its order is free to be sent again. Throws `invalid_transition`, `carrier_refused`, `outcome_unknown`.
 */
export async function cancelParcel(context: Context, { projectId, id }: ParcelKey): Promise<ParcelRow> {
  const key = { projectId, id }
  const atOnce = await transaction(context.sql, async (tx) => {
    const parcel = await lockParcel(tx, key)
    if (!parcel) throw notFound('The parcel')
    return parcel.status === 'created' || parcel.status === 'cancelled' ? freed(tx, parcel) : undefined
  })
  if (atOnce) return atOnce
  return inTurn(context, key, null, async ({ parcel, conclude }) => {
    if (parcel.status !== 'created' && parcel.status !== 'cancelled') await withdraw(context, parcel)
    return conclude(async (tx, now) => {
      if (now.status === 'cancelled' || transitions[now.status].includes('cancelled')) return freed(tx, now)
      throw new ApiError('invalid_transition', `The carrier let go of the parcel, and says that it is ${now.status}. Ask the carrier.`)
    })
  })
}

/** Cancelled here, its order free. The order is let go of before the move, which would else cancel it too. */
async function freed(tx: Tx, parcel: ParcelRow): Promise<ParcelRow> {
  // It was given up with its order, before any carrier had it: that order stays given up.
  if (parcel.status === 'cancelled' && parcel.submittedAt === null) return parcel
  await publish(tx, 'parcel.freed', { parcel })
  if (parcel.status === 'cancelled') return parcel
  const { projectId, id: thing, status, courierId: carrier, trackingId, orderId } = parcel
  await recordAudit(tx, { projectId }, { what: 'parcel.cancelled', thing, after: { status, carrier, trackingId, orderId } })
  return moveParcel(tx, parcel, { to: 'cancelled', source: 'api', at: new Date().toISOString() })
}

async function withdraw(context: Context, { id, status, carrierAccountId, trackingId }: ParcelRow) {
  if (status === 'submitting')
    throw new ApiError(
      'outcome_unknown',
      'The parcel is being handed over; whether the carrier has it is not known yet. Try again in a minute.',
    )
  const refuse = (why: string) => new ApiError('invalid_transition', `The parcel is ${status}; ${why}`)
  if (!carrierAccountId || !trackingId) throw refuse('it cannot be cancelled.')
  const connection = await openConnectionById(context, 'carrier', carrierAccountId)
  const { cancel, cancellableIn, label } = connection.mounted.carrier
  if (!cancel) throw refuse(`${label} cannot cancel through its API. Ask the carrier.`)
  if (!cancellableIn.includes(status)) throw refuse(`${label} cancels only what is ${cancellableIn.join(' or ')}.`)
  await callAdapter(context, connection, (carrier, adapter) => requireMembers(carrier, 'cancel').cancel(adapter, trackingId), {
    operation: 'cancel',
    parcelIds: [id],
  }).catch((error) => Promise.reject(toApiError(error)))
}

/** Removes a parcel that was never sent, or was cancelled, with its timeline. */
export async function deleteParcel(context: Context, key: ParcelKey) {
  await transaction(context.sql, async (tx) => {
    const parcel = await lockParcel(tx, key)
    if (!parcel) throw notFound('The parcel')
    if (parcel.status !== 'created' && parcel.status !== 'cancelled') {
      throw new ApiError(
        'invalid_transition',
        `The parcel is ${parcel.status}; only one that is created or cancelled can be deleted. Cancel it first.`,
      )
    }
    if (parcel.status === 'created') await publish(tx, 'parcel.freed', { parcel })
    await publish(tx, 'parcel.removed', { parcel })
    await deleteParcelRow(tx, parcel)
    await recordAudit(
      tx,
      { projectId: parcel.projectId },
      { what: 'parcel.deleted', thing: parcel.id, before: { ...parcel, carrier: parcel.courierId } },
    )
    await tellBatch(tx, parcel, 'cancelled', { code: 'not_found', message: 'The parcel was deleted before it was sent.' })
    const data = { parcel: present(parcel), sequence: parcel.sequence + 1 }
    await emitWebhook(tx, [{ projectId: parcel.projectId, type: 'parcel.deleted', data, orderKey: parcel.id }])
  })
}
