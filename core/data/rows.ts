import postgres from 'postgres'
import { json, type Queryable } from './sql.ts'

/** Rows alike, as a table of a query. `names` are its columns; `from` stands where a table stands; `set` takes over all but those that `by` names. */
export function rowsOf(sql: Queryable, table: string, rows: readonly object[], by: readonly string[] = []) {
  const keys = Object.keys(rows[0] ?? {})
  const stray = rows.find((row) => Object.keys(row).length !== keys.length || keys.some((key) => !(key in row)))
  if (stray) throw new Error(`Rows of ${table} that are written together have the same columns.`)
  const named = rows.map((row) => Object.fromEntries(Object.entries(row).map(([key, value]) => [postgres.fromCamel(key), value ?? null])))
  const quoted = keys.map((key) => `"${postgres.fromCamel(key)}"`)
  const taken = keys.flatMap((key, at) => (by.includes(key) ? [] : [`${quoted[at]} = r.${quoted[at]}`]))
  return {
    names: sql.unsafe(quoted.join(', ')),
    set: sql.unsafe(taken.join(', ')),
    from: sql`jsonb_populate_recordset(null::${sql(table)}, ${json(sql, named)})`,
  }
}
