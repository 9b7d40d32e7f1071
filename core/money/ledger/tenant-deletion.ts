import type { Subscribers } from '../../data/subscribers.ts'
import { ledgerErrors } from './ledger.errors.ts'
import { countOwedParcels } from './owed.queries.ts'

/** Age after which unpaid cash no longer blocks the deletion of a tenant. Carriers pay within weeks. */
const UNDER_WAY_DAYS = 60

/** Rejects the deletion of a tenant with `conflict` while carriers owe it cash of recent deliveries. */
export const tenantDeletionGuard: Subscribers = {
  async 'tenant.deleted'(tx, { tenantId }) {
    const parcels = await countOwedParcels(tx, tenantId, UNDER_WAY_DAYS)
    if (parcels > 0) throw ledgerErrors.cashOutstanding({ parcels, underWayDays: UNDER_WAY_DAYS })
  },
}
