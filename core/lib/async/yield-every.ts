import { FairQueue } from './fair-queue.ts'

const SLICE_MS = 3

/** Owner of the current work. */
interface CurrentOwner {
  readonly owner: string
}

interface Waiting {
  resume(): void
}

const waiting = new FairQueue<Waiting>()
let findOwner: () => CurrentOwner = () => ({ owner: '' })
/** Start of the time slice that all computing work of this process shares. */
let sliceBegan = Number.NEGATIVE_INFINITY
let isScheduled = false

/**
 * Sets how the owner of the current work is found. Called once, by the module that tracks tenants. Sandboxed adapters run this file as well,
 * and may not load `node:async_hooks`.
 */
export const setOwnerLookup = (find: () => CurrentOwner): void => {
  findOwner = find
}

/**
 * Returns a function that long computations await after each step. It lets other work run every `sliceMs` milliseconds. All such work in the
 * process shares one slice per iteration of the event loop, and owners take turns. A crowd of requests from one owner therefore delays
 * others no longer than a single request. Throws the reason of `signal` once it is aborted.
 */
export function yieldEvery(sliceMs = SLICE_MS, signal?: AbortSignal): () => Promise<void> | undefined {
  return () => {
    if (signal?.aborted) throw signal.reason
    if (performance.now() - sliceBegan < sliceMs) return undefined
    return nextSlice(signal)
  }
}

/** Waits for a slice of the event loop. Call it before work that takes milliseconds and cannot be divided. */
export const yieldToOthers = (signal?: AbortSignal): Promise<void> | undefined => yieldEvery(SLICE_MS, signal)()

async function nextSlice(signal: AbortSignal | undefined): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  waiting.push(findOwner().owner, { resume: resolve })
  scheduleNext()
  await promise
  signal?.throwIfAborted()
}

function scheduleNext(): void {
  if (isScheduled) return
  isScheduled = true
  setImmediate(() => {
    isScheduled = false
    const next = waiting.shift()
    // Resumes the next waiter in a later iteration of the loop, after newly arrived events.
    if (waiting.size > 0) scheduleNext()
    sliceBegan = performance.now()
    next?.item.resume()
  })
}
