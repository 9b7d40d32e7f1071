import type { Context } from '../context.ts'
import { ApiError } from '../http/errors.ts'
import { normalizePhone } from '../lib/phone.ts'
import { findStore } from '../stores/stores.queries.ts'
import type { Account } from './call-carrier.ts'
import { countOutcomes, countParcels } from './integrations.queries.ts'

const share = (part: number, whole: number) => (whole === 0 ? null : Math.round((part / whole) * 1000) / 1000)

/** A store's parcels with the carrier, by status. */
export async function statistics({ sql }: Context, { row }: Account) {
  const rows = await countParcels(sql, row.id)
  const byStatus: Record<string, number> = {}
  for (const { status, count } of rows) byStatus[status] = (byStatus[status] ?? 0) + count
  const delivered = byStatus.delivered ?? 0
  const returned = (byStatus.returned ?? 0) + (byStatus.returning ?? 0)
  return {
    total: Object.values(byStatus).reduce((sum, count) => sum + count, 0),
    byStatus,
    delivered,
    returned,
    deliveryRate: share(delivered, delivered + returned),
  }
}

/** How often this phone took its parcels, over all stores of the platform: counts alone, never whose or what. */
export async function scoring({ sql }: Context, { row }: Account, typed: string) {
  const store = await findStore(sql, row.storeId)
  const phone = normalizePhone(typed, store?.countryCode ?? 'DZ')
  if (!phone)
    throw new ApiError('invalid_phone', 'The phone number cannot exist in the country of the store; check its digits.', {
      details: [{ path: '/body/phone', message: 'Not a possible phone number.' }],
    })
  const counts = await countOutcomes(sql, phone)
  return { phone, ...counts, score: share(counts.delivered, counts.delivered + counts.returned) }
}
