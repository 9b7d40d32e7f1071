import { containsCondition } from '../../data/keyset-page.ts'
import type { Queryable } from '../../data/sql.ts'
import { SHOWN_PARCEL_STATUS } from '../../logistics/parcels/parcels.queries.ts'
import type { StoreSearch } from './store-search.model.ts'

/** Finds parcels of a project by their exact tracking number or reference, whether or not its letters are capitals. */
export function findParcelsByNumber(sql: Queryable, projectId: string, q: string, limit: number) {
  const numbers = [...new Set([q, q.toUpperCase(), q.toLowerCase()])]
  const shown = sql`id, order_id, reference, tracking_id, ${sql.unsafe(SHOWN_PARCEL_STATUS)}`
  return sql<StoreSearch['parcels']>`
    select * from (
      (select ${shown} from parcels where project_id = ${projectId} and tracking_id = any (${numbers}) limit ${limit})
      union (select ${shown} from parcels where project_id = ${projectId} and reference = any (${numbers}) limit ${limit})) p
    order by id desc limit ${limit}`
}

/** Finds members of a store by a part of their name or e-mail address. */
export const findPeople = (sql: Queryable, storeId: string, q: string, limit: number) =>
  sql<StoreSearch['people']>`
    select m.user_id, u.name, u.email, m.role from store_members m join users u on u.id = m.user_id
    where m.store_id = ${storeId} and ${containsCondition(sql, sql`u.name || ' ' || u.email`, q)} order by u.name, u.id limit ${limit}`
