import { Type as T } from '@sinclair/typebox'
import { type Sent, Sent as SentSchema } from '../../../../plugins/carrier/model.ts'
import type { Context } from '../../../context.ts'
import { transaction } from '../../../data/sql.ts'
import { callAdapter } from '../../../integrations/connections/calls/call-adapter.ts'
import { requireMembers } from '../../../integrations/connections/calls/require-members.ts'
import type { CarrierConnection } from '../../../integrations/connections/connection.ts'
import { AdapterFailure } from '../../../integrations/egress/adapter-failure.ts'
import { lockParcel, type ParcelRow, updateParcel } from '../parcels.queries.ts'
import { isSameClaim, sendDeadlineOf } from './lease.ts'
import { jitteredTimeAfter, lookUpDelay, recordSubmissionOutcomes, scheduleLookUp, submittingForMs } from './record-submission-outcomes.ts'
import type { SubmissionOutcome } from './submission-outcome.ts'
import { type Claim, type SubmissionResult, submitToCarrier } from './submit-to-carrier.ts'

/**
 * Resumes an interrupted submission by what the carrier supports: repeats it with the same reference, looks it up, or leaves it to a user.
 * Never sends the parcel again blindly.
 */
export async function resumeSubmission(context: Context, connection: CarrierConnection, parcel: ParcelRow, claim: Claim) {
  const { exactlyOnce, settleSeconds } = connection.mounted.carrier
  const concludeAs = (outcome: SubmissionOutcome) => recordSubmissionOutcomes(context, connection, [{ original: parcel, parcel, outcome }])
  // Another process may still be submitting it until its deadline; a look-up before that wastes quota.
  const underWayMs = sendDeadlineOf(connection) - submittingForMs(parcel)
  if (!parcel.outcomeUnknown && underWayMs > 0) return rescheduleAt(context, parcel, jitteredTimeAfter(underWayMs))
  if (exactlyOnce === 'unsafe') {
    const message = 'The submission was interrupted, and this carrier cannot look up whether it has the parcel.'
    return concludeAs({ kind: 'unknown', message })
  }
  if (exactlyOnce === 'idempotencyKey') {
    return recordSubmissionOutcomes(context, connection, (await submitToCarrier(context, connection, [parcel], claim)).map(asUnknown))
  }
  const found = await lookUp(context, connection, parcel, claim.signal)
  if (found === 'unreachable') return retryLookUp(context, connection, parcel, lookUpDelay(parcel))
  if (found) return concludeAs({ kind: 'taken', sent: found })
  // The call may have started right before its deadline, and the carrier may take as long again to show the parcel.
  const settlesAt = Date.parse(parcel.submittingSince ?? parcel.updatedAt) + sendDeadlineOf(connection) + settleSeconds * 1000
  if (settlesAt > Date.now()) return retryLookUp(context, connection, parcel, settlesAt - Date.now())
  // The carrier does not have it and no call is under way, so it may be sent again.
  const message = 'The carrier did not accept it on the first attempt.'
  return concludeAs({ kind: 'not_sent', code: 'not_taken', message, waitMs: 0 })
}

/** Turns a failed repetition into an unknown outcome, because it says nothing about the first call. */
const asUnknown = (one: SubmissionResult): SubmissionResult =>
  one.outcome.kind === 'not_sent' ? { ...one, outcome: { kind: 'unknown', message: one.outcome.message } } : one

const lookUp = (
  context: Context,
  connection: CarrierConnection,
  { id, reference }: ParcelRow,
  signal: AbortSignal,
): Promise<Sent | null | 'unreachable'> =>
  callAdapter(context, connection, (carrier, adapter) => requireMembers(carrier, 'findByReference').findByReference(adapter, reference), {
    operation: 'findByReference',
    parcelIds: [id],
    schema: T.Union([SentSchema, T.Null()]),
    quota: 'lookUp',
    signal,
  }).catch((error) => {
    if (error instanceof AdapterFailure) return 'unreachable' as const
    throw error
  })

async function rescheduleAt({ sql }: Context, held: ParcelRow, submitAt: string) {
  await transaction(sql, async (tx) => {
    const parcel = await lockParcel(tx, held)
    if (parcel?.status === 'submitting' && isSameClaim(held, parcel)) await updateParcel(tx, held, { submitAt })
  })
}

async function retryLookUp({ sql }: Context, connection: CarrierConnection, held: ParcelRow, ms: number) {
  await transaction(sql, async (tx) => {
    const parcel = await lockParcel(tx, held)
    if (parcel?.status !== 'submitting' || !isSameClaim(held, parcel)) return
    await scheduleLookUp(tx, connection, parcel, 'Looking up whether the carrier has the parcel.', ms)
  })
}
