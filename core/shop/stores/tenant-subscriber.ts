import { publish, type Subscribers } from '../../data/subscribers.ts'
import { lockStore } from './stores.queries.ts'
import { listStoresOfTenant } from './tenant.queries.ts'

/**
 * Publishes `store.leaving` for each store of a tenant that is being deleted, with the store locked. Subscribers refuse the deletion where
 * a store still has open work.
 */
export const tenantSubscriber: Subscribers = {
  async 'tenant.leaving'(tx, { tenantId }) {
    for (const { id } of await listStoresOfTenant(tx, tenantId)) {
      const store = await lockStore(tx, id)
      if (store) await publish(tx, 'store.leaving', { store })
    }
  },
}
