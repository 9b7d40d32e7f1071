import type { Queryable } from '../../data/sql.ts'

export interface CurrencyRow {
  readonly id: string
  readonly code: string
  readonly name: string
  readonly symbol: string
  readonly decimals: number
}

export const hasCurrencies = async (sql: Queryable) => (await sql`select 1 from currencies limit 1`).length > 0

export const isCurrency = async (sql: Queryable, code: string) => (await sql`select 1 from currencies where code = ${code}`).length > 0

export const insertCurrencies = (sql: Queryable, currencies: readonly CurrencyRow[]) => sql`
  insert into currencies ${sql(currencies)} on conflict (code) do nothing`
