import { money } from '../../../../plugins/connector/written.ts'
import { decimalsOf } from '../../../lib/currency.ts'

/** From the first digit to the last, and what people write around that: a currency, or `5400.-`. */
const PARTS = /^(\D*)(\d(?:.*\d)?)(\D*)$/su
const BEFORE = /^[\p{L}\p{M}\p{Sc}\s.:]*$/u
const BEHIND = /^[\p{L}\p{M}\p{Sc}\s.,'’()/-]*$/u

/** Digits in threes, or here and there in twos before the last three, all parted alike; behind another mark the decimals. */
const GROUPED = /^(\d{1,3}([ .,])(?:\d{2,3}\2)*\d{3})(?:(?!\2)[.,](\d+))?$/
const ONE_MARK = /^(\d+)[.,](\d+)$/
/** What may be thousands: nobody writes `0.500` or `2500.400` for them. */
const THOUSANDS = /^[1-9]\d{0,2}[.,]\d{3}$/

/**
 * An amount as people write it: `2 500 DA`, `2.500,00`, `٢٥٠٠`. Undefined where it is none, or more than one: nothing is worked out, and no digits
 * are put together that stand apart.
 */
export function amountWritten(written: string, currency: string): string | undefined {
  const [, before = '', digits = '', behind = ''] = PARTS.exec(western(written)) ?? []
  if (!BEFORE.test(before) || !BEHIND.test(behind)) return undefined
  return money(plain(digits.replace(/[\s'’]+/gu, ' '), decimalsOf(currency)))
}

/** One mark with three digits behind it parts thousands, or where the currency has thousandths those. */
function plain(digits: string, decimals: number): string | undefined {
  if (/^\d+$/.test(digits)) return digits
  const [, whole, part] = ONE_MARK.exec(digits) ?? []
  if (whole !== undefined && (decimals === 3 || !THOUSANDS.test(digits))) return `${whole}.${part}`
  const [, grouped, , rest] = GROUPED.exec(digits) ?? []
  return grouped?.replace(/\D/g, '').concat(rest === undefined ? '' : `.${rest}`)
}

/** With Latin digits and marks, and without what turns the direction of a text. */
export const western = (written: string): string =>
  written
    .replace(/\p{Cf}/gu, '')
    .replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 15))
    .replace(/٫/g, '.')
    .replace(/٬/g, "'")
    .trim()
