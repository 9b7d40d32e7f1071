import { decimalsOf } from '../../../lib/money/currency.ts'
import { type Decimal, multiply, ONE } from '../../../lib/money/decimal.ts'

/** An amount with as many decimals as the currency has: one that was said before the store took that currency may have more. */
export const inMoney = (amount: Decimal, currency: string): Decimal => multiply(amount, ONE, decimalsOf(currency))
