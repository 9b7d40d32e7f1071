const TURN_MS = 5

/** For work that goes through many things at once: awaited after each of them, it lets others have their turn every few milliseconds. */
export function breather(turnMs = TURN_MS): () => Promise<void> | undefined {
  let since = performance.now()
  return () => {
    if (performance.now() - since < turnMs) return undefined
    return new Promise((resume) =>
      setImmediate(() => {
        since = performance.now()
        resume()
      }),
    )
  }
}
