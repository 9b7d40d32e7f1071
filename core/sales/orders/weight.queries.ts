import { one, type Queryable } from '../../data/sql.ts'

/** What the order's products weigh together, in kilograms. */
export const weightOf = async (sql: Queryable, storeId: string, orderId: string) =>
  Number(
    one(
      await sql<{ weight: string }[]>`
    select coalesce(sum(p.weight_kg * i.quantity), 0)::numeric(12, 4)::text as weight
    from order_items i join products p on p.store_id = i.store_id and p.id = i.product_id where i.store_id = ${storeId} and i.order_id = ${orderId}`,
    ).weight,
  )
