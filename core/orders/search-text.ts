import { fold } from '../platform/geo/names/fold.ts'
import { searchPatternsOf } from '../shop/catalog/search-text.ts'

interface SearchableOrder {
  readonly customerName: string
  readonly customerPhone: string
  readonly customerPhoneAlt: string | null
}

/** Search text of an order: the folded name of the customer and the digits of both phone numbers, each word between spaces. */
export const orderSearchTextOf = ({ customerName, customerPhone, customerPhoneAlt }: SearchableOrder): string =>
  ` ${fold(`${customerName} ${customerPhone} ${customerPhoneAlt ?? ''}`)} `

const WRITTEN_AS_PHONE = /^\+?[\d\s().\-/]+$/
/** Fewest digits of a phone number that it is found by. */
export const PHONE_END_MIN = 4

/**
 * Alternative sets of `like` patterns for a query: as words of a name, or as the end of a phone number. All patterns of one set must match.
 */
export function orderSearchPatterns(q: string): readonly (readonly string[])[] {
  const ending = phoneEndOf(q)
  const asName = searchPatternsOf(q).map((pattern) => (NUMBER.test(pattern) ? pattern.replace('%', '% ') : pattern))
  return [asName, ...(ending === null ? [] : [[`%${ending} %`]])].filter((patterns) => patterns.length > 0)
}

/** Matches a pattern of digits only. Such a pattern must match the start of a word, else it matches within phone numbers. */
const NUMBER = /^%\d+%$/

/**
 * Returns the digits of a phone number without leading zeros and punctuation, since numbers are stored with their country. Null for a text
 * that is not written as a phone number, and for fewer than four digits.
 */
export function phoneEndOf(q: string): string | null {
  const typed = q.normalize('NFKC').replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 15))
  if (!WRITTEN_AS_PHONE.test(typed.trim())) return null
  const digits = typed.replace(/\(0\)|\D/g, '')
  return digits.length < PHONE_END_MIN ? null : digits.replace(new RegExp(`^0+(?=\\d{${PHONE_END_MIN}})`), '')
}
