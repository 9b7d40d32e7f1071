/** Returns a function that shares one running `work` among all who call meanwhile. Who calls later starts it again. */
export function shareRunning<Value>(work: () => Promise<Value>): () => Promise<Value> {
  let running: Promise<Value> | undefined
  return () => {
    running ??= work().finally(() => {
      running = undefined
    })
    return running
  }
}

/** Returns a function that does `work` once and keeps its result. A failure reaches those who waited for it, and is not kept. */
export function memoize<Value>(work: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined
  return () => {
    made ??= work().catch((error) => {
      made = undefined
      throw error
    })
    return made
  }
}
