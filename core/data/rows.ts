import { columnOf, json, type Queryable } from './sql.ts'

/**
 * Passes similar rows as a table of a query. `names` are its columns; `from` is the table expression. `set` updates every column except
 * those in `by`. Throws if rows have different columns.
 */
export function recordsetOf(sql: Queryable, table: string, rows: readonly object[], by: readonly string[] = []) {
  const keys = Object.keys(rows[0] ?? {})
  const stray = rows.find((row) => Object.keys(row).length !== keys.length || keys.some((key) => !(key in row)))
  if (stray) throw new Error(`Rows of ${table} that are written together have the same columns.`)
  const named = rows.map((row) => Object.fromEntries(Object.entries(row).map(([key, value]) => [columnOf(key), value ?? null])))
  const quoted = keys.map((key) => `"${columnOf(key)}"`)
  const assignments = keys.flatMap((key, at) => (by.includes(key) ? [] : [`${quoted[at]} = r.${quoted[at]}`]))
  return {
    names: sql.unsafe(quoted.join(', ')),
    set: sql.unsafe(assignments.join(', ')),
    from: sql`jsonb_populate_recordset(null::${sql(table)}, ${json(sql, named)})`,
  }
}
