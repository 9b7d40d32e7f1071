import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min'

const ARABIC_DIGITS = /[٠-٩۰-۹]/g
const SEPARATORS = /[/,;|\n]| - | ou | or | et | و /i

/** What people type, to E.164; null where it is no possible number. */
export function normalizePhone(typed: string, country: string): string | null {
  const region = country.toUpperCase()
  if (!isSupportedCountry(region)) return null
  const digits = typed.replace(ARABIC_DIGITS, (digit) => String(digit.charCodeAt(0) & 15)).trim()
  const number = parsePhoneNumberFromString(withoutTrunkNoise(digits), region as CountryCode)
  return number?.isPossible() ? number.number : null
}

/** Several numbers in one cell, in order. */
export const splitPhones = (typed: string) =>
  typed
    .split(SEPARATORS)
    .map((part) => part.trim())
    .filter(Boolean)

/** What begins with two zeros is international. A number that lost its plus, as in spreadsheets, the library knows by its country. */
const withoutTrunkNoise = (digits: string) => (digits.startsWith('00') ? `+${digits.slice(2)}` : digits)
