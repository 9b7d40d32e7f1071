import { text } from '../toolkit/values.ts'

const AMOUNT = /^\d{1,15}(\.\d{1,6})?$/

const textOf = (value: unknown) => (typeof value === 'number' ? String(value) : text(value))

/** Reads an amount in the major unit as exact text; undefined if it is invalid. */
export function majorAmount(value: unknown): string | undefined {
  const written = textOf(value)
  return written !== undefined && AMOUNT.test(written) ? written : undefined
}

/**
 * Converts an amount in the minor unit to the major unit, as exact text. `places` is the number of decimals of the currency. Undefined if
 * it is invalid.
 */
export function majorOfMinor(value: unknown, places: number): string | undefined {
  const written = textOf(value)
  if (written === undefined || !/^\d{1,15}$/.test(written)) return undefined
  const digits = written.padStart(places + 1, '0')
  const whole = digits.slice(0, digits.length - places).replace(/^0+(?=\d)/, '')
  return places === 0 ? whole : `${whole}.${digits.slice(-places)}`
}
