import { text } from '../../toolkit/values.ts'
import type { Prices } from '../model.ts'

const EXACT = /^(0|[1-9]\d{0,11})(\.\d{1,18})?$/
/** A float's digits beyond these say nothing. */
const FLOAT_DIGITS = 15
const PER_MILLION = 6

/** A cost that was written as a number or as a text, as an exact decimal; undefined where it is none. */
export function costIn(value: unknown): string | undefined {
  const written = typeof value === 'number' && value >= 0 && value < 1e12 ? value.toFixed(FLOAT_DIGITS) : text(value)?.trim()
  if (written === undefined || !EXACT.test(written)) return undefined
  return written.includes('.') ? written.replace(/\.?0+$/, '') : written
}

/** What one costs where a million cost so much: `0.25` is `0.00000025`. Undefined where that is no price. */
export function perMillion(value: string): string | undefined {
  const [, whole = '', part = ''] = /^(\d{1,9})(?:\.(\d{1,9}))?$/.exec(value) ?? []
  if (whole === '') return undefined
  const digits = whole.padStart(PER_MILLION + 1, '0')
  return costIn(`${digits.slice(0, -PER_MILLION).replace(/^0+(?=\d)/, '')}.${digits.slice(-PER_MILLION)}${part}`)
}

/** Prices that a person typed in: a model a line, its name, and what a million tokens cost that come in and that go out. */
export function pricesByLine(lines = ''): ReadonlyMap<string, Prices> {
  const found = lines.split(/[\n;]/).flatMap((line): [string, Prices][] => {
    const [name = '', input = '', output = ''] = line.trim().split(/\s+/)
    const [inputToken, outputToken] = [perMillion(input), perMillion(output)]
    return inputToken === undefined || outputToken === undefined ? [] : [[name, { inputToken, outputToken }]]
  })
  return new Map(found)
}
