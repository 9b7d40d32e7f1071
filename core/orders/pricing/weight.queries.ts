import { expectOne, type Queryable } from '../../data/sql.ts'
import type { OrderKey } from '../orders.queries.ts'

/** No parcel is said to weigh more: what does goes by this, and the carrier says what it thinks of it. */
const MOST_KG = 10_000

/** A variant weighs what it says, else what its product does. */
const weight = (sql: Queryable) => sql`least(${MOST_KG}::numeric, sum(i.quantity * coalesce(
  (select (v ->> 'weightKg')::numeric from jsonb_array_elements(p.variants) v where v ->> 'id' = i.variant_id), p.weight_kg)))`

/** What an order's products weigh together, in kilograms. */
export const weightOf = async (sql: Queryable, storeId: string, orderId: string) =>
  Number(
    expectOne(
      await sql<{ weight: string }[]>`
    select coalesce(${weight(sql)}, 0)::numeric(12, 4)::text as weight
    from order_items i join products p on p.store_id = i.store_id and p.id = i.product_id where i.store_id = ${storeId} and i.order_id = ${orderId}`,
    ).weight,
  )

/** The same of so many of some of its lines. */
export const weightOfSome = async (
  sql: Queryable,
  { storeId, id }: OrderKey,
  quantities: readonly { readonly line: number; readonly quantity: number }[],
) =>
  Number(
    expectOne(
      await sql<{ weight: string }[]>`
    select coalesce(${weight(sql)}, 0)::numeric(12, 4)::text as weight
    from (select o.product_id, o.variant_id, w.quantity
      from unnest(${quantities.map(({ line }) => line)}::int[], ${quantities.map(({ quantity }) => quantity)}::int[]) as w (line, quantity)
      join order_items o on o.store_id = ${storeId} and o.order_id = ${id} and o.line = w.line) i
    join products p on p.store_id = ${storeId} and p.id = i.product_id`,
    ).weight,
  )

/** The same of all of it for many, by order. */
export const weightsOf = async (sql: Queryable, storeId: string, orderIds: readonly string[]) =>
  new Map(
    (
      await sql<{ orderId: string; weight: string }[]>`
    select i.order_id, ${weight(sql)}::numeric(12, 4)::text as weight
    from order_items i join products p on p.store_id = i.store_id and p.id = i.product_id
    where i.store_id = ${storeId} and i.order_id = any (${orderIds as string[]}) group by i.order_id`
    ).map(({ orderId, weight }) => [orderId, Number(weight)]),
  )
