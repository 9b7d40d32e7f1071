const PATIENCE_MS = 20_000

/** Polls until a value is there, and returns it. */
export async function waitFor<V>(look: () => Promise<V | undefined>): Promise<V> {
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until; await Bun.sleep(50)) {
    const found = await look()
    if (found !== undefined) return found
  }
  throw new Error('An expected result did not arrive in time.')
}
