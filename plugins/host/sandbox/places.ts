import { unavailableError } from './call.ts'
import { type Semaphore, semaphore } from './semaphore.ts'

const WAITING_MAX = 500
const ROOM_MS = 30_000
/** Share of all processes that one bundle may use, so that calls that never end do not block other adapters. */
const SHARE = 0.75

/** Places for processes: those of the whole pool, and each bundle's share of them. */
export interface Places {
  /** Waits for a place in the bundle's share and in the pool. Returns the function that frees it. Throws `unavailable` after 30 s. */
  acquire(bundle: string): Promise<() => void>
  /** Returns true if a caller waits for a place that a process of this bundle could free. */
  isAwaited(bundle: string): boolean
}

/** Opens `processes` places. `releaseIdle` stops an idle process, of one bundle or of any, when all places are used. */
export function openPlaces(processes: number, releaseIdle: (bundle?: string) => void): Places {
  const room = semaphore(processes, WAITING_MAX, 'a process')
  const sharePlaces = Math.max(1, Math.floor(processes * SHARE))
  const shares = new Map<string, Semaphore>()

  function shareOf(bundle: string): Semaphore {
    const share = shares.get(bundle) ?? semaphore(sharePlaces, WAITING_MAX, 'a process')
    shares.set(bundle, share)
    return share
  }

  return {
    async acquire(bundle) {
      const [share, patience] = [shareOf(bundle), AbortSignal.timeout(ROOM_MS)]
      const leave = () => {
        share.leave()
        if (share.inside() === 0) shares.delete(bundle)
      }
      const late = () => Promise.reject(unavailableError('Too many adapters are running. Try again later.'))
      if (share.inside() >= sharePlaces) releaseIdle(bundle)
      await share.enter(patience).catch(late)
      if (room.inside() >= processes) releaseIdle()
      await room.enter(patience).catch(() => {
        leave()
        return late()
      })
      return () => {
        leave()
        room.leave()
      }
    },
    isAwaited: (bundle) => room.waiting() > 0 || (shares.get(bundle)?.waiting() ?? 0) > 0,
  }
}
