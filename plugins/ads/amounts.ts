import { text } from '../toolkit/values.ts'

const AMOUNT = /^\d{1,15}(\.\d{1,6})?$/

const writtenIn = (value: unknown) => (typeof value === 'number' ? String(value) : text(value))

/** An amount in the major unit, exactly as it is written. Undefined where it is none. */
export function majorAmount(value: unknown): string | undefined {
  const written = writtenIn(value)
  return written !== undefined && AMOUNT.test(written) ? written : undefined
}

/** An amount in the least unit of its currency, of which so many `places` make one major unit. */
export function majorOfMinor(value: unknown, places: number): string | undefined {
  const written = writtenIn(value)
  if (written === undefined || !/^\d{1,15}$/.test(written)) return undefined
  const digits = written.padStart(places + 1, '0')
  const whole = digits.slice(0, digits.length - places).replace(/^0+(?=\d)/, '')
  return places === 0 ? whole : `${whole}.${digits.slice(-places)}`
}
