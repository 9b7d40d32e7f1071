import type { Queryable, Tx } from '../../data/sql.ts'

export interface CurrencyRow {
  readonly id: string
  readonly code: string
  readonly name: string
  readonly symbol: string
  readonly decimals: number
}

export const hasCurrencies = async (sql: Queryable) => (await sql`select 1 from currencies limit 1`).length > 0

/** Whether there is one; it is there until the transaction ends. */
export const isCurrency = async (sql: Tx, code: string) =>
  (await sql`select 1 from currencies where code = ${code} for key share`).length > 0

/** Whoever begins to use it waits until the transaction ends. */
export const holdCurrency = (sql: Tx, code: string) => sql`select 1 from currencies where code = ${code} for update`

export const insertCurrencies = (sql: Queryable, currencies: readonly CurrencyRow[]) => sql`
  insert into currencies ${sql(currencies)} on conflict (code) do nothing`
