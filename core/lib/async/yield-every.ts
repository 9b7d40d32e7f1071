import { FairQueue } from './fair-queue.ts'

const TURN_MS = 3

/** For whom the current work is done. */
interface Asker {
  readonly owner: string
}

interface Waiting {
  resume(): void
}

const waiting = new FairQueue<Waiting>()
let findAsker: () => Asker = () => ({ owner: '' })
/** When the slice began that all computing work of this process shares. */
let sliceBegan = Number.NEGATIVE_INFINITY
let isPlanned = false

/** Says how the owner of the current work is found. Called once, by the layer that knows. */
export const identifyAsker = (find: () => Asker): void => {
  findAsker = find
}

/**
 * For work that goes through many things at once: awaited after each of them, it lets others run every few milliseconds. All such work of the
 * process shares one slice per turn of the event loop, and owners take turns, so that a crowd of requests holds nobody up longer than one
 * does. Throws the reason of `signal` once that is aborted.
 */
export function yieldEvery(turnMs = TURN_MS, signal?: AbortSignal): () => Promise<void> | undefined {
  return () => {
    if (signal?.aborted) throw signal.reason
    if (performance.now() - sliceBegan < turnMs) return undefined
    return nextSlice(signal)
  }
}

/** Waits for a share of the event loop: before work that takes milliseconds and cannot be divided. */
export const yieldToOthers = (signal?: AbortSignal): Promise<void> | undefined => yieldEvery(TURN_MS, signal)()

async function nextSlice(signal: AbortSignal | undefined): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  waiting.push(findAsker().owner, { resume: resolve })
  plan()
  await promise
  signal?.throwIfAborted()
}

function plan(): void {
  if (isPlanned) return
  isPlanned = true
  setImmediate(() => {
    isPlanned = false
    const next = waiting.shift()
    // What waits behind it comes in a later turn of the loop, after what has arrived meanwhile.
    if (waiting.size > 0) plan()
    sliceBegan = performance.now()
    next?.item.resume()
  })
}
