import { type FieldPath, invalidField } from '../../lib/errors/domain-error.ts'
import { decimalsOf } from '../../lib/money/currency.ts'
import { type Decimal, parseDecimal } from '../../lib/money/decimal.ts'

/** Parses a caller's number as an exact decimal. Throws 400 with its field if it has more than `places` decimals. */
export function parseAmount(value: number, field: FieldPath, places = 2): Decimal {
  const parsed = parseDecimal(value, places)
  if (parsed === null) throw invalidField(field, `At most ${places} decimals.`)
  return parsed
}

/** Parses a caller's amount of money. Throws 400 with its field if it has more decimals than its currency. */
export function parseMoney(value: number, field: FieldPath, currency: string): Decimal {
  const places = decimalsOf(currency)
  const parsed = parseDecimal(value, places)
  if (parsed === null) throw invalidField(field, places === 0 ? `${currency} has no decimals.` : `At most ${places} decimals.`)
  return parsed
}
