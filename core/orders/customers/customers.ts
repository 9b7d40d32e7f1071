import type { Queryable, Tx } from '../../data/sql.ts'
import { ERASED } from '../../lib/person/person-matcher.ts'
import type { Customer, CustomerProfile } from './customers.model.ts'
import * as rows from './customers.queries.ts'

/** Ids and contact data of the customers to find. E-mail addresses are in lower case. */
export interface CustomerSearch {
  readonly customerIds: readonly string[]
  readonly phones: readonly string[]
  readonly emails: readonly string[]
}

/** Reads a customer, also by the id of one that was merged into it. Undefined when there is none, or it was erased. */
export const readCustomer = (sql: Queryable, storeId: string, id: string): Promise<CustomerProfile | undefined> =>
  rows.findCustomer(sql, storeId, id)

/** Finds the newest customers of a store by a text, as their list does. */
export const searchCustomers = (sql: Queryable, storeId: string, q: string, limit: number) =>
  rows.findCustomersByText(sql, storeId, q, limit)

/** Locks these customers, and all customers that are the same people, until the transaction ends. New orders of theirs wait for it. */
export async function lockCustomersOfPeople(
  tx: Tx,
  storeId: string,
  sought: CustomerSearch,
): Promise<readonly (Customer & rows.LockedCustomer)[]> {
  const found = await rows.findCustomersByContact(tx, storeId, sought.phones, sought.emails)
  const heads = await rows.lockCustomers(tx, storeId, [...sought.customerIds, ...found.map(({ id }) => id)])
  const ids = [...new Set(heads.map(({ id, mergedInto }) => mergedInto ?? id))]
  return rows.lockCustomers(tx, storeId, ids)
}

/** Erases locked customers and frees their phone numbers; the next order of the person creates a new customer. */
export const eraseLockedCustomers = (tx: Tx, storeId: string, ids: readonly string[]) => rows.eraseCustomers(tx, storeId, ids, ERASED)
