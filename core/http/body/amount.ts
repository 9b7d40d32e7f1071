import { decimalsOf } from '../../lib/money/currency.ts'
import { type Decimal, parseDecimal } from '../../lib/money/decimal.ts'
import { invalid } from '../errors/errors.ts'

/** A caller's number as an exact decimal: 400 with its place where it has more decimals than are kept. */
export function amount(value: number, path: string, places = 2): Decimal {
  const parsed = parseDecimal(value, places)
  if (parsed === null) throw invalid(path, `At most ${places} decimals.`)
  return parsed
}

/** A caller's amount of money, with as many decimals as its currency has. */
export function money(value: number, path: string, currency: string): Decimal {
  const places = decimalsOf(currency)
  const parsed = parseDecimal(value, places)
  if (parsed === null) throw invalid(path, places === 0 ? `${currency} has no decimals.` : `At most ${places} decimals.`)
  return parsed
}
