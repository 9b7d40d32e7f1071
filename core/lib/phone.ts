import type { CountryCode } from 'libphonenumber-js/max'
import { phoneLibrary } from './phone-library.ts'
import { furtherRanges } from './phone-ranges.ts'

/** Longest text that is parsed as a phone number. */
const TYPED_MAX = 100
/** Digits of the shortest and of the longest number, prefixes included. */
const [DIGITS_MIN, DIGITS_MAX] = [5, 19]

/** Countries without a numbering plan in the library, and the country whose plan they share. */
const sharedPlans: Readonly<Record<string, CountryCode>> = { AQ: 'NF', BV: 'NO', GS: 'FK', HM: 'NF', PN: 'NZ', TF: 'RE', UM: 'US' }

const labelWords =
  'tel|tél|téléphone|telephone|phone|mobile|mob|gsm|whatsapp|num|numéro|numero|n°|no|رقم الهاتف|رقم|الهاتف|هاتف|جوال|موبايل'
const LABEL = new RegExp(`^(?:[\\p{L} .°]{1,24}[:=]|(?:${labelWords})(?![\\p{L}])[.:]?)\\s*`, 'iu')
const CONJUNCTIONS = /(?<![\p{L}])(?:ou|or|et|and|و|او|أو)(?![\p{L}])|&/giu
const INVISIBLE = /[\p{Cf}\p{Mn}'"’`´]/gu
const LINE_BREAKS = /[\r\n\u2028\u2029]+/g
const SPACES = /[^\S\n]|[()[\]{}]/g
const DASHES = /[\p{Pd}\u2212\u2043_~]/gu
const SLASHES = /[/\\|\u00A6\u2044\u2215]/g
const DOTS = /[.\u00B7\u2022\u2219\u22C5\u3002*:]/g
const COMMAS = /[,;،؛٬٫、]/g
/** Number with a decimal part, as spreadsheets write it: `550123456.0`. */
const FLOAT = /^(\d{7,15})\.0+$/
/** Trunk zero in brackets after the country calling code: `+33 (0)6`. */
const BRACKETED_ZERO = /^((?:\+|00)[\d ]{1,4})\(0\)/
const WRITTEN = /^[\d+\-/., \n]+$/

/**
 * Parses the phone numbers of one field as E.164, without duplicates, in order. Accepts all common separators within a number. Numbers may
 * be separated by a slash, a comma, a word, a space or a hyphen. Returns an empty list if any part is not a valid number. `country`: ISO
 * 3166 code, for numbers without a country calling code.
 */
export function parsePhones(typed: string, country: string): string[] {
  const written = normalizeTyped(typed)
  if (written === null) return []
  const whole = validPhone(written, country)
  if (whole) return [whole]
  for (const separator of [/[,\n]+/, /\s*\/\s*/, / - /]) {
    const parts = written.split(separator).filter((part) => part.trim() !== '')
    const numbers = parts.length > 1 && parts.length <= 5 ? parts.map((part) => validPhone(part, country)) : []
    const valid = numbers.filter((number) => number !== null)
    if (valid.length > 0 && valid.length === numbers.length) return [...new Set(valid)]
  }
  return parsePair(written, country)
}

/** Parses one valid number as E.164. Returns null if there is none, or more than one. */
export function normalizePhone(typed: string, country: string): string | null {
  const [only = null, ...others] = parsePhones(typed, country)
  return others.length > 0 ? null : only
}

/**
 * Parses a number to search for. Also accepts an invalid but possible number, since older orders may contain one. Returns null otherwise.
 */
export function parsePossiblePhone(typed: string, country: string): string | null {
  const [first] = parsePhones(typed, country)
  if (first) return first
  const number = parse(normalizeTyped(typed) ?? '', country)
  return number?.isPossible() ? number.number : null
}

/** Parses two numbers without a clear separator. Returns an empty list if several splits are possible. */
function parsePair(written: string, country: string): string[] {
  const tokens = written.match(/\+?\d+/g) ?? []
  const pairs = tokens.slice(1).flatMap((_, at) => {
    const halves = [tokens.slice(0, at + 1).join(' '), tokens.slice(at + 1).join(' ')]
    const numbers = halves.map((half) => validPhone(half, country)).filter((number) => number !== null)
    return numbers.length === 2 ? [{ numbers, isPrefixed: halves.every((half) => /^[0+]/.test(half)) }] : []
  })
  const prefixed = pairs.filter(({ isPrefixed }) => isPrefixed)
  const [only, another] = prefixed.length > 0 ? prefixed : pairs
  return only && !another ? [...new Set(only.numbers)] : []
}

function validPhone(written: string, country: string): string | null {
  const number = parse(written, country)
  if (!number) return null
  const isInUse = furtherRanges[number.countryCallingCode]?.test(number.nationalNumber) === true
  return number.isValid() || isInUse ? number.number : null
}

function parse(written: string, country: string) {
  const text = written.trim()
  const digits = text.replace(/\D/g, '')
  if (text.lastIndexOf('+') > 0 || digits.length < DIGITS_MIN || digits.length > DIGITS_MAX) return undefined
  const number = text.startsWith('+') ? `+${digits}` : digits.startsWith('00') ? `+${digits.slice(2)}` : digits
  const { isSupportedCountry, parsePhoneNumberFromString } = phoneLibrary()
  const region = country.toUpperCase()
  const plan = sharedPlans[region] ?? (isSupportedCountry(region) ? (region as CountryCode) : undefined)
  return parsePhoneNumberFromString(number, plan)
}

/** Reduces a text to digits, `+` and five separators. Returns null if anything else is left, such as a letter O for a zero. */
function normalizeTyped(typed: string): string | null {
  if (typed.length > TYPED_MAX) return null
  const plain = typed
    .normalize('NFKC')
    .replace(/\p{Nd}/gu, digitOf)
    .replace(INVISIBLE, '')
    .replace(LINE_BREAKS, '\n')
    .replace(/^\s*=/, '')
    .trim()
    .replace(LABEL, '')
    .replace(BRACKETED_ZERO, '$1')
    .replace(FLOAT, '$1')
    .replace(CONJUNCTIONS, ',')
    .replace(SPACES, ' ')
    .replace(DASHES, '-')
    .replace(SLASHES, '/')
    .replace(DOTS, '.')
    .replace(COMMAS, ',')
    .replace(/ {2,}/g, ' ')
  return WRITTEN.test(plain) ? plain : null
}

/** Returns the Latin form of a digit. In Unicode the ten digits of every script are contiguous, from zero on. */
function digitOf(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  for (let value = 0; value < 10; value += 1) {
    if (!/\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) return String(value)
  }
  return digit
}
