import type { Sent } from '../../../../plugins/carrier/model.ts'
import type { Context } from '../../../context.ts'
import { type Tx, transaction } from '../../../data/sql.ts'
import type { CarrierConnection } from '../../../shop/connections/connection.ts'
import { tellBatch } from '../batch/tell.ts'
import { moveParcel } from '../move.ts'
import { lockParcel, type ParcelRow, updateParcel } from '../parcels.queries.ts'
import { failSubmission } from './fail.ts'
import type { HandedOver } from './hand-over.ts'

/** After this a person decides. */
const LOOKED_UP_FOR_MS = 24 * 3600_000
/** So long a batch waits to hear what became of a row. */
const BATCH_WAITS_MS = 15 * 60_000
const SENDS_MAX = 8

/** Writes what came of a hand-over, and tells whoever waits; what is not settled is taken up again later. */
export async function conclude(context: Context, connection: CarrierConnection, { asked, parcel: held, outcome }: HandedOver) {
  await transaction(context.sql, async (tx) => {
    const parcel = await lockParcel(tx, held.id)
    if (!parcel) return
    if (outcome.kind === 'taken') return taken(tx, parcel, outcome.sent)
    // A callback may have told us meanwhile, or somebody else claimed it since: only "the carrier has it" is still true.
    if (parcel.status !== 'submitting' || parcel.submittingSince !== held.submittingSince) return
    if (outcome.kind === 'unknown') return lookUpLater(tx, connection, parcel, outcome.message)
    const { code, message } = outcome
    // What was adapted to this carrier goes back to what was asked for.
    const place = asked.told ? {} : { destination: asked.destination, told: null }
    if (outcome.kind === 'refused') return void (await failSubmission(tx, parcel, { code, message }, place))
    const submitAttempts = parcel.submitAttempts - (outcome.heldBack ? 1 : 0)
    if (submitAttempts >= SENDS_MAX) return void (await failSubmission(tx, parcel, { code, message }, place))
    await updateParcel(tx, parcel.id, {
      ...place,
      status: 'created',
      submitAt: later(outcome.waitMs + 500 * 2 ** submitAttempts),
      submittingSince: null,
      outcomeUnknown: false,
      lastError: { code, message },
      submitAttempts,
    })
  })
  await context.outcomes.tell(held.id)
}

async function taken(tx: Tx, parcel: ParcelRow, { trackingId, labelUrl, carrierData = {}, warnings = [] }: Sent) {
  const told = warnings.length > 0 ? { ...parcel.told, warnings: [...(parcel.told?.warnings ?? []), ...warnings] } : parcel.told
  const said = { carrierData, told, ...(labelUrl !== undefined && { labelUrl }) }
  if (parcel.status === 'submitting') {
    const change = { ...said, trackingId, lastError: null }
    await moveParcel(tx, parcel, { to: 'submitted', source: 'api', at: new Date().toISOString(), payload: { trackingId }, change })
  } else if (parcel.trackingId === trackingId) {
    await updateParcel(tx, parcel.id, said)
  }
}

/** Nobody knows whether the carrier has it: it is looked up, and after long enough a person decides. */
export async function lookUpLater(tx: Tx, connection: CarrierConnection, parcel: ParcelRow, message: string, ms = lookUpDelay(parcel)) {
  const isLookedUp = connection.mounted.carrier.exactlyOnce !== 'unsafe' && waitedMs(parcel) < LOOKED_UP_FOR_MS
  const lastError = { code: 'outcome_unknown', message }
  await updateParcel(tx, parcel.id, { outcomeUnknown: true, lastError, submitAt: isLookedUp ? later(ms) : null })
  if (!isLookedUp || waitedMs(parcel) > BATCH_WAITS_MS) await tellBatch(tx, parcel, 'unknown', lastError)
}

export const later = (ms: number) => new Date(Date.now() + ms * (0.9 + Math.random() * 0.2)).toISOString()

/** Since its hand-over began. */
export const waitedMs = ({ submittingSince, updatedAt }: ParcelRow) => Date.now() - Date.parse(submittingSince ?? updatedAt)

/** Half as long again as it was waited for already: at once at first, every quarter of an hour in the end. */
export const lookUpDelay = (parcel: ParcelRow) => Math.min(Math.max(500, waitedMs(parcel) / 2), 15 * 60_000)
