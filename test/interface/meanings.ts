import type { Document } from '../support/openapi.ts'

/** Meaning of one value of an enum, as the document shows it. */
export interface ShownMeaning {
  readonly path: string
  readonly value: string
  readonly meaning: string
  /** Meanings of the other values of the same enum. */
  readonly others: readonly string[]
}

const DATA = new Set(['enum', 'example', 'examples', 'default', 'required'])
const LINE = /^- `([^`]+)`: (.*)$/gm

/** Lists every meaning of a value in the document. */
export function meaningsIn(document: Document): ShownMeaning[] {
  const found: ShownMeaning[] = []
  const visit = (node: unknown, path: string): void => {
    if (Array.isArray(node)) for (const [at, one] of node.entries()) visit(one, `${path}/${at}`)
    if (node === null || typeof node !== 'object' || Array.isArray(node)) return
    const { enum: values, schema, description } = node as { enum?: unknown[]; schema?: { enum?: unknown[] }; description?: unknown }
    // Of a parameter, the meanings stand beside its schema.
    if ((values ?? schema) && typeof description === 'string') {
      const lines = [...description.matchAll(LINE)].map(([, value = '', meaning = '']) => ({ value, meaning }))
      for (const { value, meaning } of lines)
        found.push({ path, value, meaning, others: lines.flatMap((one) => (one.value === value ? [] : [one.meaning])) })
    }
    for (const [key, one] of Object.entries(node)) if (!DATA.has(key)) visit(one, `${path}/${key}`)
  }
  visit(document, '')
  return found
}

const WORDS_MAX = 25
/** Words that a meaning needs beyond those of its value. */
const NEW_WORDS_MIN = 3
const STEM = 5

const EMPTY = new Set(
  'a an and are as at be been by can do does for from has have in into is it its no not of on or so than that the then there they this to was were will with status state value kind type code'.split(
    ' ',
  ),
)

const wordsOf = (text: string) =>
  (text.replace(/([a-z])([A-Z])/g, '$1 $2').match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => word.toLowerCase())
const stemOf = (word: string) => word.slice(0, STEM)

/** Returns what is wrong with a meaning, or undefined: it must be a sentence that says more than its value. */
export function problemOfMeaning({ value, meaning, others }: ShownMeaning): string | undefined {
  const known = new Set(wordsOf(value).map(stemOf))
  const added = new Set(wordsOf(meaning).filter((word) => !EMPTY.has(word) && !known.has(stemOf(word))))
  if (added.size < NEW_WORDS_MIN) return 'it only repeats its value'
  if (meaning.split(/\s+/).length > WORDS_MAX) return `it has more than ${WORDS_MAX} words`
  if (!/^[\p{Lu}\p{N}`]/u.test(meaning) || !meaning.endsWith('.')) return 'it is no whole sentence'
  return others.includes(meaning) ? 'another value has the same' : undefined
}
