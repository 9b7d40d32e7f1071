/** Others may wait for the same: who goes away leaves them that. */
export async function unlessAborted<V>(work: Promise<V>, signal: AbortSignal): Promise<V> {
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
