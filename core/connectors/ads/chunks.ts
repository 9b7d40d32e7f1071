/** Splits a list into chunks of at most `most` items. */
export const chunksOf = <V>(all: readonly V[], most: number): V[][] =>
  Array.from({ length: Math.ceil(all.length / most) }, (_, at) => all.slice(at * most, (at + 1) * most))
