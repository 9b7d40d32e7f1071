import { sharedErrors } from '../../lib/errors/shared-errors.ts'
import { inventoryErrors } from './inventory.errors.ts'
import type { NewReservation } from './inventory.model.ts'
import { parseTime } from './read-pages.ts'

/**
 * Parses the end of a reservation from `ttlSeconds` or `expiresAt`. Returns null where neither is given. Throws `invalid_request` for both,
 * or for a time in the past.
 */
export function parseExpiry({ ttlSeconds, expiresAt }: Pick<NewReservation, 'ttlSeconds' | 'expiresAt'>, now = Date.now()): string | null {
  if (ttlSeconds !== undefined && expiresAt != null) throw inventoryErrors.expiryAmbiguous({ field: ['ttlSeconds'] })
  if (ttlSeconds !== undefined) return new Date(now + ttlSeconds * 1000).toISOString()
  if (expiresAt == null) return null
  const time = parseTime(expiresAt, ['expiresAt'])
  if (Date.parse(time) <= now) throw sharedErrors.timeInPast({ field: ['expiresAt'] })
  return time
}
