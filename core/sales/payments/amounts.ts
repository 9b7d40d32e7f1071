import { ApiError } from '../../http/errors.ts'
import { type Decimal, ONE } from '../../lib/decimal.ts'

const PLACES = 4

/** How many decimals amounts have at a gateway: none where it counts in the major unit, else those of the currency (ISO 4217). */
export function decimalsAt(unit: 'major' | 'minor', currency: string): number {
  if (unit === 'major') return 0
  return Math.min(THREE.includes(currency) ? 3 : NONE.includes(currency) ? 0 : 2, PLACES)
}

// Of all others a hundredth is the least, as ISO 4217 has it; what browsers round to differs for some of them.
const THREE = ['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND']
const NONE = ['BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'UYI', 'VND', 'VUV', 'XAF', 'XOF', 'XPF']

const stepOf = (decimals: number): Decimal => ONE / 10n ** BigInt(decimals)

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
