import { expectOne, type Queryable, type Tx } from '../../../data/sql.ts'

/** Ids of everything by which rows belong to a tenant. */
export interface TenantOwnerIds {
  readonly projects: string[]
  readonly stores: string[]
}

/** Foreign key from one table to another, column by column. */
export interface ForeignKey {
  readonly child: string
  readonly parent: string
  readonly columns: string[]
  readonly parentColumns: string[]
  readonly isMust: boolean
}

/** Lists tenants whose deletion is due, earliest first. */
export const listDueTenants = (sql: Queryable, most: number) =>
  sql<{ id: number }[]>`select id from tenants where deletes_at <= now() order by deletes_at limit ${most}`

/** Locks a tenant whose deletion is due. Returns undefined when it is not due any more. */
export const lockDueTenant = async (sql: Tx, id: number) =>
  (await sql<{ removing: boolean }[]>`select removing from tenants where id = ${id} and deletes_at <= now() for update`)[0]

/** Marks a tenant whose removal has started, which cannot be cancelled. */
export const markRemoving = (sql: Queryable, id: number) => sql`update tenants set removing = true where id = ${id}`

/** Postpones the deletion of a tenant by a day, unless its removal has started. */
export const postponeRemoval = (sql: Queryable, id: number) =>
  sql`update tenants set deletes_at = now() + interval '1 day' where id = ${id} and not removing`

/** Finds the ids of the projects and stores of a tenant. */
export const findTenantOwnerIds = async (sql: Queryable, tenantId: number) =>
  expectOne(
    await sql<TenantOwnerIds[]>`
    with p as (select id from projects where tenant_id = ${tenantId})
    select array(select id from p) as projects, array(select id from stores where project_id in (select id from p)) as stores`,
  )

/** Lists the tables that have one of these columns. Partitions are listed one by one. */
export const listOwningTables = (sql: Queryable, columns: readonly string[]) =>
  sql<{ name: string; root: string; columns: string[] }[]>`
    select c.relname as name, r.relname as root, array_agg(a.attname::text) as columns
    from pg_class c join pg_class r on r.oid = coalesce(pg_partition_root(c.oid), c.oid) join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped and a.attname = any(${columns as string[]})
    group by c.relname, r.relname order by c.relname`

/** Lists all foreign keys. Those of partitions are reported for the partitioned table. */
export const listForeignKeys = (sql: Queryable) =>
  sql<ForeignKey[]>`
    select distinct child.relname as child, parent.relname as parent,
      array(select a.attname::text from unnest(k.conkey) with ordinality of (num, at) join pg_attribute a on a.attrelid = k.conrelid and a.attnum = num order by at) as columns,
      array(select a.attname::text from unnest(k.confkey) with ordinality of (num, at) join pg_attribute a on a.attrelid = k.confrelid and a.attnum = num order by at) as parent_columns,
      not exists (select 1 from pg_attribute a where a.attrelid = k.conrelid and a.attnum = any(k.conkey) and not a.attnotnull) as is_must
    from pg_constraint k join pg_class child on child.oid = coalesce(pg_partition_root(k.conrelid), k.conrelid)
    join pg_class parent on parent.oid = coalesce(pg_partition_root(k.confrelid), k.confrelid)
    where k.contype = 'f' and child.relnamespace = 'public'::regnamespace order by 1, 2`

type Fragment = ReturnType<Queryable>

/** Table with rows of tenants. */
export interface RemovalTable {
  readonly name: string
  /** Partitioned table, if this is a partition; else the table itself. */
  readonly root: string
  readonly columns: readonly string[]
  /** Foreign key to another table, for a table without owner columns. */
  readonly through?: { readonly reference: ForeignKey; readonly parent: RemovalTable }
  /** Foreign keys of the table to itself. Referenced rows are deleted later. */
  readonly own: readonly ForeignKey[]
}

const ids = { project_id: 'projects', store_id: 'stores' } as const satisfies Record<string, keyof TenantOwnerIds>
/** Names of the columns that state the owner of a row. */
export const OWNER_COLUMNS = Object.keys(ids)

function ownerCondition(sql: Queryable, { columns, through }: RemovalTable, whose: TenantOwnerIds): Fragment {
  if (through) {
    const { reference, parent } = through
    return sql`(${sql(reference.columns)}) in (select ${sql(reference.parentColumns)} from ${sql(parent.root)} where ${ownerCondition(sql, parent, whose)})`
  }
  return columns.reduce<Fragment>(
    (all, column, at) => sql`${all} ${at === 0 ? sql`` : sql`or`} ${sql(column)} = any(${whose[ids[column as keyof typeof ids]]})`,
    sql``,
  )
}

const isReferenced = (sql: Queryable, name: string, { child, columns, parentColumns }: ForeignKey) =>
  sql`exists (select 1 from ${sql(child)} other where ${columns
    .map((column, at) => sql`${sql(`other.${column}`)} = ${sql(`${name}.${parentColumns[at]}`)}`)
    .reduce((all, each) => sql`${all} and ${each}`)})`

/**
 * Deletes at most `most` rows of a tenant from a table. Tables are found by their columns, so that no feature's table is forgotten. Returns
 * the number of deleted rows.
 */
export async function deleteTenantRows(sql: Tx, part: RemovalTable, whose: TenantOwnerIds, most: number): Promise<number> {
  // Triggers of ledgers forbid all other deletions.
  await sql`select set_config('serai.removes_tenant', 'yes', true)`
  const notReferenced = part.own.reduce<Fragment>((all, reference) => sql`${all} and not ${isReferenced(sql, part.name, reference)}`, sql``)
  const { count } = await sql<object[]>`delete from ${sql(part.name)} where ctid = any(array(
    select ctid from ${sql(part.name)} where (${ownerCondition(sql, part, whose)}) ${notReferenced} limit ${most}))`
  return count
}

/** Deletes a tenant and its projects, after all other rows. */
export async function deleteTenantAndProjects(sql: Tx, id: number) {
  await sql`delete from projects where tenant_id = ${id}`
  await sql`delete from tenants where id = ${id} and removing`
}
