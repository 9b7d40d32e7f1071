import type { PaymentAdapter } from '../../../../plugins/payment/members.ts'
import { ApiError } from '../../../http/errors/errors.ts'
import { decimalsOf, stepOf } from '../../../lib/money/currency.ts'
import type { Decimal } from '../../../lib/money/decimal.ts'

/** How many decimals amounts have at a gateway: none where it counts in the major unit, else those of the currency (ISO 4217). */
export const decimalsAt = (unit: 'major' | 'minor', currency: string): number => (unit === 'major' ? 0 : decimalsOf(currency))

/** As the gateway counts. Throws `amount_not_payable` for what does not come out whole: nobody's centimes are rounded away. */
export function toUnits(amount: Decimal, decimals: number): number {
  const step = stepOf(decimals)
  if (amount % step !== 0n)
    throw new ApiError('amount_not_payable', `The gateway takes amounts with ${decimals} decimals, and this one has more.`)
  return Number(amount / step)
}

/** What amounts of a currency are multiples of at a gateway. */
export const stepAt = ({ unit, steps }: Pick<PaymentAdapter, 'unit' | 'steps'>, currency: string): Decimal =>
  stepOf(decimalsAt(unit, currency)) * BigInt(steps?.[currency] ?? 1)

/** The least multiple that is no less. */
export const roundUp = (amount: Decimal, step: Decimal): Decimal => ((amount + step - 1n) / step) * step

export const fromUnits = (units: number, decimals: number): Decimal => BigInt(units) * stepOf(decimals)
