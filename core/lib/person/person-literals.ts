import { phoneLibrary } from '../phone-library.ts'
import { isDistinctive, isLoneName, type PersonTerms } from './person-terms.ts'

/**
 * Texts of which a row contains at least one if it may be about a person. A database can check them quickly. `texts` are in lower case.
 * `digits` are parts of phone numbers, compared with the row's digits only. `ids` are compared as they are.
 */
export interface PersonLiterals {
  readonly texts: readonly string[]
  readonly digits: readonly string[]
  readonly ids: readonly string[]
}

/** Maximum number of literals. Searching for more is slower than reading all rows. */
const LITERALS_MAX = 60
const RUN_MIN = 3
const ID_MIN = 6
const DIGITS_MIN = 5

/** Returns the literals of a person. Null if there are too many, or if a term has no text that all its spellings share. */
export function literalsOf(terms: PersonTerms): PersonLiterals | null {
  const named = [...[...terms.names, ...terms.addresses].filter(isDistinctive), ...terms.names.filter(isLoneName)]
  const texts = [...named, ...terms.emails].map(literalsOfText)
  const digits = terms.phones.map(
    (phone) => phoneLibrary().parsePhoneNumberFromString(phone)?.nationalNumber ?? phone.replace(/\D/g, '').replace(/^0+/, ''),
  )
  const ids = terms.ids.filter((id) => id.length >= ID_MIN && /^[\p{L}\p{N}_-]+$/u.test(id))
  if (texts.length + digits.length + ids.length > LITERALS_MAX) return null
  if (texts.includes(null)) return null
  return { texts: texts.flatMap((all) => all ?? []), digits: digits.filter((all) => all.length >= DIGITS_MIN), ids }
}

/**
 * Returns the longest run of plain letters, which every spelling keeps. Otherwise returns one letter without case and accent in its three
 * spellings. Null if there is neither.
 */
function literalsOfText(text: string): string[] | null {
  const clean = text.normalize('NFC').toLowerCase()
  const [run = ''] = (clean.match(/[a-z0-9]+/g) ?? []).sort((a, b) => b.length - a.length)
  if (run.length >= RUN_MIN) return [run]
  const letter = [...clean].find((each) => each > '\u007f' && each.length === 1 && /^\p{Lo}$/u.test(each) && each.normalize('NFD') === each)
  if (letter === undefined) return null
  return [letter, `u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`, encodeURIComponent(letter).toLowerCase()]
}
