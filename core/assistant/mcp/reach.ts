import type { FetchLike } from '@modelcontextprotocol/client'
import type { Context } from '../../context.ts'
import { refusalOf } from '../../lib/net/addresses.ts'

type Needs = Pick<Context, 'webhookOutbound'>

/** Of one answer: what takes no longer to read than others may wait. */
export const ANSWER_BYTES = 1.5 * 1024 * 1024
/** The longest that anything is waited for; what asks is mostly more impatient. */
export const ANSWER_MS = 60_000

/**
 * The way to an address that somebody gave, for the library: checked addresses alone, with a deadline and a size, whatever it asks for: the
 * server, what describes it, and who gives tokens for it. Redirects are the library's matter, which comes back here with each.
 */
export function reaching({ webhookOutbound }: Needs, stop?: AbortSignal): FetchLike {
  return async (url, init = {}) => {
    const method = init.method ?? 'GET'
    const headers = Object.fromEntries(new Headers(init.headers))
    // Nobody listens for what a server may have to say of itself.
    const mayStream = headers.accept?.includes('text/event-stream') === true
    if (method === 'GET' && mayStream) return new Response(null, { status: 405 })
    const signals = [init.signal, stop].filter((signal) => signal instanceof AbortSignal)
    const answer = await webhookOutbound({
      url: String(url),
      method,
      headers,
      ...(init.body !== undefined && init.body !== null && { body: String(init.body) }),
      maxBytes: ANSWER_BYTES,
      // Some leave their stream open after they have said all.
      streams: mayStream,
      timeoutMs: ANSWER_MS,
      ...(signals.length > 0 && { signal: AbortSignal.any(signals) }),
    })
    const bodiless = [204, 205, 304].includes(answer.status)
    const body = answer.stream ?? (answer.body as Uint8Array<ArrayBuffer>)
    return new Response(bodiless ? null : body, { status: answer.status, headers: answer.headers })
  }
}

/** Why this address is none that may be named; null where it may. Who is behind its name is seen when it is called. */
export const problemOfAddress = ({ config }: Pick<Context, 'config'>, url: string): string | null =>
  refusalOf(url, { allowPrivate: config.allowPrivateWebhooks })
