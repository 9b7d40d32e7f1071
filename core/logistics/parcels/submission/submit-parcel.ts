import type { Tx } from '../../../data/sql.ts'
import { publish } from '../../../data/subscribers.ts'
import { notFound } from '../../../lib/errors/domain-error.ts'
import { recordAudit } from '../../../platform/audit/record-audit.ts'
import { parcelErrors } from '../parcels.errors.ts'
import { lockParcel, type ParcelKey, type ParcelRow } from '../parcels.queries.ts'
import { requestSubmission } from './request.ts'

declare module '../../../data/subscribers.ts' {
  interface DomainEvents {
    /**
     * Published before a single parcel is queued for submission, with the parcel locked. A subscriber throws to prevent it, or sets
     * `forced` when it needed `force`.
     */
    'parcel.submission_requested': { readonly parcel: ParcelRow; readonly force: boolean; forced: boolean }
  }
}

/**
 * Queues one parcel for submission. Throws `invalid_transition`, `order_not_confirmed`, and `outcome_unknown` while it is being submitted.
 * Call `wakeSenders` after the commit.
 */
export async function submitParcel(tx: Tx, key: ParcelKey, { force }: { readonly force: boolean }): Promise<void> {
  const parcel = await lockParcel(tx, key)
  if (!parcel) throw notFound('The parcel')
  if (parcel.status === 'submitting') throw parcelErrors.parcelSubmitting()
  if (parcel.status !== 'created') throw parcelErrors.parcelNotSubmittable({ status: parcel.status })
  if (!parcel.carrierAccountId) throw parcelErrors.carrierMissing({ field: ['carrierAccountId'] })
  const sending = { parcel, force, forced: false }
  await publish(tx, 'parcel.submission_requested', sending)
  await requestSubmission(tx, parcel.projectId, [parcel.id])
  const after = { carrier: parcel.courierId, ...(sending.forced && { forced: true }) }
  await recordAudit(tx, { projectId: parcel.projectId }, { what: 'parcel.submitted', thing: parcel.id, after })
}
