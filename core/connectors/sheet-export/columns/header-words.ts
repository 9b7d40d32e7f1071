import { fold, removeArticles } from '../../../platform/geo/names/fold.ts'

/** Between two ways to say one thing. */
export const SEVERAL = /[/|\n]|\s[-–—]\s/

/** What is said in passing: `Prix (DA)`. */
const ASIDE = /\([^)]*\)/g
const SMALL = new Set(['de', 'du', 'des', 'd', 'of', 'the'])

/** Longest header that is understood: a cell may be long enough to keep the server busy. */
export const HEADER_MAX = 1_000

/** Returns the words of a header as they are compared: without accents, marks and articles, and without small words. Empty for a long text. */
export function headerWords(header: string): string {
  if (header.length > HEADER_MAX) return ''
  const words = fold(header.replace(ASIDE, ' ')).split(' ')
  return removeArticles(words.filter((word) => !SMALL.has(word)).join(' '))
}
