import { OutboundError } from './outbound-error.ts'
import type { OutboundRequest } from './outbound-request.ts'

const TIMEOUT_MS = 20_000

/** Deadline of a request: a signal that is aborted when it passes, and the end of its timer. */
export type Deadline = ReturnType<typeof startDeadline>

/** Starts the deadline of a request. It also passes when the signal of the request is aborted. Clear it when the request has ended. */
export function startDeadline({ timeoutMs = TIMEOUT_MS, signal }: OutboundRequest) {
  const controller = new AbortController()
  const abort = () => controller.abort()
  const timer = setTimeout(abort, timeoutMs)
  if (signal?.aborted) abort()
  signal?.addEventListener('abort', abort, { once: true })
  return {
    signal: controller.signal,
    clear() {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    },
  }
}

/** Waits for the resolution of a name. Throws `timeout` when the deadline passes first. */
export async function withinDeadline<V>(work: Promise<V>, deadline: AbortSignal): Promise<V> {
  const late = Promise.withResolvers<never>()
  const onAbort = () => late.reject(new OutboundError('timeout', 'The name was not resolved in time.', { wasSent: false }))
  if (deadline.aborted) onAbort()
  deadline.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([work, late.promise])
  } finally {
    deadline.removeEventListener('abort', onAbort)
  }
}
