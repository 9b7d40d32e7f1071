/** Milliseconds of a day without a change of clocks. */
export const DAY_MS = 86_400_000

/** Returns the day of a moment in a time zone, as `2026-11-28`. */
export const dayOf = (at: number | string, timeZone: string): string =>
  new Intl.DateTimeFormat('sv', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(new Date(at))

/** Returns the moment at which a day begins in a time zone, in UTC. Clocks that change at midnight are met by looking twice. */
export function startOfDay(day: string, timeZone: string): string {
  const utc = Date.parse(`${day}T00:00:00Z`)
  let start = utc
  for (let look = 0; look < 2; look += 1) start = utc - offsetAt(start, timeZone)
  return new Date(start).toISOString()
}

/** Returns the moment at which a day ends in a time zone: the start of the next one. */
export const endOfDay = (day: string, timeZone: string): string =>
  startOfDay(new Date(Date.parse(`${day}T00:00:00Z`) + DAY_MS).toISOString().slice(0, 10), timeZone)

/** Returns the last day of a range that ends before a moment. */
export const lastDayBefore = (at: string, timeZone: string): string => dayOf(Date.parse(at) - 1, timeZone)

function offsetAt(at: number, timeZone: string): number {
  const clock = new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(new Date(at))
  return Date.parse(`${clock.replace(' ', 'T')}Z`) - Math.floor(at / 1000) * 1000
}
