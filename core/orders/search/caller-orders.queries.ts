import { projectIdOf } from '../../data/project-ids.ts'
import type { Queryable } from '../../data/sql.ts'
import type { OrderStatus } from '../statuses.ts'
import { isCopied, uncopiedOrders } from './search-rows.queries.ts'

/** Order whose phone number ends as asked. Its amount is a decimal string. */
export interface CallerRow {
  readonly id: string
  readonly reference: string
  readonly status: OrderStatus
  readonly customerName: string
  readonly customerPhone: string
  readonly customerPhoneAlt: string | null
  readonly total: string
  readonly createdAt: string
}

/**
 * Finds the newest orders that no carrier has and whose first or second phone number ends with these digits, each once. Reads the ends from
 * an index, and orders that were not copied yet from `orders`.
 */
export const findCallerOrders = (sql: Queryable, storeId: string, digits: string, limit: number) => {
  const pattern = `${[...digits].reverse().join('')}%`
  const copies = (column: 'phone_end' | 'phone_alt_end') => sql`select o.id from order_search o
    where o.project_id = ${projectIdOf(storeId)} and o.waiting_since is not null and o.${sql(column)} like ${pattern} and ${isCopied(sql)}
    order by o.id desc limit ${limit}`
  return sql<CallerRow[]>`
    select r.id, r.reference, r.status, r.customer_name, r.customer_phone, r.customer_phone_alt, r.total, r.created_at from (
      select id from ((${copies('phone_end')}) union (${copies('phone_alt_end')})
        union (select o.id from ${uncopiedOrders(sql, storeId)} o
          where o.waiting_since is not null and (o.phone_end like ${pattern} or o.phone_alt_end like ${pattern}))) ids
      order by id desc limit ${limit}) found
    join orders r on r.project_id = ${projectIdOf(storeId)} and r.id = found.id order by r.id desc`
}
