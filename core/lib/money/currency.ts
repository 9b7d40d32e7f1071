import { type Decimal, ONE } from './decimal.ts'

const THREE_DECIMALS = ['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND']
const NO_DECIMALS = ['BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'UYI', 'VND', 'VUV', 'XAF', 'XOF', 'XPF']

/**
 * Returns the number of decimals of a currency's amounts. Source: ISO 4217; browsers round some currencies differently. Other currencies,
 * including codes that ISO does not list, have two.
 */
export const decimalsOf = (currency: string): number => (THREE_DECIMALS.includes(currency) ? 3 : NO_DECIMALS.includes(currency) ? 0 : 2)

/** Returns the smallest amount with so many decimals. */
export const smallestUnitOfDecimals = (decimals: number): Decimal => ONE / 10n ** BigInt(decimals)

/** Returns the smallest amount of a currency. */
export const smallestUnitOf = (currency: string): Decimal => smallestUnitOfDecimals(decimalsOf(currency))
