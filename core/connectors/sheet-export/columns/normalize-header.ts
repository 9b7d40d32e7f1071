import { fold, removeArticles } from '../../../platform/geo/names/fold.ts'

/** Separator between two names of one column. */
export const HEADER_SEPARATOR = /[/|\n]|\s[-–—]\s/

/** Parenthesis in a header: `Prix (DA)`. */
const PARENTHESES = /\([^)]*\)/g
const STOP_WORDS = new Set(['de', 'du', 'des', 'd', 'of', 'the'])

/** Longest header that is normalized, in characters. A longer cell would keep the server busy. */
export const HEADER_MAX = 1_000

/**
 * Normalizes a header for comparison: no accents, punctuation, articles or small words. Returns an empty text for a header that is too
 * long.
 */
export function normalizeHeader(header: string): string {
  if (header.length > HEADER_MAX) return ''
  const words = fold(header.replace(PARENTHESES, ' ')).split(' ')
  return removeArticles(words.filter((word) => !STOP_WORDS.has(word)).join(' '))
}
