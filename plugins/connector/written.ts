import { beginning, text, word } from '../toolkit/values.ts'

/** Control characters, and marks that change the direction of a text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]+/g

/** Converts a text of a shop to one line for display, at most `max` characters; undefined if nothing remains. */
export function printed(value: unknown, max: number): string | undefined {
  const line = word(value)?.toWellFormed().replace(CONTROL_CHARACTERS, ' ').trim()
  return line ? beginning(line, max) : undefined
}

/** Converts a customer's input to a text that can be stored, at most `max` characters; empty if there is none. */
export const typed = (value: unknown, max: number): string => beginning((word(value) ?? '').toWellFormed().replaceAll('\u0000', ''), max)

/** Parses an amount as an exact decimal (`19.99`) from a text or a number. Undefined if it is invalid or negative. */
export function money(value: unknown): string | undefined {
  const written = typeof value === 'number' ? plain(value) : text(value)?.trim()
  const [, whole = '', part = ''] = /^\+?0*(\d{1,11})(?:\.(\d*))?$/.exec(written ?? '') ?? []
  if (whole === '') return undefined
  const cents = part.slice(0, 4).replace(/0+$/, '')
  return cents === '' ? whole : `${whole}.${cents}`
}

/**
 * Computes the price of all pieces, rounded to four decimals, if the price of one has more: 3 times 33.333333333333336 is 100. Undefined
 * for any other price, whose product is exact.
 */
export function lineTotal(unitPrice: unknown, quantity: number): string | undefined {
  const written = word(unitPrice)
  const [, whole = '', part = ''] = /^\+?0*(\d{1,11})\.(\d{5,30})$/.exec(written ?? '') ?? []
  if (whole === '') return undefined
  const unit = 10n ** BigInt(part.length)
  const all = BigInt(whole + part) * BigInt(quantity) * 10_000n
  return fromMinor(String((all + unit / 2n) / unit), 4)
}

/** Formats a number with four decimals, as many as are stored. The last digits of a float are meaningless. */
const plain = (value: number): string | undefined => (Number.isFinite(value) && value >= 0 && value < 1e11 ? value.toFixed(4) : undefined)

/** Converts an amount in the minor unit: `1999` with two digits is `19.99`. Undefined if it is invalid. */
export function fromMinor(value: unknown, digits: number): string | undefined {
  const written = word(value)
  if (written === undefined || !/^\d{1,15}$/.test(written) || !Number.isInteger(digits) || digits < 0 || digits > 4) return undefined
  const padded = written.padStart(digits + 1, '0')
  return money(digits === 0 ? padded : `${padded.slice(0, -digits)}.${padded.slice(-digits)}`)
}

/** Extracts the host from a user's input for a shop: an address with or without scheme, path or port. Undefined if it is invalid. */
export function hostIn(value: unknown): string | undefined {
  const written = text(value)?.trim() ?? ''
  const url = URL.parse(/^[a-z]+:\/\//i.test(written) ? written : `https://${written}`)
  const host = url?.hostname.toLowerCase().replace(/\.$/, '') ?? ''
  return /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*$/.test(host) ? host : undefined
}
