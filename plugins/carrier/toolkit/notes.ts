import { isRow, number, type Row, text } from '../../toolkit/values.ts'
import type { CarrierContext } from '../contract.ts'
import { together } from './places.ts'

type NoteContext = Pick<CarrierContext, 'connectionId' | 'storage' | 'now'>

const dayMs = 86_400_000
/** The server reads a parcel for 60 days after its last report, so a note of twice that age is no longer needed. */
const KEPT_MS = 120 * dayMs
const SWEEP_EVERY_MS = 3_600_000
const SWEPT_AT_ONCE = 1000

const keyOf = (kind: string, id: string) => `${kind}:${id}`

/** Reads the note on a parcel (or an order, or a customer); undefined if there is none. */
export async function noteOn({ storage }: Pick<NoteContext, 'storage'>, kind: string, id: string): Promise<Row | undefined> {
  const note = await storage.get(keyOf(kind, id))
  return isRow(note) ? note : undefined
}

/**
 * Writes a note on a parcel, under `kind:id`. Notes of a kind that were not written for 120 days are deleted while others are written, so
 * that they do not accumulate.
 */
export async function note(context: NoteContext, kind: string, id: string, value: Row): Promise<void> {
  await context.storage.set(keyOf(kind, id), { ...value, notedAt: context.now() })
  await together(context, `sweep ${kind}`, () => sweep(context, kind))
}

/** Deletes the note on a parcel. */
export const forget = ({ storage }: Pick<NoteContext, 'storage'>, kind: string, id: string): Promise<void> =>
  storage.delete(keyOf(kind, id))

/** Checks up to a thousand notes once an hour, from where the last sweep stopped. */
async function sweep({ storage, now }: NoteContext, kind: string): Promise<void> {
  const key = `swept ${kind}`
  const last = await storage.get(key)
  const [at, after] = isRow(last) ? [number(last.at) ?? 0, text(last.after) ?? ''] : [0, '']
  if (at > now() - SWEEP_EVERY_MS) return
  const notes = await storage.list(keyOf(kind, ''), { after, limit: SWEPT_AT_ONCE })
  const isOld = ({ value }: { value: unknown }) => (isRow(value) ? (number(value.notedAt) ?? 0) : 0) < now() - KEPT_MS
  await Promise.all(notes.filter(isOld).map((old) => storage.delete(old.key)))
  await storage.set(key, { at: now(), after: notes.length < SWEPT_AT_ONCE ? '' : notes.at(-1)!.key })
}

const SEEN = 'seen'

/**
 * Returns the time when a raw status was first read (ISO 8601), for a carrier without times. The time of each read would turn an old status
 * into a new event, and count one failed attempt again and again.
 */
export async function firstSeen(context: NoteContext, trackingId: string, carrierStatus: string): Promise<string> {
  const seen = await noteOn(context, SEEN, trackingId)
  const since = seen?.carrierStatus === carrierStatus ? text(seen.at) : undefined
  if (since !== undefined) return since
  const at = new Date(context.now()).toISOString()
  await note(context, SEEN, trackingId, { carrierStatus, at })
  return at
}
