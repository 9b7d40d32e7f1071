import { type Queryable, row } from '../../data/sql.ts'
import type { Customer } from './customers.model.ts'

/** Whether he was not there before: of those who write one at once, one does. */
export const insertCustomer = async (sql: Queryable, customer: Customer) =>
  (await sql`insert into customers ${row(sql, customer)} on conflict (store_id, phone) do nothing returning id`).length > 0
