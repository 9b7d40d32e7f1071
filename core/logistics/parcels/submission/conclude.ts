import type { Sent } from '../../../../plugins/carrier/model.ts'
import type { Context } from '../../../context.ts'
import { isConnectionError } from '../../../data/database/database.ts'
import { type Tx, transaction } from '../../../data/sql.ts'
import type { CarrierConnection } from '../../../integrations/connections/connection.ts'
import { tellBatch } from '../batch/tell.ts'
import { type Move, moveParcels } from '../lifecycle/move.ts'
import { lockParcels, type ParcelRow, type ParcelValues, updateParcel } from '../parcels.queries.ts'
import { failSubmission } from './fail.ts'
import type { HandedOver } from './hand-over.ts'
import { isHeldAs } from './lease.ts'
import type { Outcome } from './outcome.ts'

/** After this a person decides. */
const LOOKED_UP_FOR_MS = 24 * 3600_000
/** So long a batch waits to hear what became of a row. */
const BATCH_WAITS_MS = 15 * 60_000
const SENDS_MAX = 8

/** Outcomes written together: what holds many parcels holds them for a moment. */
const TOGETHER = 50

/**
 * Writes what came of hand-overs, and tells whoever waits; what is not settled is taken up again later. What cannot be written with the others
 * is written by itself, and what not even so is thrown when all others are written.
 */
export async function conclude(context: Context, connection: CarrierConnection, handed: readonly HandedOver[]): Promise<void> {
  const broken: unknown[] = []
  for (let at = 0; at < handed.length; at += TOGETHER) await concludeSome(context, connection, handed.slice(at, at + TOGETHER), broken)
  if (broken.length > 0) throw broken[0]
}

async function concludeSome(context: Context, connection: CarrierConnection, handed: readonly HandedOver[], broken: unknown[]) {
  try {
    await transaction(context.sql, (tx) => concludeIn(tx, connection, handed))
  } catch (error) {
    const doubted = handed.length === 1 && isNumberTaken(error) ? handed.flatMap(doubtedOf) : []
    if (doubted.length > 0) await concludeSome(context, connection, doubted, broken)
    else if (handed.length === 1) broken.push(error)
    else if (isConnectionError(error)) throw error
    else for (const one of handed) await concludeSome(context, connection, [one], broken)
    return
  }
  logRefused(context, connection, handed)
  await context.outcomes.tell(handed.map(({ parcel }) => parcel.id))
}

/** Says which parcels a carrier refused, without its words: they may name the recipient. */
function logRefused({ log }: Context, { row }: CarrierConnection, handed: readonly HandedOver[]) {
  const refused = handed.flatMap(({ parcel: { id }, outcome }) =>
    outcome.kind === 'refused' ? [{ parcelId: id, code: outcome.code }] : [],
  )
  if (refused.length > 0)
    log.warn({ carrier: row.key, connectionId: row.id, projectId: row.projectId, refused }, 'a carrier refused parcels')
}

const isNumberTaken = (error: unknown) => (error as { constraint_name?: unknown } | null)?.constraint_name === 'parcels_tracking'

/** Two parcels under one number: which of them the carrier has is not known, and tried again it would be the same. */
const doubtedOf = ({ outcome, ...one }: HandedOver): HandedOver[] => {
  if (outcome.kind !== 'taken') return []
  const message = `The carrier calls it ${outcome.sent.trackingId}, the number of another parcel of this account. Ask the carrier which of them it has.`
  return [{ ...one, outcome: { kind: 'unknown', message } }]
}

async function concludeIn(tx: Tx, connection: CarrierConnection, handed: readonly HandedOver[]) {
  const ids = handed.map(({ parcel }) => parcel.id)
  const now = new Map((await lockParcels(tx, connection.row.projectId, ids)).map((parcel) => [parcel.id, parcel]))
  const moves: Taking[] = []
  for (const one of handed) {
    const parcel = now.get(one.parcel.id)
    if (!parcel) continue
    if (one.outcome.kind !== 'taken') await notTaken(tx, connection, parcel, { ...one, outcome: one.outcome })
    else if (isToBeTaken(connection, parcel)) moves.push(takingOf(parcel, one.outcome.sent))
    else if (parcel.trackingId === one.outcome.sent.trackingId) await updateParcel(tx, parcel, saidOf(parcel, one.outcome.sent))
  }
  // Those that say as much of themselves are written together.
  const alike = Map.groupBy(moves, ({ change }) => Object.keys(change).join())
  for (const together of alike.values()) await moveParcels(tx, together)
}

/** Being handed over; or given up by a person or another process meanwhile, who did not know that the carrier has it. */
const isToBeTaken = ({ row }: CarrierConnection, { status, carrierAccountId }: ParcelRow) =>
  status === 'submitting' || (status === 'created' && carrierAccountId === row.id)

type Taking = Move & { readonly parcel: ParcelRow; readonly change: ParcelValues }

const takingOf = (parcel: ParcelRow, sent: Sent): Taking => ({
  parcel,
  to: 'submitted',
  source: 'api',
  at: new Date().toISOString(),
  payload: { trackingId: sent.trackingId },
  change: { ...saidOf(parcel, sent), trackingId: sent.trackingId, lastError: null },
})

function saidOf(parcel: ParcelRow, { labelUrl, carrierData = {}, warnings = [] }: Sent): ParcelValues {
  const told = warnings.length > 0 ? { ...parcel.told, warnings: [...(parcel.told?.warnings ?? []), ...warnings] } : parcel.told
  return { carrierData, told, ...(labelUrl !== undefined && { labelUrl }) }
}

async function notTaken(
  tx: Tx,
  connection: CarrierConnection,
  parcel: ParcelRow,
  { asked, parcel: held, outcome }: HandedOver & { readonly outcome: Exclude<Outcome, { kind: 'taken' }> },
) {
  // A callback may have told us meanwhile, or somebody else took it up since: only "the carrier has it" is still true.
  if (parcel.status !== 'submitting' || !isHeldAs(held, parcel)) return
  if (outcome.kind === 'unknown') return lookUpLater(tx, connection, parcel, outcome.message)
  const { code, message } = outcome
  // What was adapted to this carrier goes back to what was asked for.
  const place = asked.told ? {} : { destination: asked.destination, told: null }
  if (outcome.kind === 'refused') return void (await failSubmission(tx, parcel, { code, message }, place))
  const submitAttempts = parcel.submitAttempts - (outcome.heldBack ? 1 : 0)
  if (submitAttempts >= SENDS_MAX) return void (await failSubmission(tx, parcel, { code, message }, place))
  await updateParcel(tx, parcel, {
    ...place,
    status: 'created',
    submitAt: later(outcome.waitMs + 500 * 2 ** submitAttempts),
    submittingSince: null,
    outcomeUnknown: false,
    lastError: { code, message },
    submitAttempts,
  })
}

/** Nobody knows whether the carrier has it: it is looked up, and after long enough a person decides. */
export async function lookUpLater(tx: Tx, connection: CarrierConnection, parcel: ParcelRow, message: string, ms = lookUpDelay(parcel)) {
  const isLookedUp = connection.mounted.carrier.exactlyOnce !== 'unsafe' && waitedMs(parcel) < LOOKED_UP_FOR_MS
  await keepUnknown(tx, parcel, message, isLookedUp ? ms : null)
}

/** `ms`: when it is looked up; null where that is left to a person. */
export async function keepUnknown(tx: Tx, parcel: ParcelRow, message: string, ms: number | null) {
  const lastError = { code: 'outcome_unknown', message }
  await updateParcel(tx, parcel, { outcomeUnknown: true, lastError, submitAt: ms === null ? null : later(ms) })
  if (ms === null || waitedMs(parcel) > BATCH_WAITS_MS) await tellBatch(tx, parcel, 'unknown', lastError)
}

export const later = (ms: number) => new Date(Date.now() + ms * (0.9 + Math.random() * 0.2)).toISOString()

/** Since its hand-over began. */
export const waitedMs = ({ submittingSince, updatedAt }: ParcelRow) => Date.now() - Date.parse(submittingSince ?? updatedAt)

/** Half as long again as it was waited for already: at once at first, every quarter of an hour in the end. */
export const lookUpDelay = (parcel: ParcelRow) => Math.min(Math.max(500, waitedMs(parcel) / 2), 15 * 60_000)
