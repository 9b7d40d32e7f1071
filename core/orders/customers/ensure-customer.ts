import type { Tx } from '../../data/sql.ts'
import { newId } from '../../lib/ids.ts'
import type { NewEvent } from '../../platform/webhooks/emit.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import type { Customer } from './customers.model.ts'
import { type CustomerOutcome, lockOrInsertCustomer } from './customers.queries.ts'

/** Customer that a new order would create. */
export const newCustomer = (store: Store, who: Omit<Customer, 'id' | 'storeId'>): Customer => ({
  id: newId('cus'),
  storeId: store.id,
  ...who,
})

/** Makes the first attempt of {@link ensureCustomer}: one statement, which the caller may send together with others. */
export const claimCustomer = (tx: Tx, customer: Customer): Promise<CustomerOutcome> => lockOrInsertCustomer(tx, customer)

/**
 * Creates the customer of an order unless the phone number has one, in the order's transaction, and returns the events that the caller
 * emits: `customer.created` or none. Locks the customer until the transaction ends: a concurrent erasure waits for it, and then finds the
 * order. `first` is the outcome of `claimCustomer`.
 */
export async function ensureCustomer(tx: Tx, store: Store, customer: Customer, first: CustomerOutcome): Promise<NewEvent[]> {
  let outcome = first
  while (outcome === null) outcome = await lockOrInsertCustomer(tx, customer)
  if (outcome === 'found') return []
  return [{ projectId: store.projectId, type: 'customer.created', data: { customer }, orderKey: customer.id }]
}
