import { evictOldest } from '../../lib/evict-oldest.ts'

/** Failures in a row after which nobody is asked for a while. */
const FAILURES = 5
const OPEN_MS = 5_000
const OPEN_MAX_MS = 120_000
/** A probe that never says what became of it does not keep the circuit half open for ever. */
const PROBE_MS = 60_000
const CIRCUITS_MAX = 20_000

interface Circuit {
  failures: number
  /** How often it opened without a success between. */
  openings: number
  openUntil: number
  probeUntil: number
}

/**
 * Circuit breakers, one a key: after five failures in a row the key is left alone, for 5 s at first and up to two minutes; then one
 * call may probe, and what becomes of it decides. Each process learns for itself.
 */
export class Breakers {
  readonly #circuits = new Map<string, Circuit>()
  /** On a clock that nobody sets back or forward. */
  constructor(readonly now: () => number = () => performance.now()) {}

  /** 0 where a call might go out; else the milliseconds to wait. */
  look(key: string): number {
    const circuit = this.#circuits.get(key)
    if (!circuit || circuit.failures < FAILURES) return 0
    return Math.max(0, circuit.openUntil - this.now(), circuit.probeUntil - this.now())
  }

  /** The same for a call that goes out if it may; it says afterwards what became of it. */
  enter(key: string): number {
    const waitMs = this.look(key)
    const circuit = this.#circuits.get(key)
    if (waitMs === 0 && circuit && circuit.failures >= FAILURES) circuit.probeUntil = this.now() + PROBE_MS
    return waitMs
  }

  succeeded(key: string) {
    this.#circuits.delete(key)
  }

  failed(key: string) {
    const circuit = this.#circuits.get(key) ?? { failures: 0, openings: 0, openUntil: 0, probeUntil: 0 }
    const wasOpen = circuit.openUntil > this.now()
    circuit.failures += 1
    // Calls that were under way when it opened do not open it again.
    if (circuit.failures >= FAILURES && !wasOpen) {
      circuit.openUntil = this.now() + Math.min(OPEN_MAX_MS, OPEN_MS * 2 ** circuit.openings)
      circuit.openings += 1
      circuit.probeUntil = 0
    }
    this.#circuits.set(key, circuit)
    evictOldest(this.#circuits, CIRCUITS_MAX)
  }
}
