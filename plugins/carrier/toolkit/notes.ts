import { isRow, number, type Row, text } from '../../toolkit/values.ts'
import type { CarrierContext } from '../contract.ts'
import { together } from './places.ts'

type Noting = Pick<CarrierContext, 'connectionId' | 'memory' | 'now'>

const dayMs = 86_400_000
/** The server asks for 60 days after the last news of a parcel; nothing on a parcel is needed twice as long. */
const KEPT_MS = 120 * dayMs
const SWEEP_EVERY_MS = 3_600_000
const SWEPT_AT_ONCE = 1000

const keyOf = (kind: string, id: string) => `${kind}:${id}`

/** What was noted on one parcel (or order, or customer); undefined where nothing is. */
export async function noteOn({ memory }: Pick<Noting, 'memory'>, kind: string, id: string): Promise<Row | undefined> {
  const note = await memory.get(keyOf(kind, id))
  return isRow(note) ? note : undefined
}

/**
 * Notes something on one parcel, under `kind:id`. There is a note for each, so they would pile up for ever: those of a kind that were not written anew
 * for 120 days are swept away while others are written.
 */
export async function note(context: Noting, kind: string, id: string, value: Row): Promise<void> {
  await context.memory.set(keyOf(kind, id), { ...value, notedAt: context.now() })
  await together(context, `sweep ${kind}`, () => sweep(context, kind))
}

export const forget = ({ memory }: Pick<Noting, 'memory'>, kind: string, id: string): Promise<void> => memory.delete(keyOf(kind, id))

/** Once an hour a thousand notes are looked at, from where the last sweep stopped. */
async function sweep({ memory, now }: Noting, kind: string): Promise<void> {
  const key = `swept ${kind}`
  const last = await memory.get(key)
  const [at, after] = isRow(last) ? [number(last.at) ?? 0, text(last.after) ?? ''] : [0, '']
  if (at > now() - SWEEP_EVERY_MS) return
  const notes = await memory.list(keyOf(kind, ''), { after, limit: SWEPT_AT_ONCE })
  const isOld = ({ value }: { value: unknown }) => (isRow(value) ? (number(value.notedAt) ?? 0) : 0) < now() - KEPT_MS
  await Promise.all(notes.filter(isOld).map((old) => memory.delete(old.key)))
  await memory.set(key, { at: now(), after: notes.length < SWEPT_AT_ONCE ? '' : notes.at(-1)!.key })
}

const SEEN = 'seen'

/**
 * When a raw status was first read (ISO 8601), for a carrier that tells no times. The time of each reading would make news of what is
 * none, and count one failed attempt again and again.
 */
export async function firstSeen(context: Noting, trackingId: string, carrierStatus: string): Promise<string> {
  const seen = await noteOn(context, SEEN, trackingId)
  const since = seen?.carrierStatus === carrierStatus ? text(seen.at) : undefined
  if (since !== undefined) return since
  const at = new Date(context.now()).toISOString()
  await note(context, SEEN, trackingId, { carrierStatus, at })
  return at
}
