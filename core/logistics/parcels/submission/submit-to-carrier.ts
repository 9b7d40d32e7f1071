import { type Static, Type as T } from '@sinclair/typebox'
import { SentRow, Sent as SentSchema } from '../../../../plugins/carrier/model.ts'
import type { Context } from '../../../context.ts'
import { callAdapter } from '../../../integrations/connections/calls/call-adapter.ts'
import { requireMembers } from '../../../integrations/connections/calls/require-members.ts'
import type { TracedOutcomes } from '../../../integrations/connections/calls/trace-call.ts'
import type { CarrierConnection } from '../../../integrations/connections/connection.ts'
import { withCarrierCityName } from '../../../integrations/connections/places/sync-places.ts'
import { AdapterFailure } from '../../../integrations/egress/adapter-failure.ts'
import type { ParcelRow } from '../parcels.queries.ts'
import { sendDeadlineOf } from './lease.ts'
import { type PreparedParcel, prepareClaimed } from './prepare.ts'
import { shipmentOf } from './shipment.ts'
import { type SubmissionOutcome, submissionOutcomeOf } from './submission-outcome.ts'

/** Parcel with the outcome of its submission. */
export interface SubmissionResult extends PreparedParcel {
  readonly outcome: SubmissionOutcome
}

/** Claim of a process on parcels to submit. */
export interface Claim {
  /** Time of the claim, by `performance.now()`. */
  readonly claimedAt: number
  readonly signal: AbortSignal
}

/** Submits claimed parcels to their carrier, several in one call where the carrier allows it. Returns the outcome of each. */
export async function submitToCarrier(
  context: Context,
  connection: CarrierConnection,
  claimed: readonly ParcelRow[],
  claim: Claim,
): Promise<SubmissionResult[]> {
  const { ready, failed, claimedAt: takenAt = claim.claimedAt } = await prepareClaimed(context, connection, claimed)
  const parcels = ready.map(({ parcel }) => parcel)
  const since = { ...claim, claimedAt: takenAt }
  const outcomes = parcels.length > 1 ? await sendMany(context, connection, parcels, since) : undefined
  const handed = ready.map(async (one) => ({
    ...one,
    outcome: outcomes?.(one.parcel) ?? (await sendOne(context, connection, one.parcel, since)),
  }))
  return [...failed, ...(await Promise.all(handed))]
}

/**
 * Returns the milliseconds left for a call until the deadline of the claim. Throws when none are left: another process may submit the
 * parcel again by now.
 */
function timeLeft(connection: CarrierConnection, { claimedAt }: Claim): number {
  const left = claimedAt + sendDeadlineOf(connection) - performance.now()
  if (left > 0) return left
  throw new AdapterFailure('timeout', 'The submission was delayed on the server, and starts again.', { wasSent: false })
}

async function sendOne(context: Context, connection: CarrierConnection, parcel: ParcelRow, claim: Claim): Promise<SubmissionOutcome> {
  try {
    const shipment = await withCarrierCityName(context, connection, shipmentOf(parcel))
    const sent = await callAdapter(context, connection, (carrier, adapter) => carrier.send(adapter, shipment), {
      operation: 'send',
      parcelIds: [parcel.id],
      deadlineMs: timeLeft(connection, claim),
      schema: SentSchema,
      signal: claim.signal,
    })
    return { kind: 'taken', sent }
  } catch (error) {
    return submissionOutcomeOf(error)
  }
}

/** Trace rows of a call that sent many parcels: one for all accepted parcels, and one for each reason of refusal. */
function traceRowsOf(parcels: readonly ParcelRow[], rows: readonly Static<typeof SentRow>[]): TracedOutcomes {
  const refusals = new Map(rows.flatMap(({ reference, refused }) => (refused ? [[reference, refused.message] as const] : [])))
  const accepted = parcels.filter(({ reference }) => !refusals.has(reference))
  const byMessage = Map.groupBy(
    parcels.filter(({ reference }) => refusals.has(reference)),
    ({ reference }) => refusals.get(reference) ?? '',
  )
  const refused = [...byMessage].map(([message, of]) => ({ outcome: 'refused', message, parcelIds: of.map(({ id }) => id) }))
  return accepted.length > 0 ? [{ outcome: 'ok', message: null, parcelIds: accepted.map(({ id }) => id) }, ...refused] : refused
}

async function sendMany(
  context: Context,
  connection: CarrierConnection,
  parcels: readonly ParcelRow[],
  claim: Claim,
): Promise<(parcel: ParcelRow) => SubmissionOutcome> {
  try {
    const shipments = await Promise.all(parcels.map((parcel) => withCarrierCityName(context, connection, shipmentOf(parcel))))
    const rows = await callAdapter(
      context,
      connection,
      (carrier, adapter) => requireMembers(carrier, 'sendMany').sendMany(adapter, shipments),
      {
        operation: 'sendMany',
        parcelIds: parcels.map(({ id }) => id),
        deadlineMs: timeLeft(connection, claim),
        schema: T.Array(SentRow),
        outcomeOf: (answer) => traceRowsOf(parcels, answer as readonly Static<typeof SentRow>[]),
        signal: claim.signal,
      },
    )
    const byReference = new Map(rows.map((row) => [row.reference, row]))
    return ({ reference }) => {
      const row = byReference.get(reference)
      if (row?.sent) return { kind: 'taken', sent: row.sent }
      return row?.refused
        ? { kind: 'refused', ...row.refused }
        : { kind: 'unknown', message: 'The response of the carrier does not contain this parcel.' }
    }
  } catch (error) {
    const outcome = submissionOutcomeOf(error)
    return () => outcome
  }
}
