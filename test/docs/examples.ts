import { withoutCode } from './pages.ts'

/** One fenced block of a page. */
export interface Block {
  readonly language: string
  readonly code: string
}

/** Fenced blocks of a page in their order. */
const blocksOf = (text: string): Block[] =>
  [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = '', code = '']) => ({ language, code }))

/** A block of shell, and the JSON that the page shows as a part of what it prints. */
export interface Step {
  readonly code: string
  readonly shows: unknown
}

/** Blocks of `bash` in their order, each with the block of `json` that follows it. */
export function stepsOf(text: string): Step[] {
  const blocks = blocksOf(text)
  return blocks.flatMap(({ language, code }, at) => {
    if (language !== 'bash') return []
    const next = blocks[at + 1]
    return [{ code, shows: next?.language === 'json' ? JSON.parse(next.code) : undefined }]
  })
}

/** Blocks that call the server and are no `bash`: nothing would run them. */
export const unmarked = (text: string) =>
  blocksOf(text).filter(({ language, code }) => language !== 'bash' && /^\s*curl /m.test(code)).length +
  [...withoutCode(text).matchAll(/^ {4,}curl /gm)].length

/** Ids, times and tokens, which are others each time. */
const CHANGES = /^([a-z]{2,5}_[0-9a-z]{20,}|\d{4}-\d\d-\d\dT.*|SBX\d+|.*…)$/

/** Says where `given` does not contain what the page shows: the same fields with the same values, but for ids and times. */
export function difference(shown: unknown, given: unknown, place = '$'): string | null {
  if (Array.isArray(shown)) {
    if (!Array.isArray(given)) return `${place} is no list`
    return shown.map((one, at) => difference(one, given[at], `${place}[${at}]`)).find(Boolean) ?? null
  }
  if (shown !== null && typeof shown === 'object') {
    if (given === null || typeof given !== 'object') return `${place} is no object`
    const fields = Object.entries(shown).map(([key, one]) => difference(one, (given as Record<string, unknown>)[key], `${place}.${key}`))
    return fields.find(Boolean) ?? null
  }
  if (typeof shown === 'string' && CHANGES.test(shown)) return typeof given === 'string' ? null : `${place} is no text`
  return shown === given ? null : `${place} is ${JSON.stringify(given)}, not ${JSON.stringify(shown)}`
}
