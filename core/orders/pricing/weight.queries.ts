import { projectIdOf } from '../../data/project-ids.ts'
import { expectOne, type Queryable } from '../../data/sql.ts'
import type { OrderKey } from '../orders.queries.ts'

/** Maximum declared weight. Heavier orders are declared with it, and the carrier decides. */
const MAX_KG = 10_000

/** Weight of lines: a variant's own weight, or else that of its product. */
const weight = (sql: Queryable) => sql`least(${MAX_KG}::numeric, sum(i.quantity * coalesce(
  (select (v ->> 'weightKg')::numeric from jsonb_array_elements(p.variants) v where v ->> 'id' = i.variant_id), p.weight_kg)))`

/** Weight of an order's products, in kilograms. */
export const orderWeightOf = async (sql: Queryable, storeId: string, orderId: string) =>
  Number(
    expectOne(
      await sql<{ weight: string }[]>`
    select coalesce(${weight(sql)}, 0)::numeric(12, 4)::text as weight
    from order_items i join products p on p.project_id = i.project_id and p.id = i.product_id where i.project_id = ${projectIdOf(storeId)} and i.order_id = ${orderId}`,
    ).weight,
  )

/** Weight of the given quantities of an order's lines, in kilograms. */
export const weightOfQuantities = async (
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
      join order_items o on o.project_id = ${projectIdOf(storeId)} and o.order_id = ${id} and o.line = w.line) i
    join products p on p.project_id = ${projectIdOf(storeId)} and p.id = i.product_id`,
    ).weight,
  )

/** Weights of many orders, in kilograms, by order id. */
export const orderWeightsOf = async (sql: Queryable, storeId: string, orderIds: readonly string[]) =>
  new Map(
    (
      await sql<{ orderId: string; weight: string }[]>`
    select i.order_id, ${weight(sql)}::numeric(12, 4)::text as weight
    from order_items i join products p on p.project_id = i.project_id and p.id = i.product_id
    where i.project_id = ${projectIdOf(storeId)} and i.order_id = any (${orderIds as string[]}) group by i.order_id`
    ).map(({ orderId, weight }) => [orderId, Number(weight)]),
  )
