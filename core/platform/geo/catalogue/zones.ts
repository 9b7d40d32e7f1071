/** Time zone of the capital, for countries with several zones. */
const ofCapital: Readonly<Record<string, string>> = {
  AR: 'America/Buenos_Aires',
  AU: 'Australia/Sydney',
  BR: 'America/Sao_Paulo',
  CA: 'America/Toronto',
  CD: 'Africa/Kinshasa',
  CL: 'America/Santiago',
  CN: 'Asia/Shanghai',
  CY: 'Asia/Nicosia',
  DE: 'Europe/Berlin',
  EC: 'America/Guayaquil',
  ES: 'Europe/Madrid',
  FM: 'Pacific/Ponape',
  GL: 'America/Godthab',
  ID: 'Asia/Jakarta',
  KI: 'Pacific/Tarawa',
  KZ: 'Asia/Almaty',
  MH: 'Pacific/Majuro',
  MN: 'Asia/Ulaanbaatar',
  MX: 'America/Mexico_City',
  MY: 'Asia/Kuala_Lumpur',
  NZ: 'Pacific/Auckland',
  PF: 'Pacific/Tahiti',
  PG: 'Pacific/Port_Moresby',
  PS: 'Asia/Hebron',
  PT: 'Europe/Lisbon',
  RU: 'Europe/Moscow',
  UA: 'Europe/Kiev',
  US: 'America/New_York',
  UZ: 'Asia/Tashkent',
  XK: 'Europe/Belgrade',
}

/** Returns the time zone in which a country's days begin: its only one, or its capital's. UTC if unknown. */
export const zoneOfCountry = (country: string): string => ofCapital[country] ?? onlyZoneOf(country)

const onlyZones = new Map<string, string>()

/** Returns the time zone of a country with a single one; UTC for all others. Cached. */
export function onlyZoneOf(country: string): string {
  const found = onlyZones.get(country)
  if (found !== undefined) return found
  const [zone = 'UTC', ...others] = new Intl.Locale(`und-${country}`).getTimeZones() ?? []
  const only = others.length === 0 ? zone : 'UTC'
  onlyZones.set(country, only)
  return only
}

/** Returns true if a text is a known time zone, such as Africa/Algiers. */
export function isZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined
  } catch {
    return false
  }
}
