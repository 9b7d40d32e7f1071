import type { Context } from '../../../context.ts'
import { transaction } from '../../../data/sql.ts'
import { invariant } from '../../../lib/invariant.ts'
import { recordAudit } from '../../../platform/audit/record-audit.ts'
import { moveParcel } from '../lifecycle/move-parcel.ts'
import { parcelErrors } from '../parcels.errors.ts'
import { lockParcel, type ParcelKey, type ParcelRow } from '../parcels.queries.ts'
import { failSubmission } from './fail-submission.ts'

/** Records a user's decision about a submission with an unknown outcome. Throws `invalid_transition` when the outcome is known. */
export async function decideOutcome(
  context: Context,
  key: ParcelKey,
  { taken }: { readonly taken: boolean },
  trackingId: string | undefined,
): Promise<ParcelRow> {
  return transaction(context.sql, async (tx) => {
    const parcel = await lockParcel(tx, key)
    if (parcel?.status !== 'submitting' || !parcel.outcomeUnknown) throw parcelErrors.outcomeKnown()
    const after = { taken, ...(trackingId !== undefined && { trackingId }) }
    await recordAudit(tx, { projectId: key.projectId }, { what: 'parcel.outcome_decided', thing: key.id, after })
    if (!taken) return failSubmission(tx, parcel, { code: 'not_taken', message: 'A user reported that the carrier does not have it.' })
    const number = invariant(trackingId, 'The number of a parcel that was taken')
    return moveParcel(tx, parcel, {
      to: 'submitted',
      source: 'api',
      at: new Date().toISOString(),
      payload: { trackingId: number, decidedByPerson: true },
      change: { trackingId: number, lastError: null },
    })
  })
}
