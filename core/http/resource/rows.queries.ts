import { containing, type KeysetPage, keysetPage, matching, type Sorted, sortValue, withinBytes } from '../../data/keyset-page.ts'
import { expectOne, type Queryable, row, type Tx } from '../../data/sql.ts'

/** Columns and their values, by the names that rows have. */
export type Values = Readonly<Record<string, unknown>>
/** Columns that have these values, all of them. Null: the column is null. */
export type Equal = Readonly<Record<string, string | number | boolean | null>>
/** Rows of which at least one of these is true. */
export type AnyOf = readonly Equal[]

export interface Row extends Record<string, unknown> {
  readonly id: string
}

/** A plain table: where it is, and what is ever read of it. */
export interface Table {
  readonly name: string
  /** All that leaves it. No other column is ever selected. */
  readonly columns: readonly string[]
  /** Those that are kept as JSON. */
  readonly json: readonly string[]
}

export interface ListOf {
  readonly where: readonly AnyOf[]
  readonly filter: Readonly<Record<string, string | number | boolean | undefined>>
  /** Columns of the filter of which small and capital letters are the same. */
  readonly caseless: readonly string[]
  readonly search: { readonly column: string; readonly text: string } | null
  readonly slice: KeysetPage
}

const equal = (sql: Queryable, values: Equal) =>
  Object.entries(values).reduce(
    (all, [column, value]) => (value === null ? sql`${all} and ${sql(column)} is null` : sql`${all} and ${sql(column)} = ${value}`),
    sql`true`,
  )
const anyOf = (sql: Queryable, [first = {}, ...others]: AnyOf) =>
  others.reduce((all, values) => sql`${all} or (${equal(sql, values)})`, sql`(${equal(sql, first)})`)
const all = (sql: Queryable, groups: readonly AnyOf[]) =>
  groups.reduce((sofar, group) => sql`${sofar} and (${anyOf(sql, group)})`, sql`true`)

/** Throws where a constraint is violated; those that callers can meet are named in `conflicts.ts`. */
export const insertRow = async (sql: Queryable, { name, columns, json }: Table, values: Values): Promise<Row> =>
  expectOne(await sql<Row[]>`insert into ${sql(name)} ${row(sql, values, json)} returning ${sql(columns)}`)

/** The one row that all of this is true of. */
export const findRow = async (sql: Queryable, { name, columns }: Table, where: readonly AnyOf[]): Promise<Row | undefined> =>
  (await sql<Row[]>`select ${sql(columns)} from ${sql(name)} where ${all(sql, where)} limit 1`)[0]

/** Undefined where it has gone meanwhile. */
export const updateRow = async (sql: Queryable, { name, columns, json }: Table, id: string, values: Values): Promise<Row | undefined> =>
  (
    await sql<Row[]>`update ${sql(name)} set ${row(sql, { ...values, updatedAt: new Date() }, json)}
      where id = ${id} returning ${sql(columns)}`
  )[0]

export const deleteRow = async (sql: Queryable, { name }: Table, id: string): Promise<boolean> =>
  (await sql`delete from ${sql(name)} where id = ${id}`).count > 0

export function listRows(sql: Queryable, { name, columns }: Table, { where, filter, caseless, search, slice: part }: ListOf) {
  const names = part.by === null ? columns : [...columns, 'sortValue']
  const rows = sql`select ${sql(columns)} ${sortValue(sql, part)} from ${sql(name)} where ${all(sql, where)}
    ${matching(sql, filter, caseless)} ${search === null ? sql`` : sql`and ${containing(sql, sql`${sql(search.column)}`, search.text)}`}
    ${keysetPage(sql, part)}`
  return sql<(Row & Sorted)[]>`${withinBytes(sql, names, rows, sql`octet_length(row(${sql(columns)})::text)`)}`
}

export const countRows = async (sql: Queryable, { name }: Table, where: readonly AnyOf[]): Promise<number> =>
  (await sql<{ count: number }[]>`select count(*)::int as count from ${sql(name)} where ${all(sql, where)}`)[0]?.count ?? 0

/** Whether a table has such a row. */
export const hasRow = async (sql: Queryable, name: string, where: Equal): Promise<boolean> =>
  (await sql`select 1 from ${sql(name)} where ${equal(sql, where)} limit 1`).length > 0

/** Writes of one owner into a table, one after the other until the transaction ends. */
export const lockRowsOf = (tx: Tx, { name }: Table, owner: string | null) =>
  tx`select pg_advisory_xact_lock(hashtextextended(${`${name} ${owner ?? ''}`}, 0))`
