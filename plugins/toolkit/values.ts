/** Object in the response of an API. Nothing about its members is certain. */
export type Row = Readonly<Record<string, unknown>>

/** Returns true for an object that is not null and not an array. */
export const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns a text that is not empty, else undefined. */
export const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

/** Returns the first `max` characters of a text. A surrogate pair (an emoji) is never cut in half: many parsers reject such JSON. */
export const beginning = (words: string, max: number): string => words.slice(0, max).replace(/[\ud800-\udbff]$/, '')

/** Reads a finite number, also from a text; else undefined. */
export const number = (value: unknown): number | undefined => {
  const found = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof found === 'number' && Number.isFinite(found) ? found : undefined
}

/** Reads a trimmed text, also from a number: APIs return numeric ids and references either way. */
export const word = (value: unknown): string | undefined => (typeof value === 'number' ? String(value) : text(value)?.trim() || undefined)

/** Reads an amount of money: a number of at least 0. */
export const amount = (value: unknown): number | undefined => {
  const found = number(value)
  return found !== undefined && found >= 0 ? found : undefined
}

/** Returns an https address, else undefined. */
export const webAddress = (value: unknown): string | undefined => (text(value)?.startsWith('https://') ? text(value) : undefined)

/** Reads a point on Earth in degrees; an empty object if it is invalid. */
export function pointAt(latitude: unknown, longitude: unknown): { latitude?: number; longitude?: number } {
  const [north, east] = [number(latitude), number(longitude)]
  if (north === undefined || east === undefined || Math.abs(north) > 90 || Math.abs(east) > 180) return {}
  return { latitude: north, longitude: east }
}

type Present<V> = { [K in keyof V]?: Exclude<V[K], undefined> }

/** Removes the members that are undefined. */
export const present = <V extends object>(value: V) =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as Present<V>

/** Reads a boolean: true for true, 1, "1" and "true". */
export const yes = (value: unknown): boolean => value === true || value === 1 || value === '1' || value === 'true'

/** Returns the objects of an array or of an object keyed by index; else an empty list. */
export const rows = (value: unknown): Row[] =>
  Array.isArray(value) ? value.filter(isRow) : isRow(value) ? Object.values(value).filter(isRow) : []

const ZONED = /(?:z|[+-]\d\d:?\d\d)$/i
const WRITTEN = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d(?::\d\d(?:\.\d+)?)?))?/

/** Parses a time and returns it as ISO 8601 in UTC. A time without a zone is read in `offset` (`+01:00`). Undefined if it is no time. */
export function instant(value: unknown, offset: string): string | undefined {
  const written = text(value)?.trim()
  if (!written) return undefined
  const parts = WRITTEN.exec(written)
  const zoned = ZONED.test(written) || !parts ? written : `${parts[1]}T${parts[2] ?? '00:00:00'}${offset}`
  const ms = Date.parse(zoned)
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString()
}

/** Returns the day (`2026-11-21`) of a time in milliseconds, in the zone `offset` (`+01:00`). */
export function dayIn(at: number, offset: string): string {
  const [, sign, hours, minutes] = /^([+-])(\d\d):(\d\d)$/.exec(offset) ?? []
  const shift = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -60_000 : 60_000)
  return new Date(at + shift).toISOString().slice(0, 10)
}

/** Sorts oldest first. Entries of equal times keep the order of the feed, read from its older end. */
export function oldestFirst<S extends { readonly at: string }>(steps: readonly S[]): S[] {
  const isNewestFirst = steps.length > 0 && Date.parse(steps[0]!.at) > Date.parse(steps.at(-1)!.at)
  return (isNewestFirst ? steps.toReversed() : steps).toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))
}

/** Maps rows with `read` and drops those for which it returns undefined. Logs how many were dropped. */
export function readable<R, V>(
  { log }: { log(message: string, fields?: Row): void },
  found: readonly R[],
  read: (row: R) => V | undefined,
): V[] {
  const values = found.map(read).filter((value) => value !== undefined)
  if (values.length < found.length) log('left out rows that cannot be read', { rows: found.length - values.length })
  return values
}
