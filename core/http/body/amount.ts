import type { FieldPath } from '../../lib/errors/domain-error.ts'
import { sharedErrors } from '../../lib/errors/shared-errors.ts'
import { decimalsOf } from '../../lib/money/currency.ts'
import { type Decimal, parseDecimal } from '../../lib/money/decimal.ts'

/** Parses a caller's number as an exact decimal. Throws 400 with its field if it has more than `places` decimals. */
export function parseAmount(value: number, field: FieldPath, places = 2): Decimal {
  const parsed = parseDecimal(value, places)
  if (parsed === null) throw sharedErrors.tooManyDecimals({ places }, { field })
  return parsed
}

/** Parses a caller's amount of money. Throws 400 with its field if it has more decimals than its currency. */
export function parseMoney(value: number, field: FieldPath, currency: string): Decimal {
  const places = decimalsOf(currency)
  const parsed = parseDecimal(value, places)
  if (parsed === null && places === 0) throw sharedErrors.noDecimals({ currency }, { field })
  if (parsed === null) throw sharedErrors.tooManyDecimals({ places }, { field })
  return parsed
}
