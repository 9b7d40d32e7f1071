import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min'

const ARABIC_DIGITS = /[٠-٩۰-۹]/g
const SEPARATORS = /[/,;|\n]| - | ou | or | et | و /i

/** What people type, to E.164 (`+213550123456`); null where it is no possible number. */
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

/** `00213…` and a `213…` that lost its plus are international; spreadsheets make the second. */
function withoutTrunkNoise(digits: string): string {
  if (digits.startsWith('00')) return `+${digits.slice(2)}`
  return /^213[567]\d{8}$/.test(digits.replace(/\D/g, '')) && !digits.startsWith('+') ? `+${digits.replace(/\D/g, '')}` : digits
}
