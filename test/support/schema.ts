import type { Sql } from '../../core/data/sql.ts'

/** Queries that describe all of a schema but its partitions, which depend on the day. */
const QUERIES = [
  `select 'column ' || c.relname || '.' || attname || ' ' || format_type(atttypid, atttypmod) || case when attnotnull then ' not null' else '' end
     || ' ' || attidentity::text || attgenerated::text || coalesce(' default ' || pg_get_expr(adbin, adrelid), '')
     || coalesce(' collate ' || nullif(attcollation::regcollation::text, '-'), '') as line
   from pg_attribute a join pg_class c on c.oid = attrelid left join pg_attrdef d on d.adrelid = attrelid and adnum = attnum
   where c.relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition and attnum > 0 and not attisdropped`,
  `select 'constraint ' || conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) as line
   from pg_constraint where connamespace = 'public'::regnamespace and contype <> 'n' and conrelid in (select oid from pg_class where not relispartition)`,
  `select 'index ' || pg_get_indexdef(indexrelid) as line
   from pg_index join pg_class c on c.oid = indrelid where c.relnamespace = 'public'::regnamespace and not relispartition`,
  `select 'trigger ' || translate(pg_get_triggerdef(t.oid), '()', '') as line
   from pg_trigger t join pg_class c on c.oid = tgrelid where not tgisinternal and not relispartition`,
  `select 'function ' || pg_get_functiondef(p.oid) as line from pg_proc p
   where pronamespace = 'public'::regnamespace and not exists (select from pg_depend d where d.objid = p.oid and deptype = 'e')`,
  `select 'view ' || viewname || ' ' || definition as line from pg_views where schemaname = 'public'`,
  `select 'sequence ' || sequencename || ' ' || data_type || ' ' || increment_by || ' ' || cache_size || ' ' || cycle as line
   from pg_sequences where schemaname = 'public'`,
  `select 'comment ' || classoid::regclass || ' ' || coalesce(c.relname, p.proname) || ' ' || description as line
   from pg_description d left join pg_class c on c.oid = d.objoid and classoid = 'pg_class'::regclass
     left join pg_proc p on p.oid = d.objoid and classoid = 'pg_proc'::regclass
   where 'public'::regnamespace in (c.relnamespace, p.pronamespace) and d.objsubid = 0
     and not exists (select from pg_depend e where e.objid = d.objoid and e.deptype = 'e')`,
  `select 'options ' || relname || ' ' || reloptions::text as line
   from pg_class where relnamespace = 'public'::regnamespace and reloptions is not null and not relispartition`,
]

/** Describes columns, constraints, indexes, triggers, functions, views, sequences, comments and storage options, a line each, sorted. */
export async function describeSchema(sql: Sql): Promise<string[]> {
  const answers = await Promise.all(QUERIES.map((query) => sql.unsafe<{ line: string }[]>(query)))
  return answers.flatMap((rows) => rows.map(({ line }) => line)).sort()
}

/** Lists the tables that are not partitions of another. */
export async function listTables(sql: Sql): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`
  return rows.map(({ name }) => name)
}
