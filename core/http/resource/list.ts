import { type Static, Type as T, type TObject, type TProperties, type TSchema } from '@sinclair/typebox'
import { readFromReplica } from '../../data/database/replica.ts'
import { type KeysetPage, type SortedRow, withCustomPlan } from '../../data/keyset-page.ts'
import type { Queryable, Sql } from '../../data/sql.ts'
import { sha256 } from '../../lib/crypto/crypto.ts'
import { invalidValue } from '../errors/errors.ts'
import { oneOf, pageQuery } from '../schema.ts'
import { foreignCursor, PAGE_DEFAULT, type PageOf } from './page.ts'

interface ListOptions<F extends TProperties, B extends TProperties> {
  /**
   * Sortable fields besides `createdAt`, and their columns. Columns are never null, and each needs an index (owner, column, id). Null for a
   * list with a fixed order and an index for each filter.
   */
  readonly sorts?: Readonly<Record<string, string>> | null
  /** Fields that can be filtered by one value. */
  readonly filters?: F
  /** Description of the fields that `q` searches. Absent if the list has no search. */
  readonly search?: string
  /** True if every query has an index with its order. One cached plan then serves all. */
  readonly isIndexed?: boolean
  /** Additional query parameters, which the list's own reader handles. */
  readonly extraParameters?: B
  /** True if rows may be a second old. A replica is then read, unless the tenant has just written. */
  readonly mayBeOld?: boolean
}

/** Definition of a list, as {@link defineList} builds it. */
export interface ListDefinition<F extends TProperties, B extends TProperties = TProperties> {
  readonly sorts: Readonly<Record<string, string | null>>
  readonly hasOnePlan: boolean
  readonly filters: F
  readonly extraParameters: readonly string[]
  readonly mayBeOld: boolean
  /** Schema of the query. */
  readonly query: TObject<B>
}

/** Query of a list: filter, search text and page. */
export interface ListQuery<F extends TProperties> {
  readonly filter: Partial<Static<TObject<F>>>
  readonly q: string | undefined
  readonly page: KeysetPage
}

const NEWEST_FIRST = '-createdAt'
const CURSOR = 'k2'
const DIGEST_CHARS = 16

/** Defines the sorts, filters and search of a list. They become its query schema and part of the OpenAPI document. */
export function defineList<const F extends TProperties = Record<never, never>, const B extends TProperties = Record<never, never>>(
  definition: ListOptions<F, B>,
): ListDefinition<F, B> {
  const { filters = {} as F, search, extraParameters: beside = {} as B, mayBeOld = false, isIndexed = false } = definition
  const sorts = { createdAt: null, ...definition.sorts }
  const fields = Object.entries<TSchema>(filters)
  const query = {
    ...pageQuery,
    ...(definition.sorts !== null && { sort: T.Optional(sortBy(Object.keys(sorts))) }),
    ...Object.fromEntries(fields.map(([name, filter]) => [`filter[${name}]`, T.Optional(filter)])),
    ...Object.fromEntries(fields.map(([name, filter]) => [name, T.Optional({ ...filter, description: `the same as filter[${name}]` })])),
    ...(search !== undefined && { q: T.Optional(T.String({ minLength: 1, maxLength: 200, description: search })) }),
  }
  // Allows additional properties here; `readList` rejects them with an error that names the accepted ones.
  const schema = T.Object<B>({ ...query, ...beside }, { additionalProperties: true })
  return {
    sorts,
    hasOnePlan: definition.sorts === null || isIndexed,
    filters,
    extraParameters: Object.keys(beside),
    mayBeOld,
    query: schema,
  }
}

const sortBy = (fields: readonly string[]) =>
  oneOf(
    fields.flatMap((field) => [`-${field}`, field]),
    { default: NEWEST_FIRST, description: 'the field to sort by; with "-" before it, the newest or largest first' },
  )

/** Reads a page of a list. Throws 400 for unknown parameters, and for a cursor that was issued for another sort, filter or search. */
export async function readList<F extends TProperties, Row extends object>(
  sql: Sql,
  of: ListDefinition<F>,
  query: Record<string, unknown>,
  read: (sql: Queryable, asked: ListQuery<F>) => Promise<Row[]>,
  idOf: (row: Row) => string = idOfRow,
): Promise<PageOf<Omit<Row, keyof SortedRow>>> {
  const { limit = PAGE_DEFAULT, cursor, sort = NEWEST_FIRST, q } = query as { limit?: number; cursor?: string; sort?: string; q?: string }
  assertKnown(Object.keys(query), Object.keys(of.query.properties))
  const filter = readFilter(of.filters, query)
  const digest = digestOf([
    Object.keys(of.query.properties),
    sort,
    q ?? null,
    filter,
    of.extraParameters.map((name) => query[name] ?? null),
  ])
  const isDescending = sort.startsWith('-')
  const sortColumn = of.sorts[isDescending ? sort.slice(1) : sort]
  if (sortColumn === undefined) throw invalidValue('/query/sort', `This list is sorted by ${Object.keys(of.sorts).join(', ')}.`)
  const asked = { filter, q, page: { sortColumn, isDescending, after: readCursor(cursor, digest), limit: limit + 1 } }
  // Uses a cached plan for the newest rows. Other queries may match rare or common rows and get their own plan.
  const isPlain = of.hasOnePlan || (sort === NEWEST_FIRST && q === undefined && Object.keys(filter).length === 0)
  const readFrom = (from: Sql) => (isPlain ? read(from, asked) : withCustomPlan(from, (tx) => read(tx, asked)))
  const rows = await (of.mayBeOld ? readFromReplica(sql, readFrom) : readFrom(sql))
  const isCut = (rows.at(-1) as SortedRow | undefined)?.isCut === true
  const last = rows.length > limit ? rows[limit - 1] : isCut ? rows.at(-1) : undefined
  return {
    data: rows.slice(0, limit).map(({ sortValue: _, isCut: __, ...row }: Row & SortedRow) => row),
    nextCursor: last === undefined ? null : writeCursor(digest, idOf(last), (last as SortedRow).sortValue ?? null),
  }
}

function idOfRow(row: object): string {
  if ('id' in row && typeof row.id === 'string') return row.id
  throw new Error('The rows of this list have no id: say what stands for it.')
}

const digestOf = (asked: readonly unknown[]) => sha256(JSON.stringify(asked)).slice(0, DIGEST_CHARS)

function assertKnown(given: readonly string[], known: readonly string[]) {
  const unknown = given.find((name) => !known.includes(name))
  if (unknown !== undefined) throw invalidValue(`/query/${unknown}`, `This list does not accept it. It accepts ${known.join(', ')}.`)
}

/** Reads the filters, with or without brackets. */
function readFilter<F extends TProperties>(filters: F, query: Record<string, unknown>): Partial<Static<TObject<F>>> {
  const given = Object.keys(filters).flatMap((name) => {
    const [value, same] = [query[`filter[${name}]`], query[name]]
    if (value !== undefined && same !== undefined && value !== same) throw invalidValue(`/query/${name}`, `Contradicts filter[${name}].`)
    return value === undefined && same === undefined ? [] : [[name, value ?? same]]
  })
  return Object.fromEntries(given) as Partial<Static<TObject<F>>>
}

const writeCursor = (made: string, id: string, value: string | null) =>
  Buffer.from(JSON.stringify([CURSOR, made, id, value])).toString('base64url')

function readCursor(cursor: string | undefined, made: string): KeysetPage['after'] {
  if (cursor === undefined) return null
  const [version, madeFor, id, value] = parseCursor(cursor)
  if (version !== CURSOR || typeof id !== 'string' || id.includes('\0') || (typeof value !== 'string' && value !== null))
    throw foreignCursor()
  if (madeFor !== made)
    throw invalidValue(
      '/query/cursor',
      'This cursor was given for another sort, filter or search. Repeat those, or start without a cursor.',
    )
  return { id, value }
}

function parseCursor(cursor: string): unknown[] {
  try {
    const read: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    return Array.isArray(read) ? read : []
  } catch {
    return []
  }
}
