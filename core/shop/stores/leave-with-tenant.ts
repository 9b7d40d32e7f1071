import { publish, type Subscribers } from '../../data/subscribers.ts'
import { lockStore } from './stores.queries.ts'
import { listStoresOfTenant } from './tenant.queries.ts'

/** With a tenant go its stores: none of them may have what nobody could follow any more. */
export const leaveWithTenant: Subscribers = {
  async 'tenant.leaving'(tx, { tenantId }) {
    for (const { id } of await listStoresOfTenant(tx, tenantId)) {
      const store = await lockStore(tx, id)
      if (store) await publish(tx, 'store.leaving', { store })
    }
  },
}
