import {
  containsCondition,
  equalsCondition,
  type KeysetPage,
  keysetPage,
  limitBytes,
  type SortedRow,
  sortValueColumn,
} from '../../data/keyset-page.ts'
import { expectOne, type Queryable, rowValues, type Tx } from '../../data/sql.ts'

/** Values by column name. */
export type Values = Readonly<Record<string, unknown>>
/** Condition that all columns equal these values. Null matches null. */
export type Equality = Readonly<Record<string, string | number | boolean | null>>
/** Alternatives of which at least one must be true. */
export type AnyOf = readonly Equality[]

/** Row of a table, with its id. */
export interface Row extends Record<string, unknown> {
  readonly id: string
}

/** Table and the columns that are read from it. */
export interface ReadableTable {
  readonly name: string
  /** All columns that are ever selected. */
  readonly columns: readonly string[]
  /** Columns that are stored as JSON. */
  readonly json: readonly string[]
}

/** Condition, filter, search and page of {@link listRows}. */
export interface RowListOptions {
  readonly where: readonly AnyOf[]
  readonly filter: Readonly<Record<string, string | number | boolean | undefined>>
  /** Filter columns that ignore case. */
  readonly caseInsensitive: readonly string[]
  readonly search: { readonly column: string; readonly text: string } | null
  readonly page: KeysetPage
}

const equal = (sql: Queryable, values: Equality) =>
  Object.entries(values).reduce(
    (all, [column, value]) => (value === null ? sql`${all} and ${sql(column)} is null` : sql`${all} and ${sql(column)} = ${value}`),
    sql`true`,
  )
const anyOf = (sql: Queryable, [first = {}, ...others]: AnyOf) =>
  others.reduce((all, values) => sql`${all} or (${equal(sql, values)})`, sql`(${equal(sql, first)})`)
const all = (sql: Queryable, groups: readonly AnyOf[]) =>
  groups.reduce((sofar, group) => sql`${sofar} and (${anyOf(sql, group)})`, sql`true`)

/** Inserts a row. Throws if a constraint is violated; `conflicts.ts` translates those that callers can cause. */
export const insertRow = async (sql: Queryable, { name, columns, json }: ReadableTable, values: Values): Promise<Row> =>
  expectOne(await sql<Row[]>`insert into ${sql(name)} ${rowValues(sql, values, json)} returning ${sql(columns)}`)

/** Finds a row that meets all conditions. */
export const findRow = async (sql: Queryable, { name, columns }: ReadableTable, where: readonly AnyOf[]): Promise<Row | undefined> =>
  (await sql<Row[]>`select ${sql(columns)} from ${sql(name)} where ${all(sql, where)} limit 1`)[0]

/** Updates a row. Returns undefined if it no longer exists. */
export const updateRow = async (
  sql: Queryable,
  { name, columns, json }: ReadableTable,
  key: Equality,
  values: Values,
): Promise<Row | undefined> =>
  (
    await sql<Row[]>`update ${sql(name)} set ${rowValues(sql, { ...values, updatedAt: new Date() }, json)}
      where ${equal(sql, key)} returning ${sql(columns)}`
  )[0]

/** Deletes a row. Returns false if it did not exist. */
export const deleteRow = async (sql: Queryable, { name }: ReadableTable, key: Equality): Promise<boolean> =>
  (await sql`delete from ${sql(name)} where ${equal(sql, key)}`).count > 0

/** Lists rows of a page, up to 512 KiB. */
export function listRows(
  sql: Queryable,
  { name, columns }: ReadableTable,
  { where, filter, caseInsensitive: caseless, search, page: part }: RowListOptions,
) {
  const names = part.sortColumn === null ? columns : [...columns, 'sortValue']
  const rows = sql`select ${sql(columns)} ${sortValueColumn(sql, part)} from ${sql(name)} where ${all(sql, where)}
    ${equalsCondition(sql, filter, caseless)} ${search === null ? sql`` : sql`and ${containsCondition(sql, sql`${sql(search.column)}`, search.text)}`}
    ${keysetPage(sql, part)}`
  return sql<(Row & SortedRow)[]>`${limitBytes(sql, names, rows, sql`octet_length(row(${sql(columns)})::text)`)}`
}

/** Counts the rows that meet all conditions. */
export const countRows = async (sql: Queryable, { name }: ReadableTable, where: readonly AnyOf[]): Promise<number> =>
  (await sql<{ count: number }[]>`select count(*)::int as count from ${sql(name)} where ${all(sql, where)}`)[0]?.count ?? 0

/** Returns true if a table has a matching row. */
export const hasRow = async (sql: Queryable, name: string, where: Equality): Promise<boolean> =>
  (await sql`select 1 from ${sql(name)} where ${equal(sql, where)} limit 1`).length > 0

/** Locks the rows of one owner in a table until the transaction ends, so that writes are serialized. */
export const lockRowsOf = (tx: Tx, { name }: ReadableTable, projectId: string) =>
  tx`select pg_advisory_xact_lock(hashtextextended(${`${name} ${projectId}`}, 0))`
