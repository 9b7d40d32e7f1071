import { chatErrors } from '../chat.errors.ts'

/** Streams that one user may have open in this process. Each polls the database when another process generates the answer. */
const STREAMS_MAX = 20
/** Time after which a stream that is neither read nor closed no longer counts. */
const COUNTED_MS = 15 * 60_000

/** Function that ends the count of one stream. Calling it again does nothing. */
export type StreamRelease = () => void

const open = new Map<string, number>()

/** Counts one open stream of a user until it is released or `disconnected` aborts. Throws `rate_limited`. */
export function acquireStream(userId: string, disconnected: AbortSignal): StreamRelease {
  const now = open.get(userId) ?? 0
  if (now >= STREAMS_MAX)
    throw chatErrors.tooManyStreams(
      { streamsMax: STREAMS_MAX },
      {
        retryAfterSeconds: 5,
      },
    )
  open.set(userId, now + 1)
  let isCounted = true
  const release = () => {
    if (!isCounted) return
    isCounted = false
    clearTimeout(timer)
    disconnected.removeEventListener('abort', release)
    const left = (open.get(userId) ?? 1) - 1
    if (left > 0) open.set(userId, left)
    else open.delete(userId)
  }
  const timer = setTimeout(release, COUNTED_MS)
  timer.unref()
  disconnected.addEventListener('abort', release, { once: true })
  return release
}
