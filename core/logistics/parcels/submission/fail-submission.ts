import type { Tx } from '../../../data/sql.ts'
import { newId } from '../../../lib/ids.ts'
import { emitWebhook } from '../../../platform/webhooks/emit.ts'
import { recordBatchOutcome } from '../batch/record-outcomes.ts'
import { insertParcelEvent, type ParcelRow, type ParcelValues, updateParcel } from '../parcels.queries.ts'
import { presentParcel } from '../present.ts'

/** Records a failed submission that is not retried: in the parcel, its timeline, its batch and an event. */
export async function failSubmission(
  tx: Tx,
  parcel: ParcelRow,
  error: { readonly code: string; readonly message: string },
  change: ParcelValues = {},
): Promise<ParcelRow> {
  const sequence = parcel.sequence + 1
  const failed = await updateParcel(tx, parcel, {
    ...change,
    status: 'created',
    sequence,
    submitAt: null,
    submittingSince: null,
    outcomeUnknown: false,
    lastError: error,
  })
  const { projectId, id: parcelId } = parcel
  const at = failed.updatedAt
  await Promise.all([
    insertParcelEvent(tx, {
      projectId,
      parcelId,
      id: newId('evt'),
      type: 'submission_failed',
      source: 'system',
      at,
      fromStatus: null,
      toStatus: null,
      payload: error,
    }),
    emitWebhook(tx, [
      { projectId, type: 'parcel.submission_failed', data: { parcel: presentParcel(failed), ...error, sequence }, orderKey: parcelId },
    ]),
    recordBatchOutcome(tx, failed, 'failed', error),
  ])
  return failed
}
