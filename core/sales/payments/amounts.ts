import { ApiError } from '../../http/errors.ts'
import { decimalsOf, stepOf } from '../../lib/currency.ts'
import type { Decimal } from '../../lib/decimal.ts'

/** How many decimals amounts have at a gateway: none where it counts in the major unit, else those of the currency (ISO 4217). */
export const decimalsAt = (unit: 'major' | 'minor', currency: string): number => (unit === 'major' ? 0 : decimalsOf(currency))

/** As the gateway counts. Throws `amount_not_payable` for what does not come out whole: nobody's centimes are rounded away. */
export function toUnits(amount: Decimal, decimals: number): number {
  const step = stepOf(decimals)
  if (amount % step !== 0n)
    throw new ApiError('amount_not_payable', `The gateway takes amounts with ${decimals} decimals, and this one has more.`)
  return Number(amount / step)
}

/** The least amount of so many decimals that is no less. */
export function roundUp(amount: Decimal, decimals: number): Decimal {
  const step = stepOf(decimals)
  return ((amount + step - 1n) / step) * step
}

export const fromUnits = (units: number, decimals: number): Decimal => BigInt(units) * stepOf(decimals)
