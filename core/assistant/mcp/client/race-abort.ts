/** Waits for a promise, or throws the reason when the signal aborts. Does not stop the work, which others may wait for. */
export async function raceAbort<V>(work: Promise<V>, signal: AbortSignal): Promise<V> {
  signal.throwIfAborted()
  const { promise, reject } = Promise.withResolvers<never>()
  const stop = () => reject(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
