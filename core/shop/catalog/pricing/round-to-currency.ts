import { decimalsOf } from '../../../lib/money/currency.ts'
import { type Decimal, multiply, ONE } from '../../../lib/money/decimal.ts'

/** Rounds an amount to the decimals of the currency. An amount set before the store changed its currency may have more. */
export const roundToCurrency = (amount: Decimal, currency: string): Decimal => multiply(amount, ONE, decimalsOf(currency))
