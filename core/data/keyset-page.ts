import type { PendingQuery, Row } from 'postgres'
import type { Queryable, Sql, Tx } from './sql.ts'

type Fragment = ReturnType<Queryable>
/** SQL statement, or part of one, that is embedded in another. */
export type Statement = PendingQuery<Row[]>

/** Page of rows sorted by a column and then by id, or by id alone, which is the order of creation. */
export interface KeysetPage {
  /** Column to sort by; null to sort by id alone. */
  readonly sortColumn: string | null
  readonly isDescending: boolean
  /** Last row of the previous page: its id, and its value of the column as the database formats it. */
  readonly after: { readonly id: string; readonly value: string | null } | null
  readonly limit: number
}

/** Row of a sorted list. */
export interface SortedRow {
  readonly sortValue?: string
  /** True on the last row if the page ends early because of its size. */
  readonly isCut?: boolean
}

/** Maximum bytes of rows that one request reads, unless a single row is longer. Larger reads would delay other requests. */
const PAGE_BYTES = 512 * 1024

/**
 * Limits the rows of a statement to 512 KiB. `is_cut` on the last row is true if others were left out. `bytes` is the size of a row. It is
 * measured outside the sorted statement, so that only the rows of the page are measured.
 */
export const limitBytes = (sql: Queryable, names: readonly string[], rows: Statement, bytes: Statement) => sql`
  select ${sql(names as string[])}, place_in_page <> rows_in_page as is_cut from (
    select page.*, sum(${bytes}) over (rows unbounded preceding) as bytes_so_far, row_number() over () as place_in_page, count(*) over () as rows_in_page
    from (${rows}) page) measured
  where place_in_page = 1 or bytes_so_far <= ${PAGE_BYTES} order by place_in_page`

/** Selects the exact value that a list is sorted by. The parsed row may have lost digits of it. */
export const sortValueColumn = (sql: Queryable, { sortColumn: by }: KeysetPage) =>
  by === null ? sql`` : sql`, ${sql(by)}::text as sort_value`

/** Ends a list's statement, which already has a `where`, with the page's condition, order and limit. */
export const keysetPage = (sql: Queryable, page: KeysetPage, id = 'id') => sql`${orderedPage(sql, page, id)} limit ${page.limit}`

const LIMITS = [2, 11, 21, 51, 101] as const

/**
 * Ends a list's statement on a partitioned table. Planning it takes longer than reading, and a plan is cached only if the limit is a
 * literal. Uses the next larger of a few limits; the caller drops the rows beyond `limit`.
 */
export function keysetPageOfPartitions(sql: Queryable, page: KeysetPage, id = 'id') {
  const limit = LIMITS.find((each) => each >= page.limit)
  return limit === undefined ? keysetPage(sql, page, id) : sql`${orderedPage(sql, page, id)} ${sql.unsafe(`limit ${limit}`)}`
}

/** Builds the condition that starts after the previous page, and the order. */
function orderedPage(sql: Queryable, { sortColumn: by, isDescending: descending, after }: KeysetPage, id: string) {
  const direction = descending ? sql`desc` : sql`asc`
  const comparison = descending ? sql`<` : sql`>`
  if (by === null) return sql`${after === null ? sql`` : sql`and ${sql(id)} ${comparison} ${after.id}`} order by ${sql(id)} ${direction}`
  return sql`
    ${after === null ? sql`` : sql`and (${sql(by)}, ${sql(id)}) ${comparison} (${after.value}, ${after.id})`}
    order by ${sql(by)} ${direction}, ${sql(id)} ${direction}`
}

/**
 * Adds conditions that columns equal values, to a statement that already has a `where`. Undefined values add none. `caseless` columns are
 * compared without case.
 */
export function equalsCondition(
  sql: Queryable,
  values: Readonly<Record<string, string | number | boolean | undefined>>,
  caseless: readonly string[] = [],
) {
  const is = (column: string, value: string | number | boolean) =>
    caseless.includes(column) ? sql`lower(${sql(column)}) = lower(${String(value)})` : sql`${sql(column)} = ${value}`
  return Object.entries(values).reduce((all, [column, value]) => (value === undefined ? all : sql`${all} and ${is(column, value)}`), sql``)
}

/**
 * Reads with custom plans. A generic plan would scan the whole table for rare values. With `timeoutMs`, each statement that takes longer
 * fails, as {@link isStatementTimeout} says.
 */
export const withCustomPlan = <V>(
  sql: Sql,
  read: (tx: Tx) => Promise<V>,
  { timeoutMs }: { readonly timeoutMs?: number } = {},
): Promise<V> =>
  sql.begin(async (tx) => {
    const timeout = timeoutMs === undefined ? tx`` : tx`, set_config('statement_timeout', ${String(timeoutMs)}, true)`
    // Sent before `read` begins: a query that is only awaited is sent later than those that `read` awaits together.
    const set = tx`select set_config('plan_cache_mode', 'force_custom_plan', true) ${timeout}`.execute()
    const [, found] = await Promise.all([set, read(tx)])
    return found
  }) as Promise<V>

/**
 * Makes the rest of a transaction plan each statement anew. A transaction that fills a table which was small when a plan was cached would
 * scan that table for each row.
 */
export const useCustomPlans = async (tx: Tx): Promise<void> =>
  void (await tx`select set_config('plan_cache_mode', 'force_custom_plan', true)`)

/** Code with which PostgreSQL reports a statement that it cancelled. */
const QUERY_CANCELED = '57014'

/** Returns true for the error of a statement that took longer than it may. */
export const isStatementTimeout = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === QUERY_CANCELED

/**
 * Builds a condition that a text contains another, ignoring case and accents. One or two characters must start a word, since the index
 * cannot find them elsewhere.
 */
export function containsCondition(sql: Queryable, value: Fragment, text: string) {
  const literal = text.replace(/[\\%_]/g, '\\$&')
  if ([...text].length > 2) return sql`folded(${value}) like folded(${`%${literal}%`})`
  return sql`(folded(${value}) like folded(${`${literal}%`}) or folded(${value}) like folded(${`% ${literal}%`}))`
}
