import { type AdapterError, adapterErrorNames } from '../adapter.ts'
import type { PixelEvent, Sent } from './events.model.ts'
import { printed } from './printable.ts'

/** Maximum number of requests for one batch; events left after them are retried later. */
const REQUESTS_MAX = 24
const WHY_MAX = 500

/**
 * Sends events to a platform that rejects a whole batch for one bad event. It halves a rejected batch until the bad events are alone, so
 * that all others arrive. `send` must be idempotent. If the platform fails for another reason, the events judged so far are reported.
 */
export async function sendParted(
  events: readonly PixelEvent[],
  atOnce: number,
  send: (part: readonly PixelEvent[]) => Promise<void>,
): Promise<Sent> {
  const sent: Sent = { accepted: [], refused: [] }
  const waiting: (readonly PixelEvent[])[] = []
  for (let at = 0; at < events.length; at += atOnce) waiting.push(events.slice(at, at + atOnce))
  for (let requests = 0; requests < REQUESTS_MAX; requests += 1) {
    const part = waiting.shift()
    if (!part) break
    try {
      await send(part)
      sent.accepted.push(...part.map(({ id }) => id))
    } catch (error) {
      if (!isRefusal(error)) {
        if (sent.accepted.length + sent.refused.length > 0) break
        throw error
      }
      const half = Math.ceil(part.length / 2)
      if (part.length > 1) waiting.unshift(part.slice(0, half), part.slice(half))
      else sent.refused.push(...part.map(({ id }) => ({ id, why: printed(error.message, WHY_MAX) ?? '' })))
    }
  }
  return sent
}

const isRefusal = (error: unknown): error is AdapterError =>
  error instanceof Error && adapterErrorNames.includes(error.name) && (error as AdapterError).reason === 'refused'
