import { publish, type Subscribers } from '../../data/subscribers.ts'
import { storeErrors } from './stores.errors.ts'
import { isCurrencyUsed, lockStore } from './stores.queries.ts'
import { listStoresOfTenant } from './tenant.queries.ts'

/** Refuses what stores still need, and passes the deletion of a tenant on to its stores. */
export const storeSubscribers: Subscribers = {
  /** Refuses the deletion of a currency that a store uses, with `conflict`. */
  async 'currency.deleted'(tx, { code }) {
    if (await isCurrencyUsed(tx, code)) throw storeErrors.currencyInUse({ code })
  },
  /** Publishes `store.deleted` for each store, with the store locked. Subscribers refuse it where a store still has open work. */
  async 'tenant.deleted'(tx, { tenantId }) {
    for (const { id } of await listStoresOfTenant(tx, tenantId)) {
      const store = await lockStore(tx, id)
      if (store) await publish(tx, 'store.deleted', { store })
    }
  },
}
