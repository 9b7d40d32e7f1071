import type { Tx } from '../../data/sql.ts'
import { newId } from '../../lib/ids.ts'
import { emitWebhook } from '../../platform/webhooks/emit.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import type { Customer } from './customers.model.ts'
import { insertCustomer, lockCustomerByPhone } from './customers.queries.ts'

/**
 * Creates the customer of an order unless the phone number has one, in the order's transaction, and emits `customer.created`. Locks the
 * customer until the transaction ends: a concurrent erasure waits for it, and then finds the order.
 */
export async function ensureCustomer(tx: Tx, store: Store, who: Omit<Customer, 'id' | 'storeId'>): Promise<void> {
  const customer = { id: newId('cus'), storeId: store.id, ...who }
  while (!(await lockCustomerByPhone(tx, store.id, who.phone))) {
    if (!(await insertCustomer(tx, customer))) continue
    await emitWebhook(tx, [
      { projectId: store.projectId, storeId: store.id, type: 'customer.created', data: { customer }, orderKey: customer.id },
    ])
    return
  }
}
