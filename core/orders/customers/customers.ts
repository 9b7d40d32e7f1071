import type { Queryable, Tx } from '../../data/sql.ts'
import { ERASED } from '../../lib/person/person-matcher.ts'
import type { Customer, CustomerProfile } from './customers.model.ts'
import * as rows from './customers.queries.ts'

/** Customers to find: by id, or by what they are reached under. E-mail addresses in small letters. */
export interface Sought {
  readonly customerIds: readonly string[]
  readonly phones: readonly string[]
  readonly emails: readonly string[]
}

/** Reads a customer, also by the id of one who was merged into them; undefined where there is none, or they were erased. */
export const readCustomer = (sql: Queryable, storeId: string, id: string): Promise<CustomerProfile | undefined> =>
  rows.findCustomer(sql, storeId, id)

/** Holds these customers, and all who are the same people, until the transaction ends. Creations of their orders wait, or were waited for. */
export async function holdPeople(tx: Tx, storeId: string, sought: Sought): Promise<readonly (Customer & rows.HeldCustomer)[]> {
  const found = await rows.findCustomersOf(tx, storeId, sought.phones, sought.emails)
  const heads = await rows.lockCustomers(tx, storeId, [...sought.customerIds, ...found.map(({ id }) => id)])
  const ids = [...new Set(heads.map(({ id, mergedInto }) => mergedInto ?? id))]
  return rows.lockCustomers(tx, storeId, ids)
}

/** Erases held customers: their numbers are free, and the same person is a new customer with the next order. */
export const erasePeople = (tx: Tx, storeId: string, ids: readonly string[]) => rows.eraseCustomers(tx, storeId, ids, ERASED)
