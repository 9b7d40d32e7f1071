import { loneNames } from '../lone-names.ts'
import { isDistinctive, type PersonTerms, phonePattern, spellingPattern } from './person-terms.ts'

/** Mark that replaces personal data. */
export const ERASED = '[erased]'

/** Finds people in texts and replaces what identifies them by {@link ERASED}. */
export interface PersonMatcher {
  /** Returns true if a text contains one of their ids. */
  hasId(text: string): boolean
  /** Returns true if a text is certainly about them: it contains an id, a phone number or an e-mail address of theirs. */
  isConnected(text: string): boolean
  /** Returns true if a text contains a full name or an address of theirs that is distinctive. */
  isNamed(text: string): boolean
  /** Replaces personal data in a text. With `isAbout`, also replaces first names and notes alone. */
  scrub(text: string, options: { readonly isAbout: boolean }): string
  /** Replaces personal data in JSON: in every string and, with `isAbout`, in all fields of a customer or a recipient. */
  scrubJson(value: unknown, options: { readonly isAbout: boolean }): unknown
}

const ID = /[\p{L}\p{N}_-]{4,}/gu
const ID_MIN = 6
const WORD_MIN = 2
const NOTE_MIN = 4

const wholeWord = (source: string) => `(?<![\\p{L}\\p{N}])${source}(?![\\p{L}\\p{N}])`
/** Combines patterns into one, longest first, since one may be part of another. */
const anyOf = (sources: Iterable<string>): RegExp | null => {
  const all = [...new Set(sources)].filter(Boolean).sort((a, b) => b.length - a.length)
  return all.length === 0 ? null : new RegExp(all.join('|'), 'giu')
}
const isMatch = (pattern: RegExp | null, text: string) => {
  if (!pattern) return false
  pattern.lastIndex = 0
  return pattern.test(text)
}

/** Fields that hold personal data in any record, and fields whose whole content does. */
const FIELDS = new Set(['phone', 'phoneAlt', 'email', 'address', 'note', 'notes', 'network', 'ip', 'customerName', 'customerPhone'])
const WHOLE = new Set(['customer', 'recipient', 'metadata'])

/** Builds the matcher of a person from their terms. */
export function matcherOf(terms: PersonTerms): PersonMatcher {
  const ids = new Set(terms.ids.filter((id) => id.length >= ID_MIN))
  const emails = terms.emails.map((email) => `(?<![\\w.-])${spellingPattern(email)}(?![\\w-])`)
  const identifying = anyOf([...emails, ...terms.phones.map(phonePattern)])
  const [names, addresses] = [terms.names, terms.addresses].map((all) =>
    all.filter(isDistinctive).map((text) => wholeWord(spellingPattern(text))),
  )
  const named = anyOf([...(names ?? []), ...(addresses ?? [])])
  const oneWordNames = loneNames(terms.names)
  const words = terms.names.flatMap((name) => name.trim().split(/\s+/u)).filter((word) => [...word].length >= WORD_MIN)
  const texts = [...terms.addresses, ...terms.notes].filter((text) => text.trim().length >= NOTE_MIN)
  const weak = anyOf([
    ...terms.otherPhones.map(phonePattern),
    ...[...words, ...texts, ...terms.otherEmails].map((text) => wholeWord(spellingPattern(text))),
  ])

  const hasId = (text: string) => {
    for (const [id] of text.matchAll(ID)) if (ids.has(id)) return true
    return false
  }
  const isConnected = (text: string) => isMatch(identifying, text) || hasId(text)
  const scrub = (text: string, { isAbout }: { readonly isAbout: boolean }) => {
    let left = text
    for (const pattern of isAbout ? [identifying, named, weak] : [identifying, named]) if (pattern) left = left.replace(pattern, ERASED)
    return oneWordNames.isIn(left) ? oneWordNames.replace(left, ERASED) : left
  }

  function scrubJson(value: unknown, { isAbout }: { readonly isAbout: boolean }): unknown {
    if (typeof value === 'string') return scrub(value, { isAbout })
    if (typeof value === 'number') return isMatch(identifying, String(value)) ? ERASED : value
    if (Array.isArray(value)) return scrubList(value, { isAbout })
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, field]) => {
        const name = scrub(key, { isAbout: false })
        if (isAbout && key === 'metadata') return [name, {}]
        if (typeof field === 'string' && oneWordNames.isValue(key, field) && !oneWordNames.isOfAnother(JSON.stringify(value)))
          return [name, ERASED]
        return [name, isAbout && (WHOLE.has(key) || FIELDS.has(key)) ? eraseTexts(field) : scrubJson(field, { isAbout })]
      }),
    )
  }

  /** Scrubs a list. If some items are about the person, the others are treated as records of other people. */
  function scrubList(list: readonly unknown[], { isAbout }: { readonly isAbout: boolean }): unknown[] {
    const about = list.map((each) => isAbout && isConnected(JSON.stringify(each) ?? ''))
    return list.map((each, at) => scrubJson(each, { isAbout: isAbout && (about[at] === true || !about.includes(true)) }))
  }
  return { hasId, isConnected, isNamed: (text) => isMatch(named, text) || oneWordNames.isIn(text), scrub, scrubJson }
}

/** Replaces every text in a value by the mark. Empty texts stay empty. */
function eraseTexts(value: unknown): unknown {
  if (typeof value === 'string') return value === '' ? '' : ERASED
  if (Array.isArray(value)) return value.map(eraseTexts)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, eraseTexts(field)]))
}
