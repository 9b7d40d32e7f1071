import { parsePhoneNumberFromString } from 'libphonenumber-js/min'
import { isDistinctive, isLoneName, type PersonTerms } from './person-terms.ts'

/**
 * Texts of which a row has one if it may be about a person: a quick look that a database can do. `texts`: in lower case. `digits`: of phone
 * numbers, to be looked for in the row's digits alone. `ids`: as they are.
 */
export interface PersonLiterals {
  readonly texts: readonly string[]
  readonly digits: readonly string[]
  readonly ids: readonly string[]
}

/** More of them are slower to look for in the database than all rows are to read. */
const LITERALS_MAX = 60
const RUN_MIN = 3
const ID_MIN = 6
const DIGITS_MIN = 5

/** Literals of people; null where there are too many, or where a term has none that stands in all its spellings. */
export function literalsOf(terms: PersonTerms): PersonLiterals | null {
  const named = [...[...terms.names, ...terms.addresses].filter(isDistinctive), ...terms.names.filter(isLoneName)]
  const texts = [...named, ...terms.emails].map(literalsOfText)
  const digits = terms.phones.map(
    (phone) => parsePhoneNumberFromString(phone)?.nationalNumber ?? phone.replace(/\D/g, '').replace(/^0+/, ''),
  )
  const ids = terms.ids.filter((id) => id.length >= ID_MIN && /^[\p{L}\p{N}_-]+$/u.test(id))
  if (texts.length + digits.length + ids.length > LITERALS_MAX) return null
  if (texts.includes(null)) return null
  return { texts: texts.flatMap((all) => all ?? []), digits: digits.filter((all) => all.length >= DIGITS_MIN), ids }
}

/** Longest run of plain letters, which every spelling keeps; else one letter without case and accent, in its three spellings. */
function literalsOfText(text: string): string[] | null {
  const clean = text.normalize('NFC').toLowerCase()
  const [run = ''] = (clean.match(/[a-z0-9]+/g) ?? []).sort((a, b) => b.length - a.length)
  if (run.length >= RUN_MIN) return [run]
  const letter = [...clean].find((each) => each > '\u007f' && each.length === 1 && /^\p{Lo}$/u.test(each) && each.normalize('NFD') === each)
  if (letter === undefined) return null
  return [letter, `u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`, encodeURIComponent(letter).toLowerCase()]
}
