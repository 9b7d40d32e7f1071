const TRIES = 6
const PAUSE_MS = 500

/** Does it again where it fails, a few times and ever later: what is here is not lost because the database was away for a moment. */
export async function retry<V>(work: () => Promise<V>): Promise<V> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (attempt === TRIES) throw error
      await Bun.sleep(PAUSE_MS * attempt)
    }
  }
}
