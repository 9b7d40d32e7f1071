import type { PendingQuery, Row } from 'postgres'
import type { Queryable, Sql, Tx } from './sql.ts'

type Fragment = ReturnType<Queryable>
/** A statement, or a part of one, that stands in another one. */
export type Statement = PendingQuery<Row[]>

/** A page's place in an order of rows: sorted by a column and then by id, or by id alone, which is the order of creation. */
export interface KeysetPage {
  /** Null: by id alone. */
  readonly by: string | null
  readonly descending: boolean
  /** The row that the page before ended with: its id, and its value of the column as the database writes it. */
  readonly after: { readonly id: string; readonly value: string | null } | null
  readonly take: number
}

export interface Sorted {
  readonly sortValue?: string
  /** Of the last row that was read: the page ends here although it is not full. */
  readonly isCut?: boolean
}

/** What one request reads of rows that may be long, unless a single one is longer: more would hold everybody else up. */
const PAGE_BYTES = 512 * 1024

/**
 * The rows of a statement in its order, as many as are read at once: the last says whether others were left out. `bytes` is how much there
 * is to read of a row, which is looked at outside: inside, all that are sorted would be measured for the sake of the few that are asked for.
 */
export const withinBytes = (sql: Queryable, names: readonly string[], rows: Statement, bytes: Statement) => sql`
  select ${sql(names as string[])}, place_in_page <> rows_in_page as is_cut from (
    select page.*, sum(${bytes}) over (rows unbounded preceding) as bytes_so_far, row_number() over () as place_in_page, count(*) over () as rows_in_page
    from (${rows}) page) measured
  where place_in_page = 1 or bytes_so_far <= ${PAGE_BYTES} order by place_in_page`

/** For the columns of a list: what it is sorted by, exactly; a row as it is read loses digits of it. */
export const sortValue = (sql: Queryable, { by }: KeysetPage) => (by === null ? sql`` : sql`, ${sql(by)}::text as sort_value`)

/** For the end of a list's statement, which has a `where` already. */
export const keysetPage = (sql: Queryable, part: KeysetPage, id = 'id') => sql`${place(sql, part, id)} limit ${part.take}`

const LIMITS = [2, 11, 21, 51, 101] as const

/**
 * The same for a table in partitions: planning over them takes longer than reading, and a plan is kept only where the statement itself says how
 * few rows it gives. It gives the next of a few numbers of them; the caller leaves what is beyond `take`.
 */
export function keysetPageOfPartitions(sql: Queryable, part: KeysetPage, id = 'id') {
  const limit = LIMITS.find((each) => each >= part.take)
  return limit === undefined ? keysetPage(sql, part, id) : sql`${place(sql, part, id)} ${sql.unsafe(`limit ${limit}`)}`
}

function place(sql: Queryable, { by, descending, after }: KeysetPage, id: string) {
  const way = descending ? sql`desc` : sql`asc`
  const beyond = descending ? sql`<` : sql`>`
  if (by === null) return sql`${after === null ? sql`` : sql`and ${sql(id)} ${beyond} ${after.id}`} order by ${sql(id)} ${way}`
  return sql`
    ${after === null ? sql`` : sql`and (${sql(by)}, ${sql(id)}) ${beyond} (${after.value}, ${after.id})`}
    order by ${sql(by)} ${way}, ${sql(id)} ${way}`
}

/** The rows whose columns have these values, for a statement that has a `where` already; what is undefined asks nothing. */
export function matching(
  sql: Queryable,
  values: Readonly<Record<string, string | number | boolean | undefined>>,
  caseless: readonly string[] = [],
) {
  const is = (column: string, value: string | number | boolean) =>
    caseless.includes(column) ? sql`lower(${sql(column)}) = lower(${String(value)})` : sql`${sql(column)} = ${value}`
  return Object.entries(values).reduce((all, [column, value]) => (value === undefined ? all : sql`${all} and ${is(column, value)}`), sql``)
}

/** Reads by a plan that is made for what is looked for: one for anything reads the whole table where it is rare. */
export const withCustomPlan = <V>(sql: Sql, read: (tx: Tx) => Promise<V>): Promise<V> =>
  sql.begin(async (tx) => {
    const [, found] = await Promise.all([tx`set local plan_cache_mode = force_custom_plan`, read(tx)])
    return found
  }) as Promise<V>

/**
 * Whether a text has another anywhere, however either is written. One or two characters have no part that an index knows but as the
 * beginning of a word.
 */
export function containing(sql: Queryable, value: Fragment, text: string) {
  const literal = text.replace(/[\\%_]/g, '\\$&')
  if ([...text].length > 2) return sql`folded(${value}) like folded(${`%${literal}%`})`
  return sql`(folded(${value}) like folded(${`${literal}%`}) or folded(${value}) like folded(${`% ${literal}%`}))`
}
