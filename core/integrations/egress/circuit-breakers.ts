import { evictOldest } from '../../lib/evict-oldest.ts'

/** Consecutive failures that open a circuit. */
const FAILURES = 5
const OPEN_MS = 5_000
const OPEN_MAX_MS = 120_000
/** Milliseconds after which another probe may start, if the first probe never reported its outcome. */
const PROBE_MS = 60_000
const CIRCUITS_MAX = 20_000

interface Circuit {
  failures: number
  /** Times it has opened since the last success. */
  openings: number
  openUntil: number
  probeUntil: number
}

/**
 * Circuit breakers, one per key, in the memory of this process. Five consecutive failures open a circuit for 5 s, doubling to at most two
 * minutes. One call may then probe: its success closes the circuit, its failure opens it again.
 */
export class CircuitBreakers {
  readonly #circuits = new Map<string, Circuit>()
  /** Uses a monotonic clock, which changes of the system time do not move. */
  constructor(readonly now: () => number = () => performance.now()) {}

  /** Returns the milliseconds to wait before a call to the key, or 0 if it may go out. Changes nothing. */
  peek(key: string): number {
    const circuit = this.#circuits.get(key)
    if (!circuit || circuit.failures < FAILURES) return 0
    return Math.max(0, circuit.openUntil - this.now(), circuit.probeUntil - this.now())
  }

  /** Returns the milliseconds to wait, like `peek`. On 0 with an open circuit, the call becomes the probe and must report its outcome. */
  tryEnter(key: string): number {
    const waitMs = this.peek(key)
    const circuit = this.#circuits.get(key)
    if (waitMs === 0 && circuit && circuit.failures >= FAILURES) circuit.probeUntil = this.now() + PROBE_MS
    return waitMs
  }

  /** Closes the circuit of the key. */
  recordSuccess(key: string) {
    this.#circuits.delete(key)
  }

  /** Counts a failure of the key, and opens its circuit at the fifth in a row. */
  recordFailure(key: string) {
    const circuit = this.#circuits.get(key) ?? { failures: 0, openings: 0, openUntil: 0, probeUntil: 0 }
    const wasOpen = circuit.openUntil > this.now()
    circuit.failures += 1
    // Calls that were under way when the circuit opened do not extend it.
    if (circuit.failures >= FAILURES && !wasOpen) {
      circuit.openUntil = this.now() + Math.min(OPEN_MAX_MS, OPEN_MS * 2 ** circuit.openings)
      circuit.openings += 1
      circuit.probeUntil = 0
    }
    this.#circuits.set(key, circuit)
    evictOldest(this.#circuits, CIRCUITS_MAX)
  }
}
