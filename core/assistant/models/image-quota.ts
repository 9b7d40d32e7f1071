import type { Context } from '../../context.ts'
import { HOUR_MS } from '../../lib/durations.ts'
import { modelErrors } from './models.errors.ts'
import type { AvailableModel } from './models.model.ts'

/** Images that a store may generate in an hour with models of the platform. */
const HOURLY_MAX = 60

/**
 * Counts images against the hourly limit of a store. Models of the store's own connections have no limit. Throws `rate_limited` with
 * `retry-after`.
 */
export async function consumeImageQuota(
  { shared }: Pick<Context, 'shared'>,
  storeId: string,
  { ownedBy }: Pick<AvailableModel, 'ownedBy'>,
  pictures: number,
) {
  if (ownedBy === 'store') return
  let [count, resetMs] = [0, 0]
  for (let one = 0; one < pictures; one += 1) ({ count, resetMs } = await shared.countHit(`images:${storeId}`, HOUR_MS))
  if (count <= HOURLY_MAX) return
  const wait = Math.max(1, Math.ceil(resetMs / 1000))
  throw modelErrors.tooManyImages({ hourlyMax: HOURLY_MAX, wait }, { retryAfterSeconds: wait })
}
