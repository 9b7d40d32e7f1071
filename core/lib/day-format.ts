import { evictOldest } from './evict-oldest.ts'

/** Formatters that are cached. Time zones have many spellings, so the cache is bounded. */
const FORMATS_MAX = 1_000

const formats = new Map<string, Intl.DateTimeFormat>()

/** Returns a formatter of short dates in a time zone. Cached, because creating one costs as much as formatting hundreds of dates. */
export function dayFormat(locale: 'en-CA' | 'fr-FR', timeZone: string): Intl.DateTimeFormat {
  const key = `${locale} ${timeZone}`
  const made = formats.get(key)
  if (made) return made
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'short', timeZone })
  formats.set(key, format)
  evictOldest(formats, FORMATS_MAX)
  return format
}
