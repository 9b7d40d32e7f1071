import { RE2JS } from 're2js'

/**
 * What the patterns of one adapter may weigh together, in steps of their programs. They are matched in linear time, over texts of up
 * to 2,000 characters: the worst of this weight was measured at under 50 ms.
 */
const WEIGHT_MAX = 800
const COMPILED_MAX = 500
const compiled = new Map<string, RE2JS>()

/** Throws what RE2 knows of a pattern that is none. */
function compile(pattern: string): RE2JS {
  const known = compiled.get(pattern)
  if (known) return known
  if (compiled.size >= COMPILED_MAX) compiled.clear()
  const fresh = RE2JS.compile(RE2JS.translateRegExp(pattern))
  compiled.set(pattern, fresh)
  return fresh
}

/** Whether the whole text matches. */
export const matchesPattern = (pattern: string, text: string) => compile(pattern).testExact(text)

/** What is wrong with the patterns that are matched for one adapter, by the name of their field; nothing where they can be taken. */
export function patternProblems(patterns: Iterable<readonly [name: string, pattern: string]>): string[] {
  const problems: string[] = []
  let weight = 0
  for (const [name, pattern] of patterns) {
    try {
      weight += compile(pattern).programSize()
    } catch (error) {
      problems.push(`the pattern of ${name} is no regular expression of RE2 (which knows no look-around and no back-references): ${error}`)
    }
  }
  if (weight > WEIGHT_MAX) problems.push(`the patterns of its fields repeat too much, ${weight} steps where ${WEIGHT_MAX} are allowed`)
  return problems
}
