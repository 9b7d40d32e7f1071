import { invalid } from '../../http/errors/errors.ts'
import type { NewReservation } from './inventory.model.ts'
import { readTime } from './pages.ts'

/** When a reservation ends, from either way of saying it; null where nothing is said. */
export function readExpiry({ ttlSeconds, expiresAt }: Pick<NewReservation, 'ttlSeconds' | 'expiresAt'>, now = Date.now()): string | null {
  if (ttlSeconds !== undefined && expiresAt != null) throw invalid('/body/ttlSeconds', 'Either this or expiresAt, not both.')
  if (ttlSeconds !== undefined) return new Date(now + ttlSeconds * 1000).toISOString()
  if (expiresAt == null) return null
  const time = readTime(expiresAt, '/body/expiresAt')
  if (Date.parse(time) <= now) throw invalid('/body/expiresAt', 'Must be in the future.')
  return time
}
