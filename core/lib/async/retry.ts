const ATTEMPTS = 6
const PAUSE_MS = 500

/** Runs `work` up to 6 times with increasing pauses, 500 ms at first. Throws the last error. Survives short outages of the database. */
export async function retry<V>(work: () => Promise<V>): Promise<V> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (attempt === ATTEMPTS) throw error
      await Bun.sleep(PAUSE_MS * attempt)
    }
  }
}
