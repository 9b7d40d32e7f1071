import { countries } from 'countries-list'
import type { Sql } from '../../data/sql.ts'
import { newId } from '../../lib/ids.ts'
import { decimalsOf } from '../../lib/money/currency.ts'
import { type CurrencyRow, hasCurrencies, insertCurrencies } from './currencies.queries.ts'

const ISO_4217 = /^[A-Z]{3}$/

/** Fills an empty table with the currencies of all countries. After that only administrators change it. */
export async function loadCurrencies(sql: Sql): Promise<void> {
  if (!(await hasCurrencies(sql))) await insertCurrencies(sql, currenciesOfTheWorld())
}

function currenciesOfTheWorld(): CurrencyRow[] {
  const names = new Intl.DisplayNames('en', { type: 'currency' })
  const codes = new Set<string>(Object.values(countries).flatMap(({ currency }) => currency))
  return [...codes]
    .filter((code) => ISO_4217.test(code))
    .sort()
    .map((code) => {
      const format = new Intl.NumberFormat('en', { style: 'currency', currency: code, currencyDisplay: 'narrowSymbol' })
      return {
        id: newId('cur'),
        code,
        name: names.of(code) ?? code,
        symbol: format.formatToParts(0).find(({ type }) => type === 'currency')?.value ?? code,
        decimals: decimalsOf(code),
      }
    })
}
