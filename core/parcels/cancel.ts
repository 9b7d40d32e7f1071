import type { Context } from '../context.ts'
import { transaction } from '../data/sql.ts'
import { ApiError, notFound } from '../http/errors.ts'
import { accountById, asApiError, callCarrier } from '../integrations/call-carrier.ts'
import { forgetParcel, freeOrder } from '../orders/follow-parcel.ts'
import { emit } from '../webhooks/emit.ts'
import { moveParcel } from './move.ts'
import { deleteParcelRow, lockParcel, type ParcelRow } from './parcels.queries.ts'

/**
 * Withdraws a parcel: at once while it is `created`, after that only where the carrier still lets go of it; the carrier is asked
 * first, with no lock held. Its order is free to be sent again. Throws `invalid_transition`, `carrier_refused`, `outcome_unknown`.
 */
export async function cancelParcel(context: Context, parcel: ParcelRow): Promise<ParcelRow> {
  if (parcel.status === 'cancelled') return parcel
  if (parcel.status === 'submitting')
    throw new ApiError(
      'outcome_unknown',
      'The parcel is being handed over; whether the carrier has it is not known yet. Try again in a minute.',
    )
  if (parcel.status !== 'created') await withdraw(context, parcel)
  return transaction(context.sql, async (tx) => {
    const now = await lockParcel(tx, parcel.id)
    if (!now) throw notFound('The parcel')
    if (now.status === 'cancelled') {
      await freeOrder(tx, now)
      return now
    }
    if (now.status !== parcel.status) throw new ApiError('invalid_transition', `The parcel became ${now.status} meanwhile. Read it again.`)
    // The order is let go of before the move, which would else cancel it too.
    await freeOrder(tx, now)
    return moveParcel(tx, now, { to: 'cancelled', source: 'api', at: new Date().toISOString() })
  })
}

async function withdraw(context: Context, { id, status, carrierAccountId, trackingId }: ParcelRow) {
  const refuse = (why: string) => new ApiError('invalid_transition', `The parcel is ${status}; ${why}`)
  if (!carrierAccountId || !trackingId) throw refuse('it cannot be cancelled.')
  const account = await accountById(context, carrierAccountId)
  const { cancel, cancellableIn, label } = account.mounted.carrier
  if (!cancel) throw refuse(`${label} cannot cancel through its API. Ask the carrier.`)
  if (!cancellableIn.includes(status)) throw refuse(`${label} cancels only what is ${cancellableIn.join(' or ')}.`)
  await callCarrier(context, account, (carrier, adapter) => carrier.cancel!(adapter, trackingId), {
    operation: 'cancel',
    parcelIds: [id],
  }).catch((error) => Promise.reject(asApiError(error)))
}

/** Removes a parcel that was never sent, or was cancelled, with its timeline. */
export async function deleteParcel(context: Context, id: string) {
  await transaction(context.sql, async (tx) => {
    const parcel = await lockParcel(tx, id)
    if (!parcel) throw notFound('The parcel')
    if (parcel.status !== 'created' && parcel.status !== 'cancelled') {
      throw new ApiError(
        'invalid_transition',
        `The parcel is ${parcel.status}; only one that is created or cancelled can be deleted. Cancel it first.`,
      )
    }
    await (parcel.status === 'created' ? freeOrder(tx, parcel) : forgetParcel(tx, parcel))
    await deleteParcelRow(tx, parcel)
    const { projectId, reference, sequence } = parcel
    await emit(tx, [{ projectId, type: 'parcel.deleted', data: { id, reference, sequence: sequence + 1 }, orderKey: id }])
  })
}
