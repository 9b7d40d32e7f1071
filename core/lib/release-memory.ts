/** Interval at which the work of the process is measured, in milliseconds. */
const MEASURE_MS = 5_000
/** Share of one core below which the process is quiet. Its own polls take one or two percent. */
const QUIET_SHARE = 0.05
/** Quiet intervals in a row after which memory is released. */
const QUIET_INTERVALS = 3

/** Parts of {@link releaseMemoryWhenQuiet} that a test replaces. */
interface Options {
  readonly everyMs?: number
  /** Returns the CPU time that the process has used, in milliseconds. */
  readonly cpuMs?: () => number
  readonly release?: () => void
}

const cpuMsOfProcess = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/**
 * Releases memory when the process has been quiet for 15 s, once after each time that it worked. What was compiled for a burst of work, or
 * for the start, is given up and compiled again when it is needed: without this, a quiet process keeps the memory of its busiest minute.
 */
export function releaseMemoryWhenQuiet({ everyMs = MEASURE_MS, cpuMs = cpuMsOfProcess, release = Bun.shrink }: Options = {}) {
  let [measuredAt, usedMs] = [performance.now(), cpuMs()]
  let [hasWorked, hasJustReleased, quietIntervals] = [true, false, 0]

  function measure() {
    const [now, used] = [performance.now(), cpuMs()]
    const isQuiet = used - usedMs < (now - measuredAt) * QUIET_SHARE
    ;[measuredAt, usedMs] = [now, used]
    // Releasing takes a part of the interval after it, and is no work that needs memory.
    if (!isQuiet && !hasJustReleased) hasWorked = true
    hasJustReleased = false
    quietIntervals = isQuiet ? quietIntervals + 1 : 0
    if (!hasWorked || quietIntervals < QUIET_INTERVALS) return
    release()
    ;[hasWorked, hasJustReleased] = [false, true]
  }

  const timer = setInterval(measure, everyMs)
  timer.unref()
  return {
    async stop() {
      clearInterval(timer)
    },
  }
}
