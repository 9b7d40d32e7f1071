import type { Subscribers } from '../../data/subscribers.ts'
import { ApiError } from '../../http/errors/errors.ts'
import { countOwedInTenant } from './leaving.queries.ts'

/** Carriers pay within weeks: what they owe for longer is not on its way any more, and keeps nobody here. */
const UNDER_WAY_DAYS = 60

/** While carriers have cash of a tenant's parcels, its books stay. */
export const keepBooks: Subscribers = {
  async 'tenant.leaving'(tx, { tenantId }) {
    const parcels = await countOwedInTenant(tx, tenantId, UNDER_WAY_DAYS)
    if (parcels > 0)
      throw new ApiError(
        'conflict',
        `Carriers have the cash of ${parcels} parcels of the tenant that were delivered in the last ${UNDER_WAY_DAYS} days. Confirm their payouts first.`,
      )
  },
}
