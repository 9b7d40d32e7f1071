import { instant, text } from 'serai/connector'
import { row } from './api.ts'

const OFFSET = /^[+-]\d\d:\d\d$/

/**
 * Parses a time of PHP's JSON: `{date: '2026-11-20 13:00:00.000000', timezone: 'Asia/Riyadh'}`. Undefined when it is unreadable or has no
 * zone.
 */
export function timeIn(value: unknown): string | undefined {
  const { date, timezone } = row(value)
  const near = instant(date, '+00:00')
  const offset = near === undefined ? undefined : offsetOf(text(timezone) ?? '', Date.parse(near))
  return offset === undefined ? undefined : instant(date, offset)
}

function offsetOf(zone: string, at: number): string | undefined {
  if (OFFSET.test(zone)) return zone
  try {
    const parts = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' }).formatToParts(at)
    const said = parts.find(({ type }) => type === 'timeZoneName')?.value.replace('GMT', '') ?? ''
    return said === '' ? '+00:00' : OFFSET.test(said) ? said : undefined
  } catch {
    return undefined
  }
}
