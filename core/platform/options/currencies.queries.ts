import type { Queryable, Tx } from '../../data/sql.ts'

/** Row of the table of currencies. */
export interface CurrencyRow {
  readonly id: string
  readonly code: string
  readonly name: string
  readonly symbol: string
  readonly decimals: number
}

/** Returns true if there is any currency. */
export const hasCurrencies = async (sql: Queryable) => (await sql`select 1 from currencies limit 1`).length > 0

/** Returns true if the currency exists. Locks it against deletion until the transaction ends. */
export const lockCurrencyForUse = async (sql: Tx, code: string) =>
  (await sql`select 1 from currencies where code = ${code} for key share`).length > 0

/** Locks a currency, so that new uses wait until the transaction ends. */
export const lockCurrency = (sql: Tx, code: string) => sql`select 1 from currencies where code = ${code} for update`

/** Inserts currencies that do not exist yet. */
export const insertCurrencies = (sql: Queryable, currencies: readonly CurrencyRow[]) => sql`
  insert into currencies ${sql(currencies)} on conflict (code) do nothing`
