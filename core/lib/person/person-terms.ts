import { phoneLibrary } from '../phone-library.ts'

/** Texts that identify a person, as they were stored. */
export interface PersonTerms {
  readonly names: readonly string[]
  /** Phone numbers in E.164, or digits as they were typed. */
  readonly phones: readonly string[]
  /** Phone numbers that others may share. They are replaced only in records about the person. */
  readonly otherPhones: readonly string[]
  /** E-mail addresses that others may share. They are replaced only in records about the person. */
  readonly otherEmails: readonly string[]
  readonly emails: readonly string[]
  readonly addresses: readonly string[]
  readonly notes: readonly string[]
  /** Ids, references and tracking numbers of their orders and parcels. */
  readonly ids: readonly string[]
}

const SYNTAX = /[\\^$.*+?()[\]{}|/]/g
const GAP = '(?:[\\s+_\\u00a0.-]|%20|\\\\+[nrt])'
/** Pattern of characters between the digits of a phone number: spaces, direction marks and punctuation. */
const BETWEEN = '(?:[\\s.\\-/()_,+\\u00ad\\u200b-\\u200f\\u2010-\\u2015\\u202a-\\u202f\\u2060-\\u2069]|%20|%2[dDfF]){0,3}'
const ESCAPED_MARKS = new Map([
  ['@', '(?:@|%40|\\\\+u0040)'],
  ['"', '(?:\\\\*"|&quot;|%22)'],
  ['&', '(?:&(?:amp;)?|%26|\\\\+u0026)'],
  ["'", "(?:'|\\\\+u0027|&#0?39;|%27)"],
  ['/', '(?:\\\\*/|%2[fF])'],
  ['+', '(?:\\+|%2[bB]|\\\\+u002[bB])'],
])

const hex = (unit: number) => unit.toString(16).padStart(4, '0')
const codesOf = (text: string) => Array.from({ length: text.length }, (_, at) => `\\\\+u${hex(text.charCodeAt(at))}`).join('')

/** Returns a pattern of one character in every spelling that logs contain: plain, without its accent, escaped in JSON, or URL-encoded. */
function spellCharacter(character: string): string {
  const marked = ESCAPED_MARKS.get(character)
  if (marked) return marked
  const plain = character.replace(SYNTAX, '\\$&')
  if (/^[\x20-\x7e]$/.test(character)) return /[\w.-]/.test(character) ? plain : `(?:${plain}|${encodeURIComponent(character)})`
  const bare = character.normalize('NFD').replace(/\p{M}/gu, '')
  const all = [plain, codesOf(character), encodeURIComponent(character)]
  const accents = bare !== character && bare !== '' ? [`${bare}\\p{M}*`] : []
  return `(?:${[...all, ...accents].join('|')})`
}

/** Returns a pattern of a text in every spelling that logs contain. Any run of white space matches any other. */
export const spellingPattern = (text: string): string =>
  text
    .normalize('NFC')
    .trim()
    .split(/\s+/u)
    .map((word) => [...word].map(spellCharacter).join(''))
    .join(`${GAP}{1,3}`)

const digitOf = (digit: string) => {
  const value = Number(digit)
  return `[${digit}${String.fromCharCode(0x660 + value)}${String.fromCharCode(0x6f0 + value)}]`
}

/**
 * Returns a pattern of a phone number in every notation: international or national, grouped, in digits of another script. Empty if it has
 * fewer than 5 digits.
 */
export function phonePattern(phone: string): string {
  const parsed = phoneLibrary().parsePhoneNumberFromString(phone)
  const national = parsed?.nationalNumber ?? phone.replace(/\D/g, '').replace(/^0+/, '')
  if (national.length < 5) return ''
  const joined = (digits: string) => [...digits].map(digitOf).join(BETWEEN)
  const code = parsed ? joined(parsed.countryCallingCode) : '\\p{Nd}{1,3}'
  const zero = `[0${String.fromCharCode(0x660)}${String.fromCharCode(0x6f0)}]`
  const abroad = `(?:\\+|%2[bB]|\\\\+u002[bB]|${zero}${zero})?${BETWEEN}${code}${BETWEEN}(?:\\(?${zero}\\)?${BETWEEN})?`
  return `(?:%20|(?<!\\p{Nd}))(?:${abroad}|${zero}${BETWEEN})?${joined(national)}(?!\\p{Nd})`
}

/** Returns true if a name of one word is long enough to be found where it fills a name field. */
export const isLoneName = (text: string): boolean => /^\p{L}[\p{L}\p{M}'’-]{2,}$/u.test(text.trim())

/** Returns true if a text is distinctive enough to search for on its own: at least two words and six characters. */
export const isDistinctive = (text: string): boolean => {
  const words = text.trim().split(/\s+/u)
  return words.length > 1 && text.trim().length >= 6
}
