import type { Queryable } from '../../../data/sql.ts'
import type { ConnectionRef } from '../../../integrations/connections/connections.model.ts'

/** Available stock of a SKU. */
export interface StockRow {
  readonly sku: string
  readonly available: number
}

/** Lists enabled connections whose setting asks for stock pushes, in random order. */
export const listConnectionsPushingStock = (sql: Queryable, limit: number) =>
  sql<
    { id: string; projectId: string }[]
  >`select i.id, i.project_id from integrations i join stores s on s.project_id = i.project_id and s.deleted_at is null
    where i.kind = 'connector' and i.enabled and i.deleted_at is null and i.settings ->> 'pushStock' = 'on' and i.attention is null
    order by random() limit ${limit}`

interface StockScope {
  readonly projectId: string
  readonly namespace: string
}

/** Lists SKUs with counted stock whose available stock differs from what the shop last received. */
export const listUnpushedStock = (
  sql: Queryable,
  connectionId: string,
  { projectId, namespace }: StockScope,
  after: string,
  limit: number,
) =>
  sql<StockRow[]>`select k.sku, f.available from product_skus k
    join products p on p.project_id = k.project_id and p.id = k.product_id and p.deleted_at is null and p.stock_keeping
    cross join lateral (
      select least(floor(coalesce(sum(greatest(b.on_hand - b.reserved, 0)), 0)), 1000000)::int as available from inventory_balances b
      where b.project_id = ${projectId} and b.namespace = ${namespace} and b.key = coalesce(
        (select v ->> 'inventoryKey' from jsonb_array_elements(p.variants) v where v ->> 'id' = k.variant_id), p.inventory_key)) f
    left join connector_stock c on c.project_id = ${projectId} and c.connection_id = ${connectionId} and c.sku = k.sku
    where k.project_id = ${projectId} and k.sku > ${after} and (k.variant_id is not null or p.variants = '[]')
      and c.available is distinct from f.available
    order by k.sku limit ${limit}`

/** Records the stock that the shop received. */
export const recordPushedStock = (sql: Queryable, { projectId, id }: ConnectionRef, rows: readonly StockRow[]) =>
  sql`insert into connector_stock (project_id, connection_id, sku, available)
    select ${projectId}, ${id}, * from unnest(${rows.map(({ sku }) => sku)}::text[], ${rows.map(({ available }) => available)}::int[])
    on conflict (project_id, connection_id, sku) do update set available = excluded.available, told_at = now()`
