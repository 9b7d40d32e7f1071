const WINDOW_MS = 1_000
const MESSAGES_MAX = 20_000
const BYTES_MAX = 256 * 1024 * 1024
const JSON_BYTES_MAX = 8 * 1024 * 1024

/**
 * Creates a meter of a process's output per second, which throws above the limits. Well-behaved processes stay far below, since they wait
 * for each response.
 */
export function rateMeter(now: () => number = performance.now.bind(performance)) {
  let began = 0
  let [messages, jsonBytes, bytes] = [0, 0, 0]
  const add = (count: number, json: number, size: number) => {
    if (now() - began > WINDOW_MS) {
      began = now()
      messages = jsonBytes = bytes = 0
    }
    messages += count
    jsonBytes += json
    bytes += size
    if (messages > MESSAGES_MAX || jsonBytes > JSON_BYTES_MAX || bytes > BYTES_MAX) throw new RangeError('it says too much')
  }
  /** Both throw a `RangeError` above the limits. */
  return { message: (json: number) => add(1, json, 0), chunk: (size: number) => add(0, 0, size) }
}
