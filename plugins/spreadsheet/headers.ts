/** Headers are the same where people would say so: case, accents and spaces at the ends do not count. */
export const sameHeader = (one: string, other: string): boolean => foldHeader(one) === foldHeader(other)

/** Longest header that is folded: a cell may be long enough to keep the server busy. */
const FOLDED_MAX = 1_000

export const foldHeader = (header: string): string => (header.length > FOLDED_MAX ? header : folded(header))

const folded = (header: string): string =>
  header
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[\s_]+/g, ' ')
    .trim()
    .toLowerCase()

/** The place of a header, the first where it stands twice; -1 where it does not stand. */
export function placeOf(headers: readonly string[], header: string): number {
  const folded = foldHeader(header)
  return headers.findIndex((one) => foldHeader(one) === folded)
}
