import { ApiError } from '../../../http/errors/errors.ts'

/** Streams that one person has open in this process: where another makes the answer, each looks for itself what has come. */
const OPEN_MAX = 20
/** Whoever never read a stream, nor let it go, is not counted for longer. */
const COUNTED_MS = 15 * 60_000

/** Takes off one who listened; may be done twice. */
export type Leave = () => void

const open = new Map<string, number>()

/** Counts one more who listens, until he leaves or is gone. Throws `rate_limited`. */
export function beginListening(userId: string, gone: AbortSignal): Leave {
  const now = open.get(userId) ?? 0
  if (now >= OPEN_MAX)
    throw new ApiError('rate_limited', `At most ${OPEN_MAX} answers are followed at once. Let one of them go.`, {
      headers: { 'retry-after': '5' },
    })
  open.set(userId, now + 1)
  let isIn = true
  const leave = () => {
    if (!isIn) return
    isIn = false
    clearTimeout(timer)
    gone.removeEventListener('abort', leave)
    const left = (open.get(userId) ?? 1) - 1
    if (left > 0) open.set(userId, left)
    else open.delete(userId)
  }
  const timer = setTimeout(leave, COUNTED_MS)
  timer.unref()
  gone.addEventListener('abort', leave, { once: true })
  return leave
}
