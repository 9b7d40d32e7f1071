import { keyedByProject, projectIdOf, storeIdColumn } from '../../data/project-ids.ts'
import { recordsetOf } from '../../data/rows.ts'
import { type Queryable, rowValues, type Tx } from '../../data/sql.ts'
import type { OrderKey, OverridableField } from '../orders.queries.ts'

/** Line of a part of an order. */
export interface PartLine {
  readonly line: number
  readonly quantity: number
  /** Quantity that the customer returned, recorded manually. */
  readonly back: number
}

/** Part of an order: the goods of one of several parcels, or goods that were given up. */
export interface PartRow {
  readonly storeId: string
  readonly orderId: string
  readonly id: string
  /** Name that identifies the part in repeated requests; null when it has all that was left. */
  readonly name: string | null
  /** Null when it was given up. */
  readonly parcelId: string | null
  /**
   * Amount that the user set for its parcel; null when it is calculated. For a part that was given up, the amount that is no longer
   * collected.
   */
  readonly codAmount: string | null
  readonly reservationId: string | null
  readonly fulfilmentId: string | null
  /** Fields of its parcel that were overridden at sending. */
  readonly overrides: readonly OverridableField[]
  readonly lines: readonly PartLine[]
}

/** Primary key of a part. */
export type PartKey = Pick<PartRow, 'storeId' | 'orderId' | 'id'>

/** Lists the parts of an order with their lines, oldest first. */
export const listParts = (sql: Queryable, { storeId, id }: OrderKey) =>
  sql<PartRow[]>`
    select ${storeIdColumn(sql, 'p')}, p.order_id, p.id, p.name, p.parcel_id, p.cod_amount, p.reservation_id, p.fulfilment_id, p.overrides,
      (select json_agg(json_build_object('line', l.line, 'quantity', l.quantity, 'back', l.back) order by l.line)
        from order_part_lines l where l.project_id = p.project_id and l.order_id = p.order_id and l.part_id = p.id) as lines
    from order_parts p where p.project_id = ${projectIdOf(storeId)} and p.order_id = ${id} order by p.id`

/** Inserts a part with its lines. */
export async function insertPart(sql: Tx, { lines, ...part }: PartRow) {
  const { storeId, orderId, id: partId } = part
  await sql`insert into order_parts ${rowValues(sql, keyedByProject(part))}`
  const { names, from } = recordsetOf(
    sql,
    'order_part_lines',
    lines.map((line) => ({ projectId: projectIdOf(storeId), orderId, partId, ...line })),
  )
  await sql`insert into order_part_lines (${names}) select ${names} from ${from}`
}

/** Updates columns of a part. */
export const updatePart = (sql: Queryable, { storeId, orderId, id }: PartKey, change: Partial<Omit<PartRow, keyof PartKey | 'lines'>>) =>
  sql`update order_parts set ${rowValues(sql, change)} where project_id = ${projectIdOf(storeId)} and order_id = ${orderId} and id = ${id}`

/** Adds returned quantities to the lines of a part. */
export const addReturnedQuantities = (
  sql: Queryable,
  { storeId, orderId, id }: PartKey,
  came: readonly Pick<PartLine, 'line' | 'quantity'>[],
) =>
  sql`update order_part_lines l set back = l.back + c.quantity
    from unnest(${came.map(({ line }) => line)}::int[], ${came.map(({ quantity }) => quantity)}::int[]) as c (line, quantity)
    where l.project_id = ${projectIdOf(storeId)} and l.order_id = ${orderId} and l.part_id = ${id} and l.line = c.line`

/** Deletes a part. */
export const deletePart = (sql: Queryable, { storeId, orderId, id }: PartKey) =>
  sql`delete from order_parts where project_id = ${projectIdOf(storeId)} and order_id = ${orderId} and id = ${id}`

/** Deletes all parts of an order. */
export const deleteParts = (sql: Queryable, { storeId, id }: OrderKey) =>
  sql`delete from order_parts where project_id = ${projectIdOf(storeId)} and order_id = ${id}`
