import type { Sent } from '../../../../plugins/carrier/model.ts'
import type { Context } from '../../../context.ts'
import { isConnectionError } from '../../../data/database/database.ts'
import { type Tx, transaction } from '../../../data/sql.ts'
import type { CarrierConnection } from '../../../integrations/connections/connection.ts'
import { recordBatchOutcome } from '../batch/record-outcomes.ts'
import { moveParcels, type ParcelStatusChange } from '../lifecycle/move-parcel.ts'
import { lockParcels, type ParcelRow, type ParcelValues, updateParcel } from '../parcels.queries.ts'
import { failSubmission } from './fail-submission.ts'
import { isSameClaim } from './lease.ts'
import type { SubmissionOutcome } from './submission-outcome.ts'
import type { SubmissionResult } from './submit-to-carrier.ts'

/** Time after which a user decides about an unknown outcome. */
const LOOK_UP_MAX_MS = 24 * 3600_000
/** Time after which a batch records a row as unknown. */
const BATCH_WAIT_MS = 15 * 60_000
const ATTEMPTS_MAX = 8

/** Number of outcomes per transaction, so that their locks are short. */
const GROUP_SIZE = 50

/**
 * Records the outcomes of submissions and notifies waiting requests; unknown outcomes are looked up later. Outcomes that fail together are
 * recorded one by one. Throws the first error after all others are recorded.
 */
export async function recordSubmissionOutcomes(
  context: Context,
  connection: CarrierConnection,
  handed: readonly SubmissionResult[],
): Promise<void> {
  const broken: unknown[] = []
  for (let at = 0; at < handed.length; at += GROUP_SIZE) await recordGroup(context, connection, handed.slice(at, at + GROUP_SIZE), broken)
  if (broken.length > 0) throw broken[0]
}

async function recordGroup(context: Context, connection: CarrierConnection, handed: readonly SubmissionResult[], broken: unknown[]) {
  try {
    await transaction(context.sql, (tx) => recordInTransaction(tx, connection, handed))
  } catch (error) {
    const unknowns = handed.length === 1 && isNumberTaken(error) ? handed.flatMap(asUnknown) : []
    if (unknowns.length > 0) await recordGroup(context, connection, unknowns, broken)
    else if (handed.length === 1) broken.push(error)
    else if (isConnectionError(error)) throw error
    else for (const one of handed) await recordGroup(context, connection, [one], broken)
    return
  }
  logRefused(context, connection, handed)
  await context.outcomeNotifier.notify(handed.map(({ parcel }) => parcel.id))
}

/** Logs the parcels that a carrier refused, without its message, which may contain personal data. */
function logRefused({ log }: Context, { row }: CarrierConnection, handed: readonly SubmissionResult[]) {
  const refused = handed.flatMap(({ parcel: { id }, outcome }) =>
    outcome.kind === 'refused' ? [{ parcelId: id, code: outcome.code }] : [],
  )
  if (refused.length > 0)
    log.warn({ carrier: row.key, connectionId: row.id, projectId: row.projectId, refused }, 'a carrier refused parcels')
}

const isNumberTaken = (error: unknown) => (error as { constraint_name?: unknown } | null)?.constraint_name === 'parcels_tracking'

/**
 * Turns the outcome into unknown when another parcel has the same tracking number. The carrier may have either, and a retry would have the
 * same result.
 */
const asUnknown = ({ outcome, ...one }: SubmissionResult): SubmissionResult[] => {
  if (outcome.kind !== 'taken') return []
  const message = `The carrier returned ${outcome.sent.trackingId}, the tracking number of another parcel of this account. Ask the carrier which of the two it has.`
  return [{ ...one, outcome: { kind: 'unknown', message } }]
}

async function recordInTransaction(tx: Tx, connection: CarrierConnection, handed: readonly SubmissionResult[]) {
  const ids = handed.map(({ parcel }) => parcel.id)
  const now = new Map((await lockParcels(tx, connection.row.projectId, ids)).map((parcel) => [parcel.id, parcel]))
  const moves: SubmittedMove[] = []
  for (const one of handed) {
    const parcel = now.get(one.parcel.id)
    if (!parcel) continue
    if (one.outcome.kind !== 'taken') await recordNotSubmitted(tx, connection, parcel, { ...one, outcome: one.outcome })
    else if (canBecomeSubmitted(connection, parcel)) moves.push(submittedMoveOf(parcel, one.outcome.sent))
    else if (parcel.trackingId === one.outcome.sent.trackingId) await updateParcel(tx, parcel, carrierColumnsOf(parcel, one.outcome.sent))
  }
  // Moves that set the same columns are written together.
  const alike = Map.groupBy(moves, ({ change }) => Object.keys(change).join())
  for (const together of alike.values()) await moveParcels(tx, together)
}

/** Returns true when a parcel is being submitted, or when its submission was given up meanwhile by mistake. */
const canBecomeSubmitted = ({ row }: CarrierConnection, { status, carrierAccountId }: ParcelRow) =>
  status === 'submitting' || (status === 'created' && carrierAccountId === row.id)

type SubmittedMove = ParcelStatusChange & { readonly parcel: ParcelRow; readonly change: ParcelValues }

const submittedMoveOf = (parcel: ParcelRow, sent: Sent): SubmittedMove => ({
  parcel,
  to: 'submitted',
  source: 'api',
  at: new Date().toISOString(),
  payload: { trackingId: sent.trackingId },
  change: { ...carrierColumnsOf(parcel, sent), trackingId: sent.trackingId, lastError: null },
})

function carrierColumnsOf(parcel: ParcelRow, { labelUrl, carrierData = {}, warnings = [] }: Sent): ParcelValues {
  const told = warnings.length > 0 ? { ...parcel.told, warnings: [...(parcel.told?.warnings ?? []), ...warnings] } : parcel.told
  return { carrierData, told, ...(labelUrl !== undefined && { labelUrl }) }
}

async function recordNotSubmitted(
  tx: Tx,
  connection: CarrierConnection,
  parcel: ParcelRow,
  { original: asked, parcel: held, outcome }: SubmissionResult & { readonly outcome: Exclude<SubmissionOutcome, { kind: 'taken' }> },
) {
  // A callback or another process may have changed the parcel meanwhile; then only an acceptance still counts.
  if (parcel.status !== 'submitting' || !isSameClaim(held, parcel)) return
  if (outcome.kind === 'unknown') return scheduleLookUp(tx, connection, parcel, outcome.message)
  const { code, message } = outcome
  // Restores the requested destination that was adapted to this carrier.
  const place = asked.told ? {} : { destination: asked.destination, told: null }
  if (outcome.kind === 'refused') return void (await failSubmission(tx, parcel, { code, message }, place))
  const submitAttempts = parcel.submitAttempts - (outcome.isThrottled ? 1 : 0)
  if (submitAttempts >= ATTEMPTS_MAX) return void (await failSubmission(tx, parcel, { code, message }, place))
  await updateParcel(tx, parcel, {
    ...place,
    status: 'created',
    submitAt: jitteredTimeAfter(outcome.waitMs + 500 * 2 ** submitAttempts),
    submittingSince: null,
    outcomeUnknown: false,
    lastError: { code, message },
    submitAttempts,
  })
}

/** Schedules a look-up of an unknown outcome. Leaves it to a user after the maximum time, or when the carrier has no look-up. */
export async function scheduleLookUp(tx: Tx, connection: CarrierConnection, parcel: ParcelRow, message: string, ms = lookUpDelay(parcel)) {
  const isLookedUp = connection.mounted.carrier.exactlyOnce !== 'unsafe' && submittingForMs(parcel) < LOOK_UP_MAX_MS
  await markOutcomeUnknown(tx, parcel, message, isLookedUp ? ms : null)
}

/** Marks the outcome of a submission as unknown. `ms` is the delay of the look-up; null leaves the decision to a user. */
export async function markOutcomeUnknown(tx: Tx, parcel: ParcelRow, message: string, ms: number | null) {
  const lastError = { code: 'outcome_unknown', message }
  await updateParcel(tx, parcel, { outcomeUnknown: true, lastError, submitAt: ms === null ? null : jitteredTimeAfter(ms) })
  if (ms === null || submittingForMs(parcel) > BATCH_WAIT_MS) await recordBatchOutcome(tx, parcel, 'unknown', lastError)
}

/** Time in about `ms` milliseconds, with 10% jitter, as an ISO string. */
export const jitteredTimeAfter = (ms: number) => new Date(Date.now() + ms * (0.9 + Math.random() * 0.2)).toISOString()

/** Milliseconds since the submission of a parcel began. */
export const submittingForMs = ({ submittingSince, updatedAt }: ParcelRow) => Date.now() - Date.parse(submittingSince ?? updatedAt)

/** Delay of the next look-up in milliseconds: half of the time waited so far, from half a second up to 15 minutes. */
export const lookUpDelay = (parcel: ParcelRow) => Math.min(Math.max(500, submittingForMs(parcel) / 2), 15 * 60_000)
