import { bare, fold } from '../../platform/geo/fold.ts'

/** Between two ways to say one thing. */
export const SEVERAL = /[/|\n]|\s[-–—]\s/

/** What is said in passing: `Prix (DA)`. */
const ASIDE = /\([^)]*\)/g
const SMALL = new Set(['de', 'du', 'des', 'd', 'of', 'the'])

/** The words of a header as they are compared: without accents, marks and articles, and without small words between them. */
export function headerWords(header: string): string {
  const words = fold(header.replace(ASIDE, ' ')).split(' ')
  return bare(words.filter((word) => !SMALL.has(word)).join(' '))
}
