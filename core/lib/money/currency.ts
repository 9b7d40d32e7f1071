import { type Decimal, ONE } from './decimal.ts'

const THREE = ['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND']
const NONE = ['BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'UYI', 'VND', 'VUV', 'XAF', 'XOF', 'XPF']

/**
 * How many decimals the amounts of a currency have. ISO 4217 says so; what browsers round to differs for some. Of all others, also those that
 * are none of ISO's, a hundredth is the least.
 */
export const decimalsOf = (currency: string): number => (THREE.includes(currency) ? 3 : NONE.includes(currency) ? 0 : 2)

/** The least amount of so many decimals. */
export const stepOf = (decimals: number): Decimal => ONE / 10n ** BigInt(decimals)

/** The least amount of a currency. */
export const leastOf = (currency: string): Decimal => stepOf(decimalsOf(currency))
