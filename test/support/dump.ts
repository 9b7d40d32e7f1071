import type { Queryable } from '../../core/data/sql.ts'

/** All rows of all tables of the database as text, by table. */
async function dumpTables(sql: Queryable): Promise<Map<string, string>> {
  const tables = await sql<
    { name: string }[]
  >`select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema') and n.nspname not like 'pg_toast%'`
  const texts = new Map<string, string>()
  for (const { name } of tables) {
    const rows = await sql.unsafe<{ line: string }[]>(`select t::text as line from ${name} t`)
    texts.set(name, rows.map(({ line }) => line).join('\n'))
  }
  return texts
}

/** Tables in which one of the texts stands, each with the text; bytes are looked into as well. */
export async function findInTables(sql: Queryable, texts: readonly string[]): Promise<string[]> {
  const spelled = texts.flatMap((text) => [
    [text, text],
    [text, Buffer.from(text).toString('hex')],
  ])
  return [...(await dumpTables(sql))].flatMap(([table, rows]) =>
    spelled.filter(([, spelling = '']) => rows.includes(spelling)).map(([text]) => `${table}: ${text}`),
  )
}
