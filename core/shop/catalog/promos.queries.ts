import type { Queryable } from '../../data/sql.ts'
import type { PromoRow } from './promos.model.ts'

export const findPromo = async (sql: Queryable, storeId: string, code: string) =>
  (await sql<PromoRow[]>`select * from promos where store_id = ${storeId} and lower(code) = lower(${code})`)[0]
