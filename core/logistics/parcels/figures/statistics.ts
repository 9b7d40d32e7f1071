import type { Context } from '../../../context.ts'
import { parsePhone } from '../../../http/body/phone.ts'
import type { CarrierConnection } from '../../../integrations/connections/connection.ts'
import { HOUR_MS } from '../../../lib/durations.ts'
import { notFound } from '../../../lib/errors/domain-error.ts'
import { findStore } from '../../../shop/stores/stores.queries.ts'
import { parcelErrors } from '../parcels.errors.ts'
import { countParcelOutcomes, countParcelsByStatus } from './figures.queries.ts'

const ratio = (part: number, whole: number) => (whole === 0 ? null : Math.round((part / whole) * 1000) / 1000)

/** Counts a store's parcels with a carrier by status, with the rate of successful deliveries. */
export async function readStatistics({ sql }: Context, { row }: CarrierConnection) {
  const rows = await countParcelsByStatus(sql, row.id)
  const byStatus: Record<string, number> = {}
  for (const { status, count } of rows) byStatus[status] = (byStatus[status] ?? 0) + count
  const delivered = byStatus.delivered ?? 0
  const returned = (byStatus.returned ?? 0) + (byStatus.returning ?? 0)
  return {
    total: Object.values(byStatus).reduce((sum, count) => sum + count, 0),
    byStatus,
    delivered,
    returned,
    deliveryRate: ratio(delivered, delivered + returned),
  }
}

/** Maximum number of lookups per store and hour: enough for its own orders, too few to enumerate phone numbers. */
const LOOKUPS_MAX = 300

/** Reads how many parcels a phone number accepted and returned, over all stores. Throws `rate_limited`. */
export async function readRecipientScore({ sql, shared }: Context, { row }: CarrierConnection, typed: string) {
  const store = await findStore(sql, row.storeId)
  if (!store) throw notFound('The store')
  const phone = parsePhone(typed, store.countryCode, ['phone'])
  const { count, resetMs } = await shared.countHit(`scoring:${row.storeId}`, HOUR_MS)
  if (count > LOOKUPS_MAX) {
    const wait = Math.ceil(resetMs / 1000)
    throw parcelErrors.tooManyLookups(
      { lookupsMax: LOOKUPS_MAX, wait },
      {
        retryAfterSeconds: wait,
      },
    )
  }
  const counts = await countParcelOutcomes(sql, row.projectId, phone)
  return { phone, ...counts, score: ratio(counts.delivered, counts.delivered + counts.returned) }
}
