import { expectOne, type Queryable, type Tx } from '../../../data/sql.ts'

/** What a tenant's rows are known by. */
export interface Whose {
  readonly projects: string[]
  readonly stores: string[]
  readonly connections: string[]
}

/** A reference from one table to another, column by column. */
export interface Reference {
  readonly child: string
  readonly parent: string
  readonly columns: string[]
  readonly parentColumns: string[]
  readonly isMust: boolean
}

export const listDue = (sql: Queryable, most: number) =>
  sql<{ id: number }[]>`select id from tenants where deletes_at <= now() order by deletes_at limit ${most}`

/** Holds the tenant, where its time is over. */
export const lockDue = async (sql: Tx, id: number) =>
  (await sql<{ removing: boolean }[]>`select removing from tenants where id = ${id} and deletes_at <= now() for update`)[0]

export const markRemoving = (sql: Queryable, id: number) => sql`update tenants set removing = true where id = ${id}`

export const postpone = (sql: Queryable, id: number) =>
  sql`update tenants set deletes_at = now() + interval '1 day' where id = ${id} and not removing`

export const findWhose = async (sql: Queryable, tenantId: number) =>
  expectOne(
    await sql<Whose[]>`
    with p as (select id from projects where tenant_id = ${tenantId}), s as (select id from stores where project_id in (select id from p))
    select array(select id from p) as projects, array(select id from s) as stores,
      array(select id from integrations where store_id in (select id from s)) as connections`,
  )

/** Which tables say of a row whose it is, and by which of these columns; of a table in partitions, each of those. */
export const listOwning = (sql: Queryable, columns: readonly string[]) =>
  sql<{ name: string; root: string; columns: string[] }[]>`
    select c.relname as name, r.relname as root, array_agg(a.attname::text) as columns
    from pg_class c join pg_class r on r.oid = coalesce(pg_partition_root(c.oid), c.oid) join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped and a.attname = any(${columns as string[]})
    group by c.relname, r.relname order by c.relname`

/** Of whole tables: what refers to a partition refers to its table. */
export const listReferences = (sql: Queryable) =>
  sql<Reference[]>`
    select distinct child.relname as child, parent.relname as parent,
      array(select a.attname::text from unnest(k.conkey) with ordinality of (num, at) join pg_attribute a on a.attrelid = k.conrelid and a.attnum = num order by at) as columns,
      array(select a.attname::text from unnest(k.confkey) with ordinality of (num, at) join pg_attribute a on a.attrelid = k.confrelid and a.attnum = num order by at) as parent_columns,
      not exists (select 1 from pg_attribute a where a.attrelid = k.conrelid and a.attnum = any(k.conkey) and not a.attnotnull) as is_must
    from pg_constraint k join pg_class child on child.oid = coalesce(pg_partition_root(k.conrelid), k.conrelid)
    join pg_class parent on parent.oid = coalesce(pg_partition_root(k.confrelid), k.confrelid)
    where k.contype = 'f' and child.relnamespace = 'public'::regnamespace order by 1, 2`

type Fragment = ReturnType<Queryable>

/** The rows of one table that go with a tenant. */
export interface Part {
  readonly name: string
  /** The whole table, where this is a partition of it. */
  readonly root: string
  readonly columns: readonly string[]
  /** For a table that does not say it itself: its rows hang on another's. */
  readonly through?: { readonly reference: Reference; readonly parent: Part }
  /** To itself: rows that others still refer to wait. */
  readonly own: readonly Reference[]
}

const ids = { project_id: 'projects', store_id: 'stores', connection_id: 'connections' } as const satisfies Record<string, keyof Whose>
export const OWNING = Object.keys(ids)

function where(sql: Queryable, { columns, through }: Part, whose: Whose): Fragment {
  if (through) {
    const { reference, parent } = through
    return sql`(${sql(reference.columns)}) in (select ${sql(reference.parentColumns)} from ${sql(parent.root)} where ${where(sql, parent, whose)})`
  }
  return columns.reduce<Fragment>(
    (all, column, at) => sql`${all} ${at === 0 ? sql`` : sql`or`} ${sql(column)} = any(${whose[ids[column as keyof typeof ids]]})`,
    sql``,
  )
}

const isReferred = (sql: Queryable, name: string, { child, columns, parentColumns }: Reference) =>
  sql`exists (select 1 from ${sql(child)} other where ${columns
    .map((column, at) => sql`${sql(`other.${column}`)} = ${sql(`${name}.${parentColumns[at]}`)}`)
    .reduce((all, each) => sql`${all} and ${each}`)})`

/** Of the tables of all features, by what their columns say: a removal names none of them, so that it forgets none. */
export async function removeSlice(sql: Tx, part: Part, whose: Whose, most: number): Promise<number> {
  // Ledgers let nothing go otherwise.
  await sql`select set_config('serai.removes_tenant', 'yes', true)`
  const waits = part.own.reduce<Fragment>((all, reference) => sql`${all} and not ${isReferred(sql, part.name, reference)}`, sql``)
  const { count } = await sql<object[]>`delete from ${sql(part.name)} where ctid = any(array(
    select ctid from ${sql(part.name)} where (${where(sql, part, whose)}) ${waits} limit ${most}))`
  return count
}

export async function deleteTenantRow(sql: Tx, id: number) {
  await sql`delete from projects where tenant_id = ${id}`
  await sql`delete from tenants where id = ${id} and removing`
}
