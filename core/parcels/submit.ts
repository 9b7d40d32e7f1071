import { Type as T } from '@sinclair/typebox'
import { type Sent, SentRow, Sent as SentSchema, type Shipment } from '../../plugins/carrier/model.ts'
import type { Context } from '../context.ts'
import { transaction } from '../data/sql.ts'
import { CarrierFailure, CIRCUIT_OPEN, isHeldBack } from '../gateway/failure.ts'
import { ApiError } from '../http/errors.ts'
import { type Account, accountById, callCarrier, turnAt } from '../integrations/call-carrier.ts'
import { inCarrierWords } from '../integrations/sync-places.ts'
import { enqueueSubmission } from './create.ts'
import { moveParcel } from './move.ts'
import { findParcels, listStranded, lockParcel, lockParcels, noteWaiting, type ParcelRow, updateParcel } from './parcels.queries.ts'

declare module '../data/jobs.ts' {
  interface Jobs {
    'parcels.submit': { parcelIds: string[] }
    'parcels.recover': Record<string, never>
  }
}

const DEADLINE_LEAST_MS = 2_000
/** No call of a carrier lasts this long. */
const STRANDED_SECONDS = 120
/** Calls to a carrier that takes one parcel at a time. */
const SENT_AT_ONCE = 8
/** Outcomes of one call written at once: some connections are left to others. */
const CONCLUDED_AT_ONCE = 4
/** Parcels in one call of a carrier that takes many and does not say how many. */
const SENT_TOGETHER = 50
/** After this a person decides. */
const LOOKED_UP_FOR_MS = 24 * 3600_000
const SENDS_MAX = 8
/** A shorter wait for the carrier's turn is waited out within the call. */
const TURN_WAIT_MS = 2_500

type Outcome =
  | { readonly kind: 'taken'; readonly sent: Sent }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string }
  | { readonly kind: 'not_sent'; readonly code: string; readonly message: string; readonly waitMs: number; readonly heldBack?: boolean }
  | { readonly kind: 'unknown'; readonly message: string }

/**
 * The one road to a carrier. A parcel that is `created` is claimed, its intent committed, then the carrier is called with our
 * reference and the outcome written. A parcel found `submitting` was begun by somebody who did not finish: it is looked up, never
 * sent again blindly. What cannot be sent at once is claimed only when its turn comes, so that a claim is never older than its call.
 */
export async function submitParcels(context: Context, parcelIds: readonly string[], signal: AbortSignal): Promise<void> {
  const parcels = await findParcels(context.sql, parcelIds)
  for (const [accountId, of] of Map.groupBy(parcels, ({ carrierAccountId }) => carrierAccountId)) {
    if (accountId === null) continue
    const account = await accountById(context, accountId).catch((error: unknown) => {
      if (error instanceof ApiError) return error
      throw error
    })
    const width = account instanceof ApiError ? of.length : atOnce(account)
    for (let at = 0; at < of.length; at += width) {
      // What is left stays `created`, and the job, tried again, finds it.
      signal.throwIfAborted()
      const waitMs = account instanceof ApiError ? 0 : await turnAt(context, account, { line: true })
      if (waitMs > TURN_WAIT_MS) return postpone(context, of.slice(at), waitMs)
      await submitSome(context, accountId, account, of.slice(at, at + width), signal)
    }
  }
}

/** The carrier takes no more for now: they come again when it is their turn, unclaimed until then, one by one where they are sent so. */
async function postpone({ sql, outcomes }: Context, parcels: readonly ParcelRow[], waitMs: number) {
  const ids = parcels.map(({ id }) => id)
  const message = `The carrier takes no more calls of this account for now; it is sent by itself in about ${Math.ceil(waitMs / 1000)} s.`
  await transaction(sql, async (tx) => {
    await noteWaiting(tx, ids, { code: 'rate_limited', message })
    await enqueueSubmission(tx, ids, new Date(Date.now() + waitMs))
  })
  await Promise.all(ids.map((id) => outcomes.tell(id)))
}

const atOnce = ({ mounted: { carrier } }: Account) => (carrier.sendMany ? (carrier.sendManyMax ?? SENT_TOGETHER) : SENT_AT_ONCE)

async function submitSome(
  context: Context,
  accountId: string,
  account: Account | ApiError,
  parcels: readonly ParcelRow[],
  signal: AbortSignal,
) {
  const { fresh, begun } = await claim(
    context,
    accountId,
    parcels.map(({ id }) => id),
  )
  if (account instanceof ApiError) {
    for (const parcel of fresh) await conclude(context, parcel, { kind: 'refused', code: 'carrier_not_enabled', message: account.message })
    return
  }
  await send(context, account, fresh, signal)
  for (const parcel of begun) await resume(context, account, parcel, signal)
}

/** Marks what is to be sent, in one transaction; the marks say when the sending began. */
async function claim({ sql }: Context, accountId: string, parcelIds: readonly string[]) {
  return transaction(sql, async (tx) => {
    // One that was given to another carrier meanwhile has a job of its own.
    const parcels = (await lockParcels(tx, parcelIds)).filter(({ carrierAccountId }) => carrierAccountId === accountId)
    const submittingSince = new Date().toISOString()
    const fresh: ParcelRow[] = []
    for (const { id, status, submitAttempts } of parcels) {
      if (status !== 'created') continue
      fresh.push(await updateParcel(tx, id, { status: 'submitting', submittingSince, submitAttempts: submitAttempts + 1, lastError: null }))
    }
    return { fresh, begun: parcels.filter(({ status }) => status === 'submitting') }
  })
}

async function send(context: Context, account: Account, parcels: readonly ParcelRow[], signal: AbortSignal) {
  if (!account.mounted.carrier.sendMany || parcels.length === 1) {
    await Promise.all(parcels.map(async (parcel) => conclude(context, parcel, await sendOne(context, account, parcel, signal), account)))
    return
  }
  if (parcels.length === 0) return
  const outcomes = await sendTogether(context, account, parcels, signal)
  for (let at = 0; at < parcels.length; at += CONCLUDED_AT_ONCE) {
    const some = parcels.slice(at, at + CONCLUDED_AT_ONCE)
    await Promise.all(some.map((parcel) => conclude(context, parcel, outcomes(parcel.reference), account)))
  }
}

const deadlineOf = ({ mounted }: Account) => Math.max(DEADLINE_LEAST_MS, mounted.carrier.settleSeconds * 1000)

async function sendOne(context: Context, account: Account, parcel: ParcelRow, signal: AbortSignal): Promise<Outcome> {
  try {
    const shipment = await inCarrierWords(context, account, shipmentOf(parcel))
    const sent = await callCarrier(context, account, (carrier, adapter) => carrier.send(adapter, shipment), {
      operation: 'send',
      parcelIds: [parcel.id],
      deadlineMs: deadlineOf(account),
      schema: SentSchema,
      signal,
    })
    return { kind: 'taken', sent }
  } catch (error) {
    return outcomeOf(error)
  }
}

async function sendTogether(
  context: Context,
  account: Account,
  parcels: readonly ParcelRow[],
  signal: AbortSignal,
): Promise<(reference: string) => Outcome> {
  try {
    const shipments = await Promise.all(parcels.map((parcel) => inCarrierWords(context, account, shipmentOf(parcel))))
    const rows = await callCarrier(context, account, (carrier, adapter) => carrier.sendMany!(adapter, shipments), {
      operation: 'sendMany',
      parcelIds: parcels.map(({ id }) => id),
      deadlineMs: deadlineOf(account),
      schema: T.Array(SentRow),
      signal,
    })
    const byReference = new Map(rows.map((row) => [row.reference, row]))
    return (reference) => {
      const row = byReference.get(reference)
      if (row?.sent) return { kind: 'taken', sent: row.sent }
      return row?.refused ? { kind: 'refused', ...row.refused } : { kind: 'unknown', message: 'The carrier said nothing of this parcel.' }
    }
  } catch (error) {
    const outcome = outcomeOf(error)
    return () => outcome
  }
}

function outcomeOf(error: unknown): Outcome {
  if (!(error instanceof CarrierFailure)) throw error
  const { reason, sent, message, upstream } = error
  const said = upstream.message ? `${message} (${upstream.message})` : message
  if (reason === 'refused' || reason === 'unauthorized' || reason === 'not_found')
    return { kind: 'refused', code: upstream.code ?? reason, message: said }
  const waitMs = (upstream.retryAfterSeconds ?? 30) * 1000
  if (reason === 'rate_limited') return { kind: 'not_sent', code: 'rate_limited', message: said, waitMs, heldBack: true }
  if (isHeldBack(error)) return { kind: 'not_sent', code: CIRCUIT_OPEN, message: said, waitMs, heldBack: true }
  return sent ? { kind: 'unknown', message: said } : { kind: 'not_sent', code: 'carrier_unavailable', message: said, waitMs: 0 }
}

/** Writes what came of it. Whoever waits is told; what is not settled is tried again later. */
async function conclude(context: Context, claimed: ParcelRow, outcome: Outcome, account?: Account) {
  const { id } = claimed
  await transaction(context.sql, async (tx) => {
    const parcel = await lockParcel(tx, id)
    // A callback may have told us meanwhile.
    if (parcel?.status !== 'submitting') return
    // Somebody else claimed it since: only "the carrier has it" is still true.
    if (outcome.kind !== 'taken' && parcel.submittingSince !== claimed.submittingSince) return
    if (outcome.kind === 'taken') {
      const { trackingId, labelUrl = null, carrierData = {}, warnings = [] } = outcome.sent
      const kept = warnings.length > 0 ? { ...carrierData, warnings } : carrierData
      const change = { trackingId, labelUrl, carrierData: kept, lastError: null }
      await moveParcel(tx, parcel, { to: 'submitted', source: 'api', at: new Date().toISOString(), payload: { trackingId }, change })
    } else if (outcome.kind === 'unknown') {
      await updateParcel(tx, id, { outcomeUnknown: true, lastError: { code: 'outcome_unknown', message: outcome.message } })
      if (account && account.mounted.carrier.exactlyOnce !== 'unsafe' && waitedMs(parcel) < LOOKED_UP_FOR_MS) {
        await enqueueSubmission(tx, [id], later(lookUpDelay(parcel)))
      }
    } else {
      const lastError = { code: outcome.code, message: outcome.message }
      // What was not even asked for is no attempt.
      const submitAttempts = outcome.kind === 'not_sent' && outcome.heldBack ? parcel.submitAttempts - 1 : parcel.submitAttempts
      await updateParcel(tx, id, { status: 'created', submittingSince: null, outcomeUnknown: false, lastError, submitAttempts })
      if (outcome.kind === 'not_sent' && submitAttempts < SENDS_MAX)
        await enqueueSubmission(tx, [id], later(outcome.waitMs + 500 * 2 ** submitAttempts))
    }
  })
  await context.outcomes.tell(id)
}

const later = (ms: number) => new Date(Date.now() + ms * (0.9 + Math.random() * 0.2))
const waitedMs = ({ submittingSince, updatedAt }: ParcelRow) => Date.now() - Date.parse(submittingSince ?? updatedAt)
/** Half as long again as it was waited for already: at once at first, every quarter of an hour in the end. */
const lookUpDelay = (parcel: ParcelRow) => Math.min(Math.max(500, waitedMs(parcel) / 2), 15 * 60_000)

/** Somebody began this and did not finish. By what the carrier can do: repeat under the same reference, look it up, or leave it to a person. */
async function resume(context: Context, account: Account, parcel: ParcelRow, signal: AbortSignal) {
  const { exactlyOnce, settleSeconds } = account.mounted.carrier
  // Until its deadline another may be at it: asking the carrier would tell nothing, and use up its quota.
  const underWayMs = deadlineOf(account) - waitedMs(parcel)
  if (!parcel.outcomeUnknown && underWayMs > 0) return enqueueSubmission(context.sql, [parcel.id], later(underWayMs))
  if (exactlyOnce === 'unsafe')
    return conclude(
      context,
      parcel,
      { kind: 'unknown', message: 'The sending was interrupted; this carrier cannot be asked whether it has the parcel.' },
      account,
    )
  if (exactlyOnce === 'idempotencyKey') return conclude(context, parcel, await sendOne(context, account, parcel, signal), account)
  const found = await lookUp(context, account, parcel, signal)
  if (found === 'unreachable') return again(context, parcel, lookUpDelay(parcel))
  if (found) return conclude(context, parcel, { kind: 'taken', sent: found })
  // The call may have left at its very deadline, and the carrier may need as long again to show what it took.
  const settlesAt = Date.parse(parcel.submittingSince ?? parcel.updatedAt) + deadlineOf(account) + settleSeconds * 1000
  if (settlesAt > Date.now()) return again(context, parcel, settlesAt - Date.now())
  // The carrier does not have it, and nothing of ours is on its way any more: it may be sent.
  return conclude(context, parcel, {
    kind: 'not_sent',
    code: 'not_taken',
    message: 'The carrier did not take it at the first try.',
    waitMs: 0,
  })
}

async function lookUp(
  context: Context,
  account: Account,
  { id, reference }: ParcelRow,
  signal: AbortSignal,
): Promise<Sent | null | 'unreachable'> {
  return callCarrier(context, account, (carrier, adapter) => carrier.findByReference!(adapter, reference), {
    operation: 'findByReference',
    parcelIds: [id],
    schema: T.Union([SentSchema, T.Null()]),
    signal,
  }).catch((error) => {
    if (error instanceof CarrierFailure) return 'unreachable' as const
    throw error
  })
}

async function again({ sql }: Context, { id }: ParcelRow, ms: number) {
  await transaction(sql, async (tx) => {
    const parcel = await lockParcel(tx, id)
    if (parcel?.status !== 'submitting') return
    if (!parcel.outcomeUnknown) await updateParcel(tx, id, { outcomeUnknown: true })
    if (waitedMs(parcel) < LOOKED_UP_FOR_MS) await enqueueSubmission(tx, [id], later(ms))
  })
}

/** A person says what became of a parcel whose outcome nobody knows. */
export async function decideOutcome(
  context: Context,
  parcelId: string,
  taken: boolean,
  trackingId: string | undefined,
): Promise<ParcelRow> {
  return transaction(context.sql, async (tx) => {
    const parcel = await lockParcel(tx, parcelId)
    if (parcel?.status !== 'submitting' || !parcel.outcomeUnknown)
      throw new ApiError('invalid_transition', 'The outcome of this parcel is known; there is nothing to decide.')
    if (!taken) return updateParcel(tx, parcelId, { status: 'created', submittingSince: null, outcomeUnknown: false, lastError: null })
    return moveParcel(tx, parcel, {
      to: 'submitted',
      source: 'api',
      at: new Date().toISOString(),
      payload: { trackingId, decidedByPerson: true },
      change: { trackingId: trackingId!, lastError: null },
    })
  })
}

function shipmentOf({
  reference,
  recipient,
  destination,
  codAmount,
  declaredValue,
  weightKg,
  dimensions,
  contents,
  notes,
}: ParcelRow): Shipment {
  const { stateName, cityCode, pickupId, resolved: _, ...place } = destination
  const { phoneAlt, ...person } = recipient
  const { lengthCm, widthCm, heightCm } = (dimensions ?? {}) as Record<string, unknown>
  const measured = typeof lengthCm === 'number' && typeof widthCm === 'number' && typeof heightCm === 'number'
  return {
    reference,
    recipient: { ...person, ...(phoneAlt && { phoneAlt }) },
    destination: { ...place, stateName: stateName ?? place.stateCode, ...(cityCode && { cityCode }), ...(pickupId && { pickupId }) },
    codAmount: Number(codAmount),
    declaredValue: Number(declaredValue),
    weightKg: Number(weightKg),
    ...(measured && { dimensions: { lengthCm, widthCm, heightCm } }),
    contents,
    notes,
  }
}

/** Parcels whose job was lost together with its process are taken up again. */
export async function recoverStranded({ sql }: Context) {
  for (const { id } of await listStranded(sql, STRANDED_SECONDS)) await enqueueSubmission(sql, [id])
}
