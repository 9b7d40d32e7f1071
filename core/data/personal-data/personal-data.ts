import type { Vault } from '../../lib/crypto/crypto.ts'
import { ERASED, type PersonMatcher } from '../../lib/person/person-matcher.ts'
import type { PersonTerms } from '../../lib/person/person-terms.ts'
import { json, type Queryable, type Sql, type Tx, transaction } from '../sql.ts'

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

/** Place of an order or a parcel without what leads to a door. A city that the catalogue does not know may be anything that was typed. */
export const erasedPlace = (sql: Queryable, column: string) => sql`${sql(column)}
  || case when coalesce(${sql(column)} ->> 'address', '') = '' then '{}'::jsonb else ${json(sql, { address: ERASED })}::jsonb end
  || case when ${sql(column)} ->> 'cityCode' is null then ${json(sql, { cityName: ERASED })}::jsonb else '{}'::jsonb end`
