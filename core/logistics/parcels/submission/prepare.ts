import type { Context } from '../../../context.ts'
import { transaction } from '../../../data/sql.ts'
import type { CarrierConnection } from '../../../integrations/connections/connection.ts'
import { ERASED } from '../../../lib/person/person-matcher.ts'
import { unpayableAmountError } from '../amounts.ts'
import { adaptDestination } from '../change/adapt.ts'
import { lockParcel, type ParcelRow, updateParcel } from '../parcels.queries.ts'
import { isSameClaim, leaseDurationOf } from './lease.ts'
import { renewClaims } from './submission.queries.ts'
import { type SubmissionOutcome, submissionOutcomeOf } from './submission-outcome.ts'

/** Claimed parcel as requested, and as adapted to its carrier. */
export interface PreparedParcel {
  readonly original: ParcelRow
  readonly parcel: ParcelRow
}

/** Result of preparing claimed parcels. */
export interface PreparationResult {
  readonly ready: readonly PreparedParcel[]
  /** Parcels that could not be prepared, with the reason. */
  readonly failed: readonly (PreparedParcel & { readonly outcome: SubmissionOutcome })[]
  /** Time at which the claims were renewed, by `performance.now()`; undefined when they were not. */
  readonly claimedAt?: number
}

/** Duration of the preparation after which the claims are renewed. */
const RENEW_AFTER_MS = 500

/** Adapts claimed parcels to what their carrier can deliver. Omits parcels that other processes have claimed meanwhile. */
export async function prepareClaimed(
  context: Context,
  connection: CarrierConnection,
  claimed: readonly ParcelRow[],
): Promise<PreparationResult> {
  const began = performance.now()
  const ready: PreparedParcel[] = []
  const failed: (PreparedParcel & { outcome: SubmissionOutcome })[] = []
  // One after another, so that parcels to the same place use the cached result of the first.
  for (const asked of claimed) {
    const one = await prepareOne(context, connection, asked)
    if ('kind' in one) failed.push({ original: asked, parcel: asked, outcome: one })
    else ready.push({ original: asked, parcel: one })
  }
  const takenAt = performance.now()
  return takenAt - began > RENEW_AFTER_MS
    ? { ready: await renewClaimsOf(context, connection, ready), failed, claimedAt: takenAt }
    : { ready, failed }
}

/** Renews the claims, so that the deadline of the call counts from now. */
async function renewClaimsOf({ sql }: Context, connection: CarrierConnection, ready: readonly PreparedParcel[]): Promise<PreparedParcel[]> {
  const rows = await renewClaims(
    sql,
    connection.row.projectId,
    ready.map(({ parcel }) => parcel),
    leaseDurationOf(connection),
  )
  const since = new Map(rows.map(({ id, submittingSince }) => [id, submittingSince]))
  return ready.flatMap(({ original, parcel }) => {
    const submittingSince = since.get(parcel.id)
    return submittingSince ? [{ original, parcel: { ...parcel, submittingSince } }] : []
  })
}

const personErasedError = {
  code: 'person_erased',
  message: 'The personal data of this parcel was erased, so it can no longer be delivered. Cancel it.',
}

const noExchangesError = (label: string) => ({
  code: 'takes_nothing_back',
  message: `${label} does not collect goods on delivery, and this parcel belongs to an exchange. Send it with another carrier.`,
})

/** Adapts one parcel and stores the adapted destination. Returns the parcel, or the outcome that prevents its submission. */
async function prepareOne(context: Context, connection: CarrierConnection, asked: ParcelRow): Promise<ParcelRow | SubmissionOutcome> {
  const { carrier } = connection.mounted
  if (asked.takesBack !== null && !carrier.exchanges) return { kind: 'refused', ...noExchangesError(carrier.label) }
  if (asked.recipient.phone === ERASED) return { kind: 'refused', ...personErasedError }
  const amountError = unpayableAmountError(connection, asked)
  if (amountError) return { kind: 'refused', ...amountError }
  try {
    const { destination, warnings, rewritten } = await adaptDestination(context, connection, asked.destination)
    if (!destination) return asked
    const told = { warnings, ...(rewritten && { rewritten }) }
    return await transaction(context.sql, async (tx) => {
      const now = await lockParcel(tx, asked)
      // A process that has claimed the parcel meanwhile adapts it in the same way.
      if (!now || !isSameClaim(asked, now)) return { ...asked, destination, told }
      return updateParcel(tx, asked, { destination, told })
    })
  } catch (error) {
    return submissionOutcomeOf(error, { sent: false })
  }
}
