import type { Vault } from '../../lib/crypto/crypto.ts'
import { ERASED, type PersonMatcher } from '../../lib/person/person-matcher.ts'
import type { PersonTerms } from '../../lib/person/person-terms.ts'
import { json, type Queryable, type Sql, type Tx, transaction } from '../sql.ts'

/** Erasure of the personal data of one or several people. */
export interface Erasure {
  readonly id: string
  readonly storeId: string
  readonly projectId: string
  /** Time of the request. Later rows are left alone, unless they contain an erased id. */
  readonly requestedAt: string
  readonly orderIds: readonly string[]
  readonly parcelIds: readonly string[]
  readonly terms: PersonTerms
  readonly matcher: PersonMatcher
}

interface Needs {
  readonly sql: Sql
  readonly vault: Vault
}

/** Table that holds personal data, declared by the feature that writes it. */
export interface PersonalData {
  readonly table: string
  /** Erases one batch after a cursor. Returns the next cursor, or null at the end. A batch may be repeated. */
  erase(needs: Needs, erasure: Erasure, after: string | null): Promise<string | null>
}

let declared: readonly PersonalData[] = []

/** Sets the tables of all features. Called once, at startup. Throws if a table is declared twice. */
export function declarePersonalData(tables: readonly PersonalData[]) {
  const names = tables.map(({ table }) => table)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice) throw new Error(`Personal data of ${twice} is declared twice.`)
  declared = tables
}

/** Lists the declared tables. */
export const listPersonalData = (): readonly PersonalData[] => declared

const IDS_AT_ONCE = 200

/** Declares a table that is erased by the ids of orders or parcels, in batches of 200, each in a transaction. */
export const eraseByIds = (
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

/** Declares a table that is erased in one transaction, because one person has few rows in it. */
export const eraseInOneTransaction = (table: string, erase: (tx: Tx, erasure: Erasure) => Promise<unknown>): PersonalData => ({
  table,
  async erase({ sql }, erasure) {
    await transaction(sql, (tx) => erase(tx, erasure))
    return null
  },
})

/**
 * Builds the erased value of a place column: without street address, and without the city name if the city has no code. Such a name may be
 * any text that was typed.
 */
export const placeWithoutAddress = (sql: Queryable, column: string) => sql`${sql(column)}
  || case when coalesce(${sql(column)} ->> 'address', '') = '' then '{}'::jsonb else ${json(sql, { address: ERASED })}::jsonb end
  || case when ${sql(column)} ->> 'cityCode' is null then ${json(sql, { cityName: ERASED })}::jsonb else '{}'::jsonb end`
