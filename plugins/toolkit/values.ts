/** Reads of what somebody else's API answered: nothing is taken for granted, and nothing is guessed. */
export type Row = Readonly<Record<string, unknown>>

export const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value)

/** A text that is not empty. */
export const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

/** The first `max` letters of a text; one that takes two places (an emoji) is never cut in half: many parsers refuse all of such JSON. */
export const beginning = (words: string, max: number): string => words.slice(0, max).replace(/[\ud800-\udbff]$/, '')

/** A number, also where it was written as text. */
export const number = (value: unknown): number | undefined => {
  const found = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof found === 'number' && Number.isFinite(found) ? found : undefined
}

/** A text without its margins, also where it was written as a number: ids and references of digits come either way. */
export const word = (value: unknown): string | undefined => (typeof value === 'number' ? String(value) : text(value)?.trim() || undefined)

/** An amount of money: a number that is not below nothing. */
export const amount = (value: unknown): number | undefined => {
  const found = number(value)
  return found !== undefined && found >= 0 ? found : undefined
}

/** An address that a person may open. */
export const webAddress = (value: unknown): string | undefined => (text(value)?.startsWith('https://') ? text(value) : undefined)

/** A point on Earth in degrees; without members where it is none. */
export function pointAt(latitude: unknown, longitude: unknown): { latitude?: number; longitude?: number } {
  const [north, east] = [number(latitude), number(longitude)]
  if (north === undefined || east === undefined || Math.abs(north) > 90 || Math.abs(east) > 180) return {}
  return { latitude: north, longitude: east }
}

type Present<V> = { [K in keyof V]?: Exclude<V[K], undefined> }

/** Without the members that are undefined. */
export const present = <V extends object>(value: V) =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as Present<V>

/** Some write 1 and "1" as well as true. */
export const yes = (value: unknown): boolean => value === true || value === 1 || value === '1' || value === 'true'

/** A list, whether it came as an array or as an object keyed by index; anything else has no rows. */
export const rows = (value: unknown): Row[] =>
  Array.isArray(value) ? value.filter(isRow) : isRow(value) ? Object.values(value).filter(isRow) : []

const ZONED = /(?:z|[+-]\d\d:?\d\d)$/i
const WRITTEN = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d(?::\d\d(?:\.\d+)?)?))?/

/** A time as ISO 8601 in UTC. One without a zone is read in `offset` (`+01:00`); undefined where it is no time. */
export function instant(value: unknown, offset: string): string | undefined {
  const written = text(value)?.trim()
  if (!written) return undefined
  const parts = WRITTEN.exec(written)
  const zoned = ZONED.test(written) || !parts ? written : `${parts[1]}T${parts[2] ?? '00:00:00'}${offset}`
  const ms = Date.parse(zoned)
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString()
}

/** The day (`2026-11-21`) of a time in milliseconds, in the zone `offset` (`+01:00`). */
export function dayIn(at: number, offset: string): string {
  const [, sign, hours, minutes] = /^([+-])(\d\d):(\d\d)$/.exec(offset) ?? []
  const shift = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -60_000 : 60_000)
  return new Date(at + shift).toISOString().slice(0, 10)
}

/** Oldest first. Of the same moment, as they stood in the feed, read from its older end, whichever that is. */
export function oldestFirst<S extends { readonly at: string }>(steps: readonly S[]): S[] {
  const isNewestFirst = steps.length > 0 && Date.parse(steps[0]!.at) > Date.parse(steps.at(-1)!.at)
  return (isNewestFirst ? steps.toReversed() : steps).toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))
}

/** The rows that `read` makes something of. One bad row is left out and said so; it never hides the others. */
export function readable<R, V>(
  { log }: { log(message: string, fields?: Row): void },
  found: readonly R[],
  read: (row: R) => V | undefined,
): V[] {
  const values = found.map(read).filter((value) => value !== undefined)
  if (values.length < found.length) log('left out rows that cannot be read', { rows: found.length - values.length })
  return values
}
