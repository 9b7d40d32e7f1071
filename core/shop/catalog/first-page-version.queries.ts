import { expectOne, type Queryable } from '../../data/sql.ts'
import type { StockScope } from './products.queries.ts'

/** Reads a digest of the versions of the newest products and of their stock. */
export const readRowVersions = async (
  sql: Queryable,
  { projectId, namespace }: StockScope,
  take: number,
  { onlyActive }: { readonly onlyActive: boolean },
) =>
  expectOne(
    await sql<{ rows: string }[]>`
      with page as materialized (
        select id, xmin::text as version, stock_keys from products
        where project_id = ${projectId} and deleted_at is null ${onlyActive ? sql`and status = 'active'` : sql``} order by id desc limit ${take})
      select concat(
        (select md5(string_agg(id || ' ' || version, ',' order by id)) from page),
        (select md5(string_agg(b.key || ' ' || b.batch || ' ' || b.xmin, ',' order by b.key, b.batch)) from inventory_balances b
         where b.project_id = ${projectId} and b.namespace = ${namespace} and b.key = any (array(select unnest(stock_keys) from page)))) as rows`,
  )
