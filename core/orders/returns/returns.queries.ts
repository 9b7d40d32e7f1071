import { keyedByProject, projectIdOf, storeIdColumn } from '../../data/project-ids.ts'
import { recordsetOf } from '../../data/rows.ts'
import { expectOne, type Queryable, rowValues, type Tx } from '../../data/sql.ts'
import type { OrderKey } from '../orders.queries.ts'
import type { StoredReturn } from './returns.model.ts'

/** Line of an order, with its returned and awaited quantities. */
export interface ReturnableLine {
  readonly line: number
  readonly name: string
  readonly quantity: number
  readonly inventoryKey: string | null
  readonly unitPrice: string
  readonly returned: number
  readonly awaited: number
}

/** Line of an order with the quantity of one return. */
export interface ReturningLine extends ReturnableLine {
  readonly returning: number
}

/** Lists the lines of an order with their returned and awaited quantities. `besides` is the id of a return that does not count. */
export const listLinesToReturn = (sql: Queryable, { storeId, id }: OrderKey, besides: string | null = null) =>
  sql<ReturnableLine[]>`
    select i.line, i.name, i.quantity, i.inventory_key, i.unit_price, coalesce(r.returned, 0)::int as returned, coalesce(r.awaited, 0)::int as awaited
    from order_items i left join (
      select l.line, sum(l.quantity) filter (where o.status = 'received') as returned, sum(l.quantity) filter (where o.status = 'awaited') as awaited
      from order_return_lines l join order_returns o on o.project_id = l.project_id and o.order_id = l.order_id and o.id = l.return_id
      where l.project_id = ${projectIdOf(storeId)} and l.order_id = ${id} and l.return_id is distinct from ${besides} group by l.line
    ) r on r.line = i.line
    where i.project_id = ${projectIdOf(storeId)} and i.order_id = ${id} order by i.line`

/** Row of `order_returns`. */
export interface ReturnRow extends Omit<StoredReturn, 'items'> {
  readonly storeId: string
  readonly orderId: string
}
/** Primary key of a return. */
export type ReturnKey = Pick<ReturnRow, 'storeId' | 'orderId' | 'id'>

interface ReturnLine {
  readonly line: number
  readonly quantity: number
}

/** Inserts a return with its lines. */
export async function insertReturn(sql: Tx, made: ReturnRow, lines: readonly ReturnLine[]) {
  await sql`insert into order_returns ${rowValues(sql, keyedByProject(made))}`
  await insertReturnLines(sql, made, lines)
}

/** Sets the exchange order of a return. */
export const updateExchangeOrder = (sql: Tx, { storeId, orderId, id }: ReturnKey, exchangeOrderId: string) =>
  sql`update order_returns set exchange_order_id = ${exchangeOrderId} where project_id = ${projectIdOf(storeId)} and order_id = ${orderId} and id = ${id}`

function insertReturnLines(sql: Tx, { storeId, orderId, id: returnId }: ReturnKey, lines: readonly ReturnLine[]) {
  const { names, from } = recordsetOf(
    sql,
    'order_return_lines',
    lines.map(({ line, quantity }) => ({ projectId: projectIdOf(storeId), orderId, returnId, line, quantity })),
  )
  return sql`insert into order_return_lines (${names}) select ${names} from ${from}`
}

/** Finds a return with its lines. */
export const findReturn = async (sql: Queryable, { storeId, orderId, id }: ReturnKey) =>
  (
    await sql<
      (ReturnRow & { lines: ReturnLine[] })[]
    >`select r.*, ${storeIdColumn(sql, 'r')}, (select json_agg(json_build_object('line', l.line, 'quantity', l.quantity) order by l.line) from order_return_lines l
        where l.project_id = r.project_id and l.order_id = r.order_id and l.return_id = r.id) as lines
      from order_returns r where r.project_id = ${projectIdOf(storeId)} and r.order_id = ${orderId} and r.id = ${id}`
  )[0]

/** Sums the credits for goods of this order, in exchange orders that were not cancelled, returned or lost. */
export const sumCredits = async (sql: Tx, { storeId, id }: OrderKey): Promise<string> =>
  expectOne(
    await sql<{ given: string }[]>`
      select coalesce(sum((e.offer ->> 'value')::numeric), 0)::text as given from order_returns r
      join orders e on e.project_id = r.project_id and e.id = r.exchange_order_id
      where r.project_id = ${projectIdOf(storeId)} and r.order_id = ${id} and e.deleted_at is null and e.status not in ('cancelled', 'returned', 'lost')`,
  ).given

/** Updates a return while it is awaited. Returns false when it is not. */
export async function updateAwaitedReturn(sql: Tx, { storeId, orderId, id }: ReturnKey, change: Partial<ReturnRow>): Promise<boolean> {
  const { count } = await sql`update order_returns set ${rowValues(sql, change)}
    where project_id = ${projectIdOf(storeId)} and order_id = ${orderId} and id = ${id} and status = 'awaited'`
  return count > 0
}

/** Replaces the lines of a return. */
export async function replaceReturnLines(sql: Tx, key: ReturnKey, lines: readonly ReturnLine[]) {
  const { storeId, orderId, id } = key
  await sql`delete from order_return_lines where project_id = ${projectIdOf(storeId)} and order_id = ${orderId} and return_id = ${id}`
  await insertReturnLines(sql, key, lines)
}

/** Cancels the awaited returns of these orders, and those for which these orders are the exchange. */
export const cancelAwaitedReturns = (sql: Tx, orders: readonly OrderKey[]) => sql`
  update order_returns r set status = 'cancelled'
  from unnest(${orders.map(({ storeId }) => projectIdOf(storeId))}::text[], ${orders.map(({ id }) => id)}::text[]) as o(project_id, id)
  where r.project_id = o.project_id and (r.order_id = o.id or r.exchange_order_id = o.id) and r.status = 'awaited'`
