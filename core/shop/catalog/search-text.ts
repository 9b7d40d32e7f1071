import { fold } from '../../platform/geo/names/fold.ts'

const LENGTH_MAX = 2000
/** Words of a search that are used; the others are ignored. */
const TOKENS_MAX = 8

interface SearchableProduct {
  readonly name: string
  readonly sku: string | null
  readonly vendor: string | null
  readonly tags: readonly string[]
  readonly variants: readonly { readonly name: string; readonly sku: string | null }[]
}

/** Returns the text that a product is searched by: folded words, each once and with a space before it, cut at {@link LENGTH_MAX}. */
export function searchTextOf({ name, sku, vendor, tags, variants }: SearchableProduct): string {
  const texts = [name, sku, vendor, ...tags, ...variants.flatMap((variant) => [variant.sku, variant.name])]
  const words = fold(texts.filter(Boolean).join(' ')).split(' ')
  return ` ${[...new Set(words)].join(' ')}`.slice(0, LENGTH_MAX)
}

/**
 * Converts a search into `like` patterns that must all match. One or two letters match the beginning of a word, more match anywhere in it.
 */
export const searchPatternsOf = (q: string): string[] =>
  fold(q)
    .split(' ')
    .filter(Boolean)
    .slice(0, TOKENS_MAX)
    .map((token) => ([...token].length > 2 ? `%${token}%` : `% ${token}%`))
