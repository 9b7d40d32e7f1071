import { type Queryable, row, type Tx } from '../../data/sql.ts'
import type { OrderKey } from './orders.queries.ts'

/** A line of an order, and how many of it came back by hand. */
export interface LineToReturn {
  readonly line: number
  readonly name: string
  readonly quantity: number
  readonly inventoryKey: string | null
  readonly returned: number
}

export const listLinesToReturn = (sql: Queryable, { storeId, id }: OrderKey) =>
  sql<LineToReturn[]>`
    select i.line, i.name, i.quantity, i.inventory_key, coalesce(r.returned, 0)::int as returned
    from order_items i left join (
      select line, sum(quantity) as returned from order_return_lines where store_id = ${storeId} and order_id = ${id} group by line
    ) r on r.line = i.line
    where i.store_id = ${storeId} and i.order_id = ${id} order by i.line`

interface NewReturnRow {
  readonly storeId: string
  readonly orderId: string
  readonly id: string
  readonly operationId: string | null
  readonly restocked: boolean
  readonly note: string
  readonly createdAt: string
}

export async function insertReturn(sql: Tx, made: NewReturnRow, lines: readonly { line: number; quantity: number }[]) {
  const { storeId, orderId, id: returnId } = made
  await sql`insert into order_returns ${row(sql, made)}`
  await sql`insert into order_return_lines ${row(
    sql,
    lines.map(({ line, quantity }) => ({ storeId, orderId, returnId, line, quantity })),
  )}`
}
