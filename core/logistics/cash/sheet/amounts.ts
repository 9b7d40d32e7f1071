import { type Decimal, parseDecimal } from '../../../lib/decimal.ts'
import { plainDigits } from './text.ts'

/** How a currency is written beside an amount, besides its code. */
const marks: Readonly<Record<string, string>> = {
  DZD: 'da|dinars?(?:\\s+algériens?)?|د\\.?\\s?ج\\.?|دينار(?:\\s+جزائري)?',
  MAD: 'dhs?|dirhams?|د\\.?\\s?م\\.?|درهم',
  TND: 'dt|dinars?|د\\.?\\s?ت\\.?|دينار',
  EGP: 'le|l\\.e\\.?|ج\\.?\\s?م\\.?|جنيه',
  SAR: 'ر\\.?\\s?س\\.?|ريال',
  XOF: 'f?\\s?cfa',
  XAF: 'f?\\s?cfa',
  EUR: '€|euros?',
  USD: '\\$',
}
const patterns = new Map<string, RegExp>()
function around(currency: string): RegExp {
  const known = patterns.get(currency)
  if (known) return known
  const mark = `(?:${currency.replace(/[^\p{L}]/gu, '')}${marks[currency] ? `|${marks[currency]}` : ''})`
  const pattern = new RegExp(`^\\s*${mark}\\s*|\\s*${mark}\\.?\\s*$`, 'giu')
  patterns.set(currency, pattern)
  return pattern
}
const OTHERS = /[€$£]|\b(?:DZD|MAD|TND|EGP|SAR|AED|XOF|XAF|EUR|USD|GBP)\b/giu

/** Whether a heading names a currency, and not this one. */
export const isOtherCurrency = (heading: string, currency: string) =>
  (heading.match(OTHERS) ?? []).some((mark) => mark.replace(around(currency), '') !== '')
const SIGNED = /^([-−+(]?)\s*(.*?)\s*([-−)]?)$/su
/** What separates thousands and nothing else. */
const SPACES = /[\s\u00a0\u202f'’٬]/gu
/** Longer than an amount is ever written; what reads it takes time by the square of its length. */
const WRITTEN_MAX = 60
/** The currencies whose unit has a thousand parts. */
const THREE_PLACES: readonly string[] = ['TND', 'LYD', 'KWD', 'BHD', 'OMR', 'JOD', 'IQD']

/**
 * An amount as people and spreadsheets write it: `1 234,56 DA`, `1.234,56`, `1,234.56`, `٢٥٠٠`, `(250)`. Null where it is none, or
 * could be two, or is of another currency: one separator before three digits is one of thousands, unless the currency has three decimals.
 */
export function readAmount(written: string, currency: string): Decimal | null {
  if (written.length > WRITTEN_MAX) return null
  const [, before = '', body = '', after = ''] = SIGNED.exec(plainDigits(written.trim()).replace(around(currency), '').trim()) ?? []
  const number = body.replace(around(currency), '').replaceAll('٫', '.').replaceAll('،', ',').replace(SPACES, ' ')
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
  // A separator before nothing is no point: `5,-` says five, and would be read as less than none.
  if (!/^\d*$/.test(fraction) || (point >= 0 && fraction === '') || !/^\d+$/.test(digits) || (digits !== whole && !grouped)) return null
  return fraction === '' ? digits : `${digits}.${fraction}`
}

/** Where the fraction begins; -1 where there is none. */
function decimalPoint(written: string, threePlaces: boolean): number {
  const last = Math.max(written.lastIndexOf('.'), written.lastIndexOf(','))
  if (last < 0) return -1
  const separator = written.charAt(last)
  const other = separator === '.' ? ',' : '.'
  if (written.indexOf(separator) !== last) return -1
  if (written.includes(other) || written.includes(' ')) return last
  const [before, after] = [written.slice(0, last), written.slice(last + 1)]
  return after.length === 3 && before.length <= 3 && before !== '0' && !threePlaces ? -1 : last
}
