import { type Decimal, parseDecimal } from '../../lib/decimal.ts'
import { plainDigits } from './text.ts'

const CURRENCY = /(?:dzd|da|dinars?|mad|dhs?|tnd|dt|eur|usd|egp|sar|[€$]|د\.?\s?ج\.?|دينار|درهم|د\.?\s?ت\.?)/iu
const AROUND = new RegExp(`^\\s*${CURRENCY.source}\\s*|\\s*${CURRENCY.source}\\.?\\s*$`, 'giu')
const SIGNED = /^([-−+(]?)\s*(.*?)\s*([-−)]?)$/su
/** What separates thousands and nothing else. */
const SPACES = /[\s\u00a0\u202f'’٬]/gu
/** Longer than an amount is ever written; what reads it takes time by the square of its length. */
const WRITTEN_MAX = 60
/** The currencies whose unit has a thousand parts. */
const THREE_PLACES: readonly string[] = ['TND', 'LYD', 'KWD', 'BHD', 'OMR', 'JOD', 'IQD']

/**
 * An amount as people and spreadsheets write it: `1 234,56 DA`, `1.234,56`, `1,234.56`, `٢٥٠٠`, `(250)`. Null where it is none, or
 * could be two: one separator before three digits is one of thousands, unless the currency has three decimals.
 */
export function readAmount(written: string, currency: string): Decimal | null {
  if (written.length > WRITTEN_MAX) return null
  const [, before = '', body = '', after = ''] = SIGNED.exec(plainDigits(written.trim()).replace(AROUND, '').trim()) ?? []
  const number = body.replace(AROUND, '').replaceAll('٫', '.').replaceAll('،', ',').replace(SPACES, ' ')
  const plain = plainNumber(number, THREE_PLACES.includes(currency))
  if (plain === null || (before === '(') !== (after === ')')) return null
  const value = parseDecimal(plain)
  if (value === null) return null
  return /[-−(]/.test(before + after) ? -value : value
}

/** Digits with a point, or null. */
function plainNumber(written: string, threePlaces: boolean): string | null {
  const point = decimalPoint(written, threePlaces)
  const whole = point < 0 ? written : written.slice(0, point)
  const fraction = point < 0 ? '' : written.slice(point + 1)
  const digits = whole.replace(/[ .,]/g, '')
  const grouped = /^\d{1,3}([ .,])\d{3}(?:\1\d{3})*$/.test(whole)
  if (!/^\d*$/.test(fraction) || !/^\d+$/.test(digits) || (digits !== whole && !grouped)) return null
  return fraction === '' ? digits : `${digits}.${fraction}`
}

/** Where the fraction begins; -1 where there is none. */
function decimalPoint(written: string, threePlaces: boolean): number {
  const last = Math.max(written.lastIndexOf('.'), written.lastIndexOf(','))
  if (last < 0) return -1
  const separator = written[last]!
  const other = separator === '.' ? ',' : '.'
  if (written.indexOf(separator) !== last) return -1
  if (written.includes(other) || written.includes(' ')) return last
  const [before, after] = [written.slice(0, last), written.slice(last + 1)]
  return after.length === 3 && before.length <= 3 && before !== '0' && !threePlaces ? -1 : last
}
