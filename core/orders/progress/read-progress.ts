import type { Context } from '../../context.ts'
import { projectIdOf } from '../../data/project-ids.ts'
import type { Queryable } from '../../data/sql.ts'
import type { OrderRow } from '../orders.queries.ts'
import type { OrderProgress } from './progress.model.ts'
import { findProgressRows, type ProgressRow } from './progress.queries.ts'

type ListedRow = Pick<OrderRow, 'id' | 'assignedTo'>

/** Reads the progress of the orders of a page, all of one store, with one statement. Returns each row with its progress. */
export async function withProgress<Row extends ListedRow>(
  sql: Queryable,
  plugins: Context['plugins'],
  storeId: string,
  orders: readonly Row[],
): Promise<(Row & { readonly progress: OrderProgress })[]> {
  if (orders.length === 0) return []
  const rows = await findProgressRows(sql, projectIdOf(storeId), orders)
  const byOrder = new Map(rows.map((row) => [row.orderId, row]))
  return orders.map((order) => ({ ...order, progress: presentProgress(plugins, order, byOrder.get(order.id)) }))
}

/** Reads the progress of one order. */
export async function readProgress(
  sql: Queryable,
  plugins: Context['plugins'],
  order: ListedRow & Pick<OrderRow, 'storeId'>,
): Promise<OrderProgress> {
  const [row] = await findProgressRows(sql, projectIdOf(order.storeId), [order])
  return presentProgress(plugins, order, row)
}

function presentProgress(plugins: Context['plugins'], { assignedTo }: ListedRow, row: ProgressRow | undefined): OrderProgress {
  return {
    parcel: row ? presentParcel(plugins, row) : null,
    assignee: assignedTo === null ? null : { id: assignedTo, name: row?.assigneeName ?? null },
    calls: { count: row?.calls ?? 0, lastOutcome: row?.lastOutcome ?? null },
    tags: [...(row?.tags ?? [])],
    comments: row?.comments ?? 0,
  }
}

function presentParcel(plugins: Context['plugins'], row: ProgressRow): OrderProgress['parcel'] {
  const { parcelId, status, courierId, trackingId, printedAt } = row
  if (parcelId === null || status === null) return null
  return { id: parcelId, status, carrier: courierId, carrierName: courierId && carrierNameOf(plugins, courierId), trackingId, printedAt }
}

/** Returns the name of a carrier, even of one whose adapter was removed. */
export const carrierNameOf = (plugins: Context['plugins'], slug: string) =>
  plugins.find('carrier', slug)?.adapter.label ?? slug.replaceAll('-', ' ')
