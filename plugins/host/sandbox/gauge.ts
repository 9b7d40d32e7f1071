const WINDOW_MS = 1_000
const MESSAGES_MAX = 20_000
const BYTES_MAX = 256 * 1024 * 1024

/** How much a process says in a second. Well-behaved ones stay far below: they wait for each answer. */
export function openGauge(now: () => number = performance.now.bind(performance)) {
  let began = 0
  let messages = 0
  let bytes = 0
  return {
    /** Throws where it becomes too much. */
    add(said: number, size: number): void {
      if (now() - began > WINDOW_MS) {
        began = now()
        messages = 0
        bytes = 0
      }
      messages += said
      bytes += size
      if (messages > MESSAGES_MAX || bytes > BYTES_MAX) throw new RangeError('it says too much')
    },
  }
}
