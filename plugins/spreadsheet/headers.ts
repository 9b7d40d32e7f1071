/** Compares two headers as people do: case, accents, and surrounding or repeated spaces do not matter. */
export const sameHeader = (one: string, other: string): boolean => foldHeader(one) === foldHeader(other)

/** Maximum length of a header that is normalized, so that a huge cell cannot block the server. */
const FOLDED_MAX = 1_000

/** Normalizes a header for comparison: lower case, without accents, single spaces. */
export const foldHeader = (header: string): string => (header.length > FOLDED_MAX ? header : normalize(header))

const normalize = (header: string): string =>
  header
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[\s_]+/g, ' ')
    .trim()
    .toLowerCase()

/** Returns the index of a header, the first one if it occurs twice; -1 if it is missing. */
export function placeOf(headers: readonly string[], header: string): number {
  const folded = foldHeader(header)
  return headers.findIndex((one) => foldHeader(one) === folded)
}
