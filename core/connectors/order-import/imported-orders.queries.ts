import { keyedByProject, projectIdOf } from '../../data/project-ids.ts'
import { rowValues, type Tx } from '../../data/sql.ts'

interface ImportedOrder {
  readonly storeId: string
  readonly key: string
  /** Hash of its rows. */
  readonly content: string
  readonly orderId: string
}

/** Finds the order that was imported under a key; undefined if it was deleted since. */
export const findImportedOrder = async (sql: Tx, storeId: string, key: string) =>
  (
    await sql<Pick<ImportedOrder, 'content' | 'orderId'>[]>`select i.content, i.order_id from imported_orders i
      join orders o on o.project_id = i.project_id and o.id = i.order_id and o.deleted_at is null
      where i.project_id = ${projectIdOf(storeId)} and i.key = ${key}`
  )[0]

/** Records the key of an imported order, and replaces one whose order was deleted. */
export const upsertImportedOrder = (sql: Tx, imported: ImportedOrder) =>
  sql`insert into imported_orders ${rowValues(sql, keyedByProject(imported))}
    on conflict (project_id, key) do update set content = excluded.content, order_id = excluded.order_id, created_at = now()`
