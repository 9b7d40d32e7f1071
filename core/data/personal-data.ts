import { breather } from '../lib/breather.ts'
import type { Vault } from '../lib/crypto.ts'
import { ERASED, type PersonMatcher } from '../lib/person-matcher.ts'
import type { PersonTerms } from '../lib/person-terms.ts'
import { json, type Queryable, type Sql, type Tx, transaction } from './sql.ts'

/** One erasure: of one person, or of several at once. */
export interface Erasure {
  readonly id: string
  readonly storeId: string
  readonly projectId: string
  /** Rows that came later are another story, unless they name what is erased by its id. */
  readonly askedAt: string
  readonly orderIds: readonly string[]
  readonly parcelIds: readonly string[]
  readonly terms: PersonTerms
  readonly matcher: PersonMatcher
}

interface Needs {
  readonly sql: Sql
  readonly vault: Vault
}

/** A table that holds personal data, declared by the feature that writes it. */
export interface PersonalData {
  readonly table: string
  /** Erases a slice, after a place. Gives the next place, or null at the end. A slice may be done twice. */
  erase(needs: Needs, erasure: Erasure, after: string | null): Promise<string | null>
}

let declared: readonly PersonalData[] = []

/** Sets the tables of all features. Called once, where all features are known. */
export function declarePersonalData(tables: readonly PersonalData[]) {
  const names = tables.map(({ table }) => table)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice) throw new Error(`Personal data of ${twice} is declared twice.`)
  declared = tables
}

export const personalData = (): readonly PersonalData[] => declared

const IDS_AT_ONCE = 200

/** Erases by the ids of orders or of parcels, some at a time, each time in a transaction. */
export const erasedBy = (
  of: 'orderIds' | 'parcelIds',
  table: string,
  erase: (tx: Tx, ids: readonly string[], erasure: Erasure) => Promise<unknown>,
): PersonalData => ({
  table,
  async erase({ sql }, erasure, after) {
    const from = Number(after ?? 0)
    const ids = erasure[of].slice(from, from + IDS_AT_ONCE)
    if (ids.length > 0) await transaction(sql, (tx) => erase(tx, ids, erasure))
    return from + IDS_AT_ONCE < erasure[of].length ? String(from + IDS_AT_ONCE) : null
  },
})

/** Erases all of a table in one transaction: of tables in which one person has few rows. */
export const erasedAtOnce = (table: string, erase: (tx: Tx, erasure: Erasure) => Promise<unknown>): PersonalData => ({
  table,
  async erase({ sql }, erasure) {
    await transaction(sql, (tx) => erase(tx, erasure))
    return null
  },
})

/**
 * Kind of a column: `text`; `json` is a jsonb; `body` is JSON as text; `whole` is a text that is replaced by the mark; `id` is only looked
 * into; `bytes` as well.
 */
export type Kind = 'text' | 'json' | 'body' | 'whole' | 'id' | 'bytes'

interface Searched {
  readonly table: string
  /** Rows that may be about the person, by their owner, or by the order or the parcel. */
  readonly owner: 'store' | 'project' | 'connection' | 'order' | 'parcel' | ((sql: Queryable, erasure: Erasure) => ReturnType<Queryable>)
  /** Columns of the primary key that tell rows of one owner apart, with `:integer` or `:bigint` where they are no text. */
  readonly key: readonly string[]
  readonly columns: Readonly<Record<string, Kind>>
  /** Moment of a row, so that the same person's later business stays as it is. */
  readonly created?: string
  /** `log`: a record of a customer or a recipient that has the person's name and not their number is of a namesake, and stays. */
  readonly kind?: 'log' | 'free'
  /** Values that the row gets where it is about the person, or that it goes. */
  readonly about?: Readonly<Record<string, string | null>> | 'delete'
  /** Only rows with this, in SQL. */
  readonly only?: string
  readonly prepare?: (tx: Tx) => Promise<unknown>
}

const ROWS_AT_ONCE = 200
/** A record of somebody: without the person's number it is of a namesake. */
const OTHERS = /"(?:customer|recipient)"\s*:/

const ownerOf = (sql: Queryable, owner: Searched['owner'], erasure: Erasure) => {
  if (typeof owner === 'function') return owner(sql, erasure)
  if (owner === 'store') return sql`store_id = ${erasure.storeId}`
  if (owner === 'project') return sql`project_id = ${erasure.projectId}`
  if (owner === 'order') return sql`store_id = ${erasure.storeId} and order_id = any (${erasure.orderIds as string[]})`
  if (owner === 'parcel') return sql`project_id = ${erasure.projectId} and parcel_id = any (${erasure.parcelIds as string[]})`
  return sql`connection_id in (select id from integrations where store_id = ${erasure.storeId})`
}

type Cells = Record<string, string | null>

/** Goes through the rows of an owner in slices, and replaces what identifies the person wherever it stands. */
export function searched(of: Searched): PersonalData {
  const keys = of.key.map((name) => name.split(':') as [string, string?])
  const isTheirs = of.owner === 'order' || of.owner === 'parcel'
  const columns = Object.entries(of.columns)
  const cells = (sql: Queryable) =>
    columns.reduce(
      (all, [name, kind], at) =>
        sql`${all}, ${kind === 'bytes' ? sql`encode(${sql(name)}, 'escape')` : sql`${sql(name)}::text`} as ${sql(`c${at}`)}`,
      keys.reduce(
        (all, [name], at) => sql`${all}, ${sql(name)}::text as ${sql(`k${at}`)}`,
        sql`${of.created === undefined ? sql`'no'` : sql`case when ${sql(of.created)} > x.asked then 'yes' else 'no' end`} as later`,
      ),
    )
  const place = (sql: Queryable, row: readonly string[], order: '=' | '>') => {
    const names = keys.slice(1).reduce((all, [name]) => sql`${all}, ${sql(name)}`, sql`${sql(keys[0]?.[0] ?? '')}`)
    const cast = ([, type]: [string, string?]) => sql.unsafe(type ? `::text::${type}` : '::text')
    const values = keys.map((key, at) => sql`${row[at] ?? ''}${cast(key)}`)
    const list = values.slice(1).reduce((all, value) => sql`${all}, ${value}`, values[0] ?? sql``)
    return order === '=' ? sql`(${names}) = (${list})` : sql`(${names}) > (${list})`
  }
  const rows = (sql: Queryable, erasure: Erasure, where: ReturnType<Queryable>, end: ReturnType<Queryable>) =>
    sql<Cells[]>`select ${cells(sql)} from ${sql(of.table)}, (select ${erasure.askedAt}::timestamptz as asked) x
      where ${ownerOf(sql, of.owner, erasure)} ${of.only === undefined ? sql`` : sql.unsafe(`and ${of.only}`)} ${where} ${end}`
  const keyOf = (row: Cells) => keys.map((_, at) => row[`k${at}`] ?? '')
  const textOf = (row: Cells) => columns.map((_, at) => row[`c${at}`] ?? '').join('\n')

  /** Whether it is about the person; null where it does not touch them. */
  function stateOf(row: Cells, { matcher }: Erasure): boolean | null {
    if (isTheirs) return true
    const text = textOf(row)
    if (matcher.hasId(text)) return true
    if (row.later === 'yes') return null
    if (matcher.isConnected(text)) return true
    return matcher.isNamed(text) && !(of.kind === 'log' && OTHERS.test(text)) ? false : null
  }

  async function change(tx: Tx, row: Cells, isAbout: boolean, { matcher }: Erasure) {
    const where = place(tx, keyOf(row), '=')
    if (isAbout && of.about === 'delete') return void (await tx`delete from ${tx(of.table)} where ${where}`)
    const fixed = (isAbout && typeof of.about === 'object' && of.about) || {}
    const sets = columns.flatMap(([name, kind], at) => {
      const before = row[`c${at}`] ?? null
      const after = name in fixed ? (fixed[name] ?? null) : before === null ? null : scrubbed(before, kind, isAbout, matcher)
      if (after === before || kind === 'id' || (kind === 'bytes' && !(name in fixed))) return []
      return [tx`${tx(name)} = ${after}${tx.unsafe(kind === 'json' ? '::text::jsonb' : kind === 'bytes' ? '::text::bytea' : '::text')}`]
    })
    const [first, ...others] = sets
    if (first) await tx`update ${tx(of.table)} set ${others.reduce((all, set) => tx`${all}, ${set}`, first)} where ${where}`
  }

  return {
    table: of.table,
    async erase({ sql }, erasure, after) {
      const order = keys.slice(1).reduce<ReturnType<Queryable>>((all, [name]) => sql`${all}, ${sql(name)}`, sql`${sql(keys[0]?.[0] ?? '')}`)
      const behind: ReturnType<Queryable> = after === null ? sql`` : sql`and ${place(sql, JSON.parse(after) as string[], '>')}`
      const found = await rows(sql, erasure, behind, sql`order by ${order} limit ${ROWS_AT_ONCE}`)
      const pause = breather()
      for (const row of found) {
        if (stateOf(row, erasure) !== null)
          await transaction(sql, async (tx) => {
            await of.prepare?.(tx)
            // Somebody may have changed it meanwhile.
            const [held] = await rows(tx, erasure, tx`and ${place(tx, keyOf(row), '=')}`, tx`for update of ${tx(of.table)}`)
            const isAbout = held && stateOf(held, erasure)
            if (held && typeof isAbout === 'boolean') await change(tx, held, isAbout, erasure)
          })
        await pause()
      }
      const last = found.at(-1)
      return found.length < ROWS_AT_ONCE || !last ? null : JSON.stringify(keyOf(last))
    },
  }
}

function scrubbed(text: string, kind: Kind, isAbout: boolean, matcher: PersonMatcher): string {
  if (kind === 'whole') return isAbout && text !== '' ? ERASED : matcher.scrub(text, isAbout)
  if (kind === 'json' || kind === 'body') {
    const value = parsed(text)
    if (value !== undefined) {
      const clean = matcher.scrubJson(value, isAbout)
      // As the database writes it, unless something changed.
      return Bun.deepEquals(clean, value) ? text : JSON.stringify(clean)
    }
  }
  return matcher.scrub(text, isAbout)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Place of an order or a parcel without what leads to a door. A city that the catalogue does not know may be anything that was typed. */
export const erasedPlace = (sql: Queryable, column: string) => sql`${sql(column)}
  || case when coalesce(${sql(column)} ->> 'address', '') = '' then '{}'::jsonb else ${json(sql, { address: ERASED })}::jsonb end
  || case when ${sql(column)} ->> 'cityCode' is null then ${json(sql, { cityName: ERASED })}::jsonb else '{}'::jsonb end`
