import type { SharedState } from '../../../data/shared/shared.ts'

const CHANNEL = 'parcel-outcomes'

/** Pending wait for an outcome. */
export interface OutcomeWait {
  /** Resolves at the next notification for one of the parcels, or after the timeout. */
  readonly arrived: Promise<void>
  cancel(): void
}

/** Notifies requests about submissions that finish in any process. A notification may get lost, so callers must also read the rows. */
export interface OutcomeNotifier {
  /** Wakes the waiting requests of all processes. */
  notify(parcelIds: readonly string[]): Promise<void>
  /** Waits for the next notification for one of the parcels, at most `ms` milliseconds. */
  waitForNext(parcelIds: readonly string[], ms: number): OutcomeWait
  close(): void
}

/** Opens the notifier on the shared channel of all processes. */
export async function openOutcomeNotifier(shared: SharedState): Promise<OutcomeNotifier> {
  const waiting = new Map<string, Set<() => void>>()
  const close = await shared.subscribe(CHANNEL, (parcelIds) => {
    for (const parcelId of parcelIds.split(' ')) for (const wake of waiting.get(parcelId) ?? []) wake()
  })
  const removeWaiter = (parcelId: string, wake: () => void) => {
    const all = waiting.get(parcelId)
    all?.delete(wake)
    if (all?.size === 0) waiting.delete(parcelId)
  }
  return {
    notify: async (parcelIds) => {
      if (parcelIds.length > 0) await shared.publish(CHANNEL, parcelIds.join(' '))
    },
    waitForNext(parcelIds, ms) {
      const { promise: arrived, resolve } = Promise.withResolvers<void>()
      const wake = () => {
        clearTimeout(timer)
        for (const id of parcelIds) removeWaiter(id, wake)
        resolve()
      }
      const timer = setTimeout(wake, ms)
      for (const id of parcelIds) waiting.set(id, (waiting.get(id) ?? new Set()).add(wake))
      return { arrived, cancel: wake }
    },
    close,
  }
}
