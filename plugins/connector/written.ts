import { beginning, text, word } from '../toolkit/values.ts'

/** Controls and marks that turn the direction of a text: nobody is shown them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const UNPRINTED = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]+/g

/** What a shop wrote, in one line that can be shown; undefined where nothing is left. */
export function printed(value: unknown, max: number): string | undefined {
  const line = word(value)?.toWellFormed().replace(UNPRINTED, ' ').trim()
  return line ? beginning(line, max) : undefined
}

/** What a customer typed, of whatever length, as it can be kept; empty where that is nothing. */
export const typed = (value: unknown, max: number): string => beginning((word(value) ?? '').toWellFormed().replaceAll('\u0000', ''), max)

/** An amount as an exact decimal: `19.99`, of a text or a number. Undefined where it is none, or below nothing. */
export function money(value: unknown): string | undefined {
  const written = typeof value === 'number' ? plain(value) : text(value)?.trim()
  const [, whole = '', part = ''] = /^\+?0*(\d{1,11})(?:\.(\d*))?$/.exec(written ?? '') ?? []
  if (whole === '') return undefined
  const cents = part.slice(0, 4).replace(/0+$/, '')
  return cents === '' ? whole : `${whole}.${cents}`
}

/**
 * Price of all pieces of a line, rounded to four decimals, where the price of one has more than four: 33.333333333333336 three times is 100.
 * Undefined of any other price, whose product is exact.
 */
export function lineTotal(unitPrice: unknown, quantity: number): string | undefined {
  const written = word(unitPrice)
  const [, whole = '', part = ''] = /^\+?0*(\d{1,11})\.(\d{5,30})$/.exec(written ?? '') ?? []
  if (whole === '') return undefined
  const unit = 10n ** BigInt(part.length)
  const all = BigInt(whole + part) * BigInt(quantity) * 10_000n
  return fromMinor(String((all + unit / 2n) / unit), 4)
}

/** Four decimals, as what is kept has. A float's last digits say nothing. */
const plain = (value: number): string | undefined => (Number.isFinite(value) && value >= 0 && value < 1e11 ? value.toFixed(4) : undefined)

/** An amount in the least unit, as shops show it to browsers: `1999` of two digits is `19.99`. */
export function fromMinor(value: unknown, digits: number): string | undefined {
  const written = word(value)
  if (written === undefined || !/^\d{1,15}$/.test(written) || !Number.isInteger(digits) || digits < 0 || digits > 4) return undefined
  const padded = written.padStart(digits + 1, '0')
  return money(digits === 0 ? padded : `${padded.slice(0, -digits)}.${padded.slice(-digits)}`)
}

/** The host of whatever a person typed in for a shop: an address, with or without scheme, path or port. Undefined where that is none. */
export function hostIn(value: unknown): string | undefined {
  const written = text(value)?.trim() ?? ''
  const url = URL.parse(/^[a-z]+:\/\//i.test(written) ? written : `https://${written}`)
  const host = url?.hostname.toLowerCase().replace(/\.$/, '') ?? ''
  return /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*$/.test(host) ? host : undefined
}
