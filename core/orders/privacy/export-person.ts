import type { Sql } from '../../data/sql.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { readCustomer } from '../customers/customers.ts'
import { readPersonData } from './export-person.queries.ts'
import type { PersonExport } from './privacy.model.ts'

/** Exports all stored data of a customer. Null when there is no such customer. */
export async function exportPerson(
  sql: Sql,
  { id, projectId }: Pick<Store, 'id' | 'projectId'>,
  customerId: string,
): Promise<PersonExport | null> {
  const customer = await readCustomer(sql, id, customerId)
  if (!customer) return null
  const found = await readPersonData(sql, { storeId: id, projectId }, customer.phones)
  return { data: { customer, exportedAt: new Date().toISOString(), ...found } }
}
