/** Day and time of day in some time zone. */
export interface WallTime {
  readonly year: number
  /** 1 is January. */
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
}

const formats = new Map<string, Intl.DateTimeFormat>()
const formatOf = (timeZone: string) => {
  const options = {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  } as const
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('en-GB', options)
  formats.set(timeZone, format)
  return format
}

/** Returns day and time of day at a moment in a time zone. */
export function wallTimeAt(at: number, timeZone: string): WallTime {
  const parts = new Map(
    formatOf(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const read = (part: Intl.DateTimeFormatPartTypes) => parts.get(part) ?? 0
  return { year: read('year'), month: read('month'), day: read('day'), hour: read('hour'), minute: read('minute') }
}

const asUtc = ({ year, month, day, hour, minute }: WallTime) => Date.UTC(year, month - 1, day, hour, minute)

/** Returns the moment of a wall time in a time zone, in milliseconds. Days beyond the end of a month count on into the next. */
export function momentOf(wall: WallTime, timeZone: string): number {
  const wanted = asUtc(wall)
  const offsetAt = (at: number) => asUtc(wallTimeAt(at, timeZone)) - Math.floor(at / 60_000) * 60_000
  const first = wanted - offsetAt(wanted)
  return wanted - offsetAt(first)
}

const two = (value: number) => String(value).padStart(2, '0')
/** Writes a wall time as a field of type `datetime-local` does: `2026-11-28T14:30`. */
export const writeWallTime = ({ year, month, day, hour, minute }: WallTime): string =>
  `${year}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}`

/** Reads the value of a field of type `datetime-local`; undefined when it is not complete. */
export function readWallTime(value: string): WallTime | undefined {
  const found = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)/.exec(value)?.slice(1).map(Number)
  if (!found) return undefined
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = found
  return { year, month, day, hour, minute }
}

/** Month of a year; 1 is January. Months beyond 12 count on into the next year. */
export type Month = Pick<WallTime, 'year' | 'month'>

/** Returns the first moment of a month in a time zone, in ISO 8601. */
export const startOfMonth = ({ year, month }: Month, timeZone: string): string =>
  new Date(momentOf({ year, month, day: 1, hour: 0, minute: 0 }, timeZone)).toISOString()

/** Returns the last months in a time zone, the present one first. */
export function lastMonths(count: number, timeZone: string): readonly Month[] {
  const { year, month } = wallTimeAt(Date.now(), timeZone)
  return Array.from({ length: count }, (_, back) => {
    const months = year * 12 + (month - 1) - back
    return { year: Math.floor(months / 12), month: (months % 12) + 1 }
  })
}
