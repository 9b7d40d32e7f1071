/** For a test that looks at the clock of a machine that others use as well: it is tried up to three times, and the run says so. */
export const byTheClock = { retry: 2 }

/** What this process computes meanwhile, in milliseconds: what others on the machine take is not counted. */
export function computedMs(work: () => unknown): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** What `reference` takes where limits in milliseconds are meant literally, and how much more a slower machine is given at most. */
const [REFERENCE_MS, SLOWNESS_MAX] = [15, 2]

/** How many times as long this machine takes as one for which limits are meant, 1 to 2: some are slow to give a process memory. */
export function slowness(): number {
  const kept: unknown[] = []
  const took = Array.from({ length: 5 }, () => computedMs(() => kept.push(reference())))
  return Math.min(SLOWNESS_MAX, Math.max(1, Math.min(...took) / REFERENCE_MS))
}

/** As a server does: rows read from JSON and written as such, and memory that was not touched before, unless what was made before is given up. */
function reference() {
  const rows = Array.from({ length: 10_000 }, (_, at) => ({ id: String(at), name: `Lieu dit ${at}`, stateId: String(at % 58), home: true }))
  return [JSON.parse(JSON.stringify(rows)), new Uint8Array(8 * 1024 * 1024).fill(1)]
}
