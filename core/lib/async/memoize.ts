/**
 * Returns a function that runs `work` once for all who call at the same time, and keeps the result for `lifeMs` milliseconds after it came.
 * A failure reaches those who waited for it, and is not kept.
 */
export function memoize<Value>(work: () => Promise<Value>, { lifeMs }: { readonly lifeMs: number }): () => Promise<Value> {
  let running: Promise<Value> | undefined
  let kept: { readonly value: Value; readonly until: number } | undefined
  const run = async () => {
    try {
      const value = await work()
      kept = { value, until: performance.now() + lifeMs }
      return value
    } finally {
      running = undefined
    }
  }
  return async () => {
    if (kept && performance.now() < kept.until) return kept.value
    running ??= run()
    return running
  }
}
