import { fold } from '../../platform/geo/names/fold.ts'

const LENGTH_MAX = 2000
/** Words of one search; what comes after says little more. */
const TOKENS_MAX = 8

interface Named {
  readonly name: string
  readonly sku: string | null
  readonly vendor: string | null
  readonly tags: readonly string[]
  readonly variants: readonly { readonly name: string; readonly sku: string | null }[]
}

/** What a product is found by: folded, with a space before each word. */
export function wordsOf({ name, sku, vendor, tags, variants }: Named): string {
  const said = [name, sku, vendor, ...tags, ...variants.flatMap((variant) => [variant.sku, variant.name])]
  const words = fold(said.filter(Boolean).join(' ')).split(' ')
  return ` ${[...new Set(words)].join(' ')}`.slice(0, LENGTH_MAX)
}

/** What a product's words must hold, each for `like`: one or two letters begin a word, more are anywhere in one. */
export const patternsOf = (q: string): string[] =>
  fold(q)
    .split(' ')
    .filter(Boolean)
    .slice(0, TOKENS_MAX)
    .map((token) => ([...token].length > 2 ? `%${token}%` : `% ${token}%`))
