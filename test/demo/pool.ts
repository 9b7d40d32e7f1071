/** Runs `work` for each item, at most `width` at once. Returns the results in the order of the items. */
export async function pool<I, R>(items: readonly I[], width: number, work: (item: I, at: number) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  let next = 0
  const worker = async () => {
    while (next < items.length) {
      const at = next++
      results[at] = await work(items[at]!, at)
    }
  }
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker))
  return results
}

export const chunks = <I>(items: readonly I[], size: number): I[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size))

/** Polls until a condition holds. Returns false if it does not hold in time. */
export async function eventually(holds: () => Promise<boolean>, seconds: number): Promise<boolean> {
  for (const until = Date.now() + seconds * 1000; Date.now() < until; await Bun.sleep(150)) if (await holds()) return true
  return holds()
}
