import { text } from '../../toolkit/values.ts'
import type { Prices } from '../model.ts'

const EXACT = /^(0|[1-9]\d{0,11})(\.\d{1,18})?$/
/** Digits of a float after the point that are meaningful. */
const FLOAT_DIGITS = 15
const PER_MILLION = 6

/** Reads a cost from a number or a text as an exact decimal; undefined if it is invalid. */
export function costIn(value: unknown): string | undefined {
  const written = typeof value === 'number' && value >= 0 && value < 1e12 ? value.toFixed(FLOAT_DIGITS) : text(value)?.trim()
  if (written === undefined || !EXACT.test(written)) return undefined
  return written.includes('.') ? written.replace(/\.?0+$/, '') : written
}

/** Divides a price per million by a million: `0.25` gives `0.00000025`. Undefined if it is not a price. */
export function perMillion(value: string): string | undefined {
  const [, whole = '', part = ''] = /^(\d{1,9})(?:\.(\d{1,9}))?$/.exec(value) ?? []
  if (whole === '') return undefined
  const digits = whole.padStart(PER_MILLION + 1, '0')
  return costIn(`${digits.slice(0, -PER_MILLION).replace(/^0+(?=\d)/, '')}.${digits.slice(-PER_MILLION)}${part}`)
}

/**
 * Parses prices that a user entered. Each line has a model's id and its prices per million input and output tokens. Invalid lines are
 * skipped.
 */
export function pricesByLine(lines = ''): ReadonlyMap<string, Prices> {
  const found = lines.split(/[\n;]/).flatMap((line): [string, Prices][] => {
    const [name = '', input = '', output = ''] = line.trim().split(/\s+/)
    const [inputToken, outputToken] = [perMillion(input), perMillion(output)]
    return inputToken === undefined || outputToken === undefined ? [] : [[name, { inputToken, outputToken }]]
  })
  return new Map(found)
}
