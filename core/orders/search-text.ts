import { fold } from '../platform/geo/names/fold.ts'
import { searchPatternsOf } from '../shop/catalog/search-text.ts'

interface Found {
  readonly customerName: string
  readonly customerPhone: string
  readonly customerPhoneAlt: string | null
}

/** What an order is found by: its customer's name, folded, and the digits of his numbers, with a space before and after each word. */
export const wordsOf = ({ customerName, customerPhone, customerPhoneAlt }: Found): string =>
  ` ${fold(`${customerName} ${customerPhone} ${customerPhoneAlt ?? ''}`)} `

const WRITTEN_AS_PHONE = /^\+?[\d\s().\-/]+$/
const PHONE_DIGITS_MIN = 4

/** What an order's words must hold, each for `like`, in one of these ways: as a name, or as the end of a phone number. */
export function waysToFind(q: string): readonly (readonly string[])[] {
  const ending = endOfPhone(q)
  const asName = searchPatternsOf(q).map((pattern) => (NUMBER.test(pattern) ? pattern.replace('%', '% ') : pattern))
  return [asName, ...(ending === null ? [] : [[`%${ending} %`]])].filter((patterns) => patterns.length > 0)
}

/** Begins a word, or it would be found within phone numbers. */
const NUMBER = /^%\d+%$/

/** The digits that a number ends with, however it is written: without what is dialled before it at home, or from abroad. Null for what is none. */
function endOfPhone(q: string): string | null {
  const typed = q.normalize('NFKC').replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 15))
  if (!WRITTEN_AS_PHONE.test(typed.trim())) return null
  const digits = typed.replace(/\(0\)|\D/g, '')
  return digits.length < PHONE_DIGITS_MIN ? null : digits.replace(new RegExp(`^0+(?=\\d{${PHONE_DIGITS_MIN}})`), '')
}
