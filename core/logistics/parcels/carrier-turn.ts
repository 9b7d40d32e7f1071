import type { Context } from '../../context.ts'
import { type Sql, type Tx, transaction } from '../../data/sql.ts'
import { ApiError, notFound } from '../../http/errors/errors.ts'
import { newId } from '../../lib/ids.ts'
import { addTurn, deleteLostTurn, deleteTurn, listLostTurns, renewTurn, type TurnRow } from './carrier-turn.queries.ts'
import { findParcel, lockParcel, type ParcelKey, type ParcelRow, updateParcel } from './parcels.queries.ts'

/** Kept for as long as somebody is at it: who has not said so for this time is dead, or was stopped. */
const TURN_SECONDS = 60
const KEEP_MS = 10_000
const WAIT_MS = 25_000
const LOOK_MS = { first: 20, most: 250 }

export interface Turn {
  /** The parcel as it was when the turn began. */
  readonly parcel: ParcelRow
  /**
   * Writes what the carrier accepted, whatever moved meanwhile, and ends the turn with it: both or neither. Where the turn was lost another
   * change may have crossed with this one: then what was edited is in doubt, and `outcome_unknown` is thrown.
   */
  conclude<V>(write: (tx: Tx, now: ParcelRow) => Promise<V>): Promise<V>
}

/**
 * Changes of one parcel at its carrier take turns, over all processes: `work` asks the carrier with no lock held, and nobody else asks it
 * for another change of this parcel until that is written. `fields`: what is asked to change, null to cancel. Throws `conflict` where the
 * turn does not come in time.
 */
export async function inTurn<V>(
  context: Context,
  { projectId, id: parcelId }: ParcelKey,
  fields: readonly string[] | null,
  work: (turn: Turn) => Promise<V>,
): Promise<V> {
  const { sql } = context
  const key = { projectId, id: parcelId }
  if (!(await findParcel(sql, key))) throw notFound('The parcel')
  const turn = { projectId, parcelId, id: newId('trn'), fields }
  await waitForTurn(sql, turn)
  const warn = (err: unknown) => context.log.warn({ err, parcelId }, 'a turn at a carrier ends by its time alone')
  const keeping = setInterval(() => renewTurn(sql, turn, TURN_SECONDS).catch(warn), KEEP_MS)
  // What the carrier took and could not be written down is in doubt: the turn is left, and lost in its time.
  let isLeft = false
  const conclude: Turn['conclude'] = async (write) => {
    isLeft = fields !== null
    const written = await concludeTurn(sql, turn, write)
    isLeft = false
    return written
  }
  try {
    const parcel = await findParcel(sql, key)
    if (!parcel) throw notFound('The parcel')
    return await work({ parcel, conclude })
  } finally {
    clearInterval(keeping)
    if (!isLeft) await deleteTurn(sql, turn).catch(warn)
  }
}

async function concludeTurn<V>(sql: Sql, turn: TurnRow, write: (tx: Tx, now: ParcelRow) => Promise<V>): Promise<V> {
  const written = await transaction(sql, async (tx) => {
    const now = await lockParcel(tx, { projectId: turn.projectId, id: turn.parcelId })
    if (!now) throw notFound('The parcel')
    const isOurs = await deleteTurn(tx, turn)
    if (isOurs || turn.fields === null) return { value: await write(tx, now) }
    await updateParcel(tx, now, { lastError: editUnknown(turn.fields, now.lastError) })
    return undefined
  })
  if (!written) throw new ApiError('outcome_unknown', 'It took so long that another change went to the carrier meanwhile. Look there.')
  return written.value
}

async function waitForTurn(sql: Sql, turn: TurnRow) {
  const until = Date.now() + WAIT_MS
  for (let ms = LOOK_MS.first; !(await addTurn(sql, turn, TURN_SECONDS)); ms = Math.min(LOOK_MS.most, ms * 2)) {
    if (Date.now() > until)
      throw new ApiError('conflict', 'Another change of this parcel is with the carrier. Try again in a moment.', {
        headers: { 'retry-after': '5' },
      })
    await tellLostTurns(sql, turn)
    await Bun.sleep(ms)
  }
}

/** Turns of processes that died, of one parcel or of all: nobody knows whether the carrier took what they asked for, and the parcel says so. */
export async function tellLostTurns(sql: Sql, of: Parameters<typeof listLostTurns>[1] = null) {
  for (const turn of await listLostTurns(sql, of)) {
    await transaction(sql, async (tx) => {
      const parcel = await lockParcel(tx, { projectId: turn.projectId, id: turn.parcelId })
      const isLost = await deleteLostTurn(tx, turn)
      if (isLost && parcel && turn.fields) await updateParcel(tx, parcel, { lastError: editUnknown(turn.fields, parcel.lastError) })
    })
  }
}

type LastError = ParcelRow['lastError']

const EDIT_UNKNOWN = 'edit_unknown'

/** For `lastError` of a parcel that its carrier was asked to change, and may have changed: what was in doubt `before` still is. */
export const editUnknown = (fields: readonly string[], before: LastError) => ({
  code: EDIT_UNKNOWN,
  message: `Whether the carrier took the last change (${[...new Set([...doubted(before), ...fields])].join(', ')}) is not known. Look there, and send the change again.`,
})

/** Whether a change of these fields, which the carrier took, leaves nothing in doubt that was. */
export const saysAgain = (error: LastError, fields: readonly string[]): boolean =>
  error?.code === EDIT_UNKNOWN && doubted(error).every((field) => fields.includes(field))

const doubted = (error: LastError): readonly string[] =>
  error?.code === EDIT_UNKNOWN ? (/\(([^)]+)\)/.exec(error.message)?.[1]?.split(', ') ?? []) : []
