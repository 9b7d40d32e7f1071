import type { Tx } from '../../data/sql.ts'
import { newId } from '../../lib/ids.ts'
import { emit } from '../../platform/webhooks/emit.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import type { Customer } from './customers.model.ts'
import { insertCustomer } from './customers.queries.ts'

/** Somebody ordered, in the transaction of his order: who does so for the first time in a store is told of, once. */
export async function meetCustomer(tx: Tx, store: Store, who: Omit<Customer, 'id' | 'storeId'>): Promise<void> {
  const customer = { id: newId('cus'), storeId: store.id, ...who }
  if (!(await insertCustomer(tx, customer))) return
  await emit(tx, [{ projectId: store.projectId, storeId: store.id, type: 'customer.created', data: { customer }, orderKey: customer.id }])
}
