/** Runs `work` on each item, `atOnce` at a time. Returns the results in the order of the items. */
export async function mapConcurrent<V, R>(all: readonly V[], atOnce: number, work: (one: V) => Promise<R>): Promise<R[]> {
  const answers: R[] = []
  for (let at = 0; at < all.length; at += atOnce) answers.push(...(await Promise.all(all.slice(at, at + atOnce).map(work))))
  return answers
}
