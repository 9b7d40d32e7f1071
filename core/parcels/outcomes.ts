import type { Shared } from '../data/shared.ts'

const CHANNEL = 'parcel-outcomes'

/** Lets a request wait for work that a job does, in this process or another. Waiting may miss a message: look again after it. */
export interface Outcomes {
  tell(parcelId: string): Promise<void>
  /** Resolves at the next news of the parcel, or after `ms`. */
  next(parcelId: string, ms: number): Promise<void>
  close(): void
}

export async function openOutcomes(shared: Shared): Promise<Outcomes> {
  const waiting = new Map<string, Set<() => void>>()
  const close = await shared.subscribe(CHANNEL, (parcelId) => {
    for (const wake of waiting.get(parcelId) ?? []) wake()
  })
  return {
    tell: (parcelId) => shared.publish(CHANNEL, parcelId),
    next(parcelId, ms) {
      return new Promise((resolve) => {
        const all = waiting.get(parcelId) ?? new Set()
        const wake = () => {
          clearTimeout(timer)
          all.delete(wake)
          if (all.size === 0) waiting.delete(parcelId)
          resolve()
        }
        const timer = setTimeout(wake, ms)
        waiting.set(parcelId, all.add(wake))
      })
    },
    close,
  }
}
