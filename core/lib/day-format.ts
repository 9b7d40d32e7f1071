import { evictOldest } from './evict-oldest.ts'

/** Zones have many spellings; formatters of the latest ones stay. */
const FORMATS_MAX = 1_000

const formats = new Map<string, Intl.DateTimeFormat>()

/** Formatter of short dates in a time zone. Made once for each: making one costs as much as formatting hundreds of dates. */
export function dayFormat(locale: 'en-CA' | 'fr-FR', timeZone: string): Intl.DateTimeFormat {
  const key = `${locale} ${timeZone}`
  const made = formats.get(key)
  if (made) return made
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'short', timeZone })
  formats.set(key, format)
  evictOldest(formats, FORMATS_MAX)
  return format
}
