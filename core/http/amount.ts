import { type Decimal, parseDecimal } from '../lib/decimal.ts'
import { invalid } from './errors.ts'

/** A caller's number as an exact decimal: 400 with its place where it has more decimals than are kept. */
export function amount(value: number, path: string, places = 2): Decimal {
  const parsed = parseDecimal(value, places)
  if (parsed === null) throw invalid(path, `At most ${places} decimals.`)
  return parsed
}
