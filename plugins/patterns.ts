import type { RE2JS } from 're2js'
import { lazy } from '../core/lib/lazy.ts'

/** Declares Bun's `require`: adapters are type-checked together with this file, without Bun's types. */
declare function require(name: 're2js'): typeof import('re2js')

const re2 = lazy(() => require('re2js'))

/**
 * Maximum weight of the patterns of one adapter together, in steps of their programs. They match in linear time, over texts of up to 2,000
 * characters. The worst patterns of this weight were measured at under 50 ms.
 */
const WEIGHT_MAX = 800
const COMPILED_MAX = 500
const compiled = new Map<string, RE2JS>()

/** Compiles a pattern, from the cache if possible. Throws the error of RE2 if the pattern is invalid. */
function compile(pattern: string): RE2JS {
  const cached = compiled.get(pattern)
  if (cached) return cached
  if (compiled.size >= COMPILED_MAX) compiled.clear()
  const { RE2JS } = re2()
  const fresh = RE2JS.compile(RE2JS.translateRegExp(pattern))
  compiled.set(pattern, fresh)
  return fresh
}

/** Returns true if the whole text matches the pattern. */
export const matchesPattern = (pattern: string, text: string) => compile(pattern).testExact(text)

/** Returns the problems of the patterns of one adapter, each with the name of its field; empty if all are valid and light enough. */
export function patternProblems(patterns: Iterable<readonly [name: string, pattern: string]>): string[] {
  const problems: string[] = []
  let weight = 0
  for (const [name, pattern] of patterns) {
    try {
      weight += compile(pattern).programSize()
    } catch (error) {
      problems.push(`the pattern of ${name} is not a valid RE2 expression (RE2 has no look-around and no back-references): ${error}`)
    }
  }
  if (weight > WEIGHT_MAX) problems.push(`the patterns of its fields are too complex: ${weight} steps where ${WEIGHT_MAX} are allowed`)
  return problems
}
