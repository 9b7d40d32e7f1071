import { yieldEvery } from '../../lib/async/yield-every.ts'
import { literalsOf } from '../../lib/person/person-literals.ts'
import { ERASED, type PersonMatcher } from '../../lib/person/person-matcher.ts'
import { type Queryable, type Tx, transaction } from '../sql.ts'
import type { Erasure, PersonalData } from './personal-data.ts'

/**
 * Kind of a column. `text` is plain text, `json` is jsonb, `body` is JSON as text, and `list` is an array of texts. `whole` is a text that
 * the mark replaces as a whole. `id` and `bytes` are only searched.
 */
export type ColumnKind = 'text' | 'json' | 'body' | 'whole' | 'id' | 'bytes' | 'list'

interface Searched {
  readonly table: string
  /** Rows that may be about the person, selected by their owner or by the order or parcel. */
  readonly owner: 'project' | 'order' | 'parcel' | ((sql: Queryable, erasure: Erasure) => ReturnType<Queryable>)
  /** Columns of the primary key that identify a row within one owner, with `:integer` or `:bigint` if they are not text. */
  readonly key: readonly string[]
  readonly columns: Readonly<Record<string, ColumnKind>>
  /** Column with the row's creation time. Rows created after the request are left alone. */
  readonly created?: string
  /** In a `log`, a customer's or recipient's record with the person's name but without their number belongs to a namesake and stays. */
  readonly kind?: 'log' | 'free'
  /** Values that a row about the person gets, or `delete`. A row with only the person's name is deleted too. */
  readonly about?: Readonly<Record<string, string | null>> | 'delete'
  /** SQL condition that restricts the rows. */
  readonly only?: string
  readonly prepare?: (tx: Tx) => Promise<unknown>
}

const ROWS_AT_ONCE = 2_000
/** Rows per batch if each must be read in full, since bodies may be long. */
const WHOLE_AT_ONCE = 100
/** Pattern of a record of a customer or a recipient. Without the person's number it belongs to a namesake. */
const OTHERS = /"(?:customer|recipient)"\s*:/

const ownerOf = (sql: Queryable, { owner }: Searched, erasure: Erasure) => {
  if (typeof owner === 'function') return owner(sql, erasure)
  if (owner === 'project') return sql`project_id = ${erasure.projectId}`
  if (owner === 'order') return sql`project_id = ${erasure.projectId} and order_id = any (${erasure.orderIds as string[]})`
  return sql`project_id = ${erasure.projectId} and parcel_id = any (${erasure.parcelIds as string[]})`
}

type Cells = Record<string, string | null>

const cellOf = (sql: Queryable, name: string, kind: ColumnKind) => {
  if (kind === 'bytes') return sql`encode(${sql(name)}, 'base64')`
  return kind === 'list' ? sql`to_jsonb(${sql(name)})::text` : sql`${sql(name)}::text`
}

const castTo = (sql: Queryable, text: string | null, kind: ColumnKind) => {
  if (kind === 'list') return sql`array(select jsonb_array_elements_text(${text}::text::jsonb))`
  return sql`${text}${sql.unsafe(kind === 'json' ? '::text::jsonb' : '::text')}`
}

/** Decodes bytes as UTF-8, followed by the same text without JSON escapes if it has any. */
function readBytes(base64: string): string {
  const text = Buffer.from(base64, 'base64').toString('utf8')
  const plain = text.replace(/\\u([0-9a-f]{4})/giu, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
  return plain === text ? text : `${text}\n${plain}`
}

const OTHER_DIGITS = ['٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹', '01234567890123456789'] as const
const containsPatterns = (texts: readonly string[]) => texts.map((text) => `%${text}%`)

/** Builds a condition on rows that may be about the person, so that the database skips most others. Null if only the matcher can decide. */
function prefilterCondition(
  sql: Queryable,
  columns: readonly (readonly [string, ColumnKind])[],
  erasure: Erasure | null,
): ReturnType<Queryable> | null {
  const literals = !erasure || columns.some(([, kind]) => kind === 'bytes') ? null : literalsOf(erasure.terms)
  if (!literals) return null
  const names = columns.slice(1).reduce((all, [name]) => sql`${all}, ${sql(name)}::text`, sql`${sql(columns[0]?.[0] ?? '')}::text`)
  return sql`(select lower(t) like any (${containsPatterns(literals.texts)}::text[]) or t like any (${containsPatterns(literals.ids)}::text[])
    or regexp_replace(translate(t, ${OTHER_DIGITS[0]}, ${OTHER_DIGITS[1]}), '(%2[0dDfF]|[^0-9])+', '', 'g') like any (${containsPatterns(literals.digits)}::text[])
    from concat_ws(' ', ${names}) as t)`
}

/** Declares a table that is searched in batches. Replaces what identifies the person in every column. */
export function eraseBySearch(of: Searched): PersonalData {
  const table = new SearchedTable(of)
  return {
    table: of.table,
    async erase({ sql }, erasure, after) {
      const { rows, isLast } = await table.readBatch(sql, erasure, after)
      const pause = yieldEvery()
      for (const row of rows) {
        if (table.stateOf(row, erasure) !== null) await transaction(sql, (tx) => table.eraseRow(tx, row, erasure))
        await pause()
      }
      const last = rows.at(-1)
      return isLast || !last ? null : JSON.stringify(table.keyOf(last))
    },
  }
}

type Fragment = ReturnType<Queryable>

/** Joins fragments by commas. */
const listed = (sql: Queryable, fragments: readonly Fragment[]): Fragment =>
  fragments.slice(1).reduce<Fragment>((all, one) => sql`${all}, ${one}`, fragments[0] ?? sql``)

/** SQL for one table, and the decision which of its rows are about a person. */
class SearchedTable {
  readonly #keys: readonly (readonly [string, string?])[]
  readonly #columns: readonly (readonly [string, ColumnKind])[]
  /** True if a row is the person's because its order or parcel is. */
  readonly #isTheirs: boolean

  constructor(readonly of: Searched) {
    this.#keys = of.key.map((name) => name.split(':') as [string, string?])
    this.#columns = Object.entries(of.columns)
    this.#isTheirs = of.owner === 'order' || of.owner === 'parcel'
  }

  /** Reads the next rows in the order of the key. `after`: the key of the last row before them, as JSON. */
  async readBatch(sql: Queryable, erasure: Erasure, after: string | null): Promise<{ rows: readonly Cells[]; isLast: boolean }> {
    const order = this.#keyNames(sql)
    const behind: Fragment = after === null ? sql`` : sql`and ${this.#keyCondition(sql, JSON.parse(after) as string[], '>')}`
    const hit = prefilterCondition(sql, this.#columns, this.#isTheirs ? null : erasure)
    const limit = hit ? ROWS_AT_ONCE : WHOLE_AT_ONCE
    const from: Fragment = sql`(select * from ${sql(this.of.table)} where ${this.#ownedRows(sql, erasure)} ${behind} order by ${order} limit ${limit}) r`
    const rows = await this.#select(sql, erasure, { from, hit: hit ?? sql`true`, end: sql`order by ${order}` })
    return { rows, isLast: rows.length < limit }
  }

  /** Returns true if the row is about the person, false if it only names them, null if it does not concern them. */
  stateOf(row: Cells, { matcher }: Erasure): boolean | null {
    if (row.hit === null) return null
    if (this.#isTheirs) return true
    const text = this.#textOf(row)
    if (matcher.hasId(text)) return true
    if (row.later === 'yes') return null
    if (matcher.isConnected(text)) return true
    return matcher.isNamed(text) && !(this.of.kind === 'log' && OTHERS.test(text)) ? false : null
  }

  /** Locks and reads the row again, since it may have changed, and erases what it says of the person. */
  async eraseRow(tx: Tx, row: Cells, erasure: Erasure): Promise<void> {
    await this.of.prepare?.(tx)
    const table: Fragment = tx`${tx(this.of.table)}`
    const end: Fragment = tx`where ${this.#ownedRows(tx, erasure)} and ${this.#keyCondition(tx, this.keyOf(row), '=')} for update of ${table}`
    const [locked] = await this.#select(tx, erasure, { from: table, hit: tx`true`, end })
    const isAbout = locked && this.stateOf(locked, erasure)
    if (locked && typeof isAbout === 'boolean') await this.#change(tx, locked, { isAbout }, erasure)
  }

  keyOf(row: Cells): string[] {
    return this.#keys.map((_, at) => row[`k${at}`] ?? '')
  }

  async #change(tx: Tx, row: Cells, { isAbout }: { readonly isAbout: boolean }, erasure: Erasure): Promise<void> {
    const { table, about } = this.of
    const where: Fragment = tx`${this.#ownedRows(tx, erasure)} and ${this.#keyCondition(tx, this.keyOf(row), '=')}`
    if (about === 'delete') return void (await tx`delete from ${tx(table)} where ${where}`)
    const fixed = (isAbout && typeof about === 'object' && about) || {}
    const sets = this.#columns.flatMap(([name, kind], at) => {
      const before = row[`c${at}`] ?? null
      const after = name in fixed ? (fixed[name] ?? null) : before === null ? null : scrubColumn(before, kind, { isAbout }, erasure.matcher)
      const set: Fragment = tx`${tx(name)} = ${castTo(tx, after, kind)}`
      return after === before || kind === 'id' || kind === 'bytes' ? [] : [set]
    })
    if (sets.length > 0) await tx`update ${tx(table)} set ${listed(tx, sets)} where ${where}`
  }

  #select(sql: Queryable, erasure: Erasure, { from, hit, end }: { from: Fragment; hit: Fragment; end: Fragment }) {
    return sql<Cells[]>`select ${this.#cells(sql)}
      from ${from}, lateral (select ${hit} as erasure_hit, ${erasure.requestedAt}::timestamptz as erasure_asked offset 0) x ${end}`
  }

  /** Selected columns: whether the row may be about the person, its key as `k0`, `k1`, and its texts as `c0`, `c1`. */
  #cells(sql: Queryable): Fragment {
    const { created } = this.of
    const isLater = created === undefined ? sql`false` : sql`${sql(created)} > x.erasure_asked`
    const states: readonly Fragment[] = [
      sql`case when x.erasure_hit then 'yes' end as hit`,
      sql`case when ${isLater} then 'yes' end as later`,
    ]
    const keys = this.#keys.map(([name], at): Fragment => sql`${sql(name)}::text as ${sql(`k${at}`)}`)
    const texts = this.#columns.map(
      ([name, kind], at): Fragment => sql`case when x.erasure_hit then ${cellOf(sql, name, kind)} end as ${sql(`c${at}`)}`,
    )
    return listed(sql, [...states, ...keys, ...texts])
  }

  #ownedRows(sql: Queryable, erasure: Erasure): Fragment {
    const { only } = this.of
    return sql`${ownerOf(sql, this.of, erasure)} ${only === undefined ? sql`` : sql.unsafe(`and ${only}`)}`
  }

  #keyNames(sql: Queryable): Fragment {
    return listed(
      sql,
      this.#keys.map(([name]): Fragment => sql`${sql(name)}`),
    )
  }

  #keyCondition(sql: Queryable, row: readonly string[], order: '=' | '>'): Fragment {
    const cast = (type?: string) => sql.unsafe(type ? `::text::${type}` : '::text')
    const values = listed(
      sql,
      this.#keys.map(([, type], at): Fragment => sql`${row[at] ?? ''}${cast(type)}`),
    )
    return order === '=' ? sql`(${this.#keyNames(sql)}) = (${values})` : sql`(${this.#keyNames(sql)}) > (${values})`
  }

  #textOf(row: Cells): string {
    return this.#columns.map(([, kind], at) => (kind === 'bytes' ? readBytes(row[`c${at}`] ?? '') : (row[`c${at}`] ?? ''))).join('\n')
  }
}

function scrubColumn(text: string, kind: ColumnKind, { isAbout }: { readonly isAbout: boolean }, matcher: PersonMatcher): string {
  if (kind === 'whole') return isAbout && text !== '' ? ERASED : matcher.scrub(text, { isAbout })
  if (kind === 'json' || kind === 'body' || kind === 'list') {
    const value = parseJson(text)
    if (value !== undefined) {
      const clean = matcher.scrubJson(value, { isAbout })
      // Keeps the database's spelling if nothing changed.
      return Bun.deepEquals(clean, value) ? text : JSON.stringify(clean)
    }
  }
  return matcher.scrub(text, { isAbout })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
