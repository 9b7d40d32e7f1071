import type { FetchLike } from '@modelcontextprotocol/client'
import type { Context } from '../../context.ts'
import { addressRefusal } from '../../lib/net/addresses.ts'

type Needs = Pick<Context, 'webhookOutbound'>

/** Bytes of one response. Parsing more would block other requests for too long. */
const RESPONSE_BYTES_MAX = 1.5 * 1024 * 1024
/** Longest deadline of one request; most callers set a shorter one. */
const RESPONSE_MS_MAX = 60_000

/**
 * Returns a fetch for the MCP library that calls foreign servers through the outbound client: checked addresses only, with a deadline and a
 * size limit. It is used for the MCP server, its metadata and its authorization server. Does not follow redirects; the library does.
 */
export function guardedFetch({ webhookOutbound }: Needs, stop?: AbortSignal): FetchLike {
  return async (url, init = {}) => {
    const method = init.method ?? 'GET'
    const headers = Object.fromEntries(new Headers(init.headers))
    // Refuses the stream for messages that a server starts: nothing handles them.
    const mayStream = headers.accept?.includes('text/event-stream') === true
    if (method === 'GET' && mayStream) return new Response(null, { status: 405 })
    const signals = [init.signal, stop].filter((signal) => signal instanceof AbortSignal)
    const answer = await webhookOutbound({
      url: String(url),
      method,
      headers,
      ...(init.body !== undefined && init.body !== null && { body: String(init.body) }),
      maxBytes: RESPONSE_BYTES_MAX,
      // Some servers leave the stream open after the last message.
      isStreamed: mayStream,
      timeoutMs: RESPONSE_MS_MAX,
      ...(signals.length > 0 && { signal: AbortSignal.any(signals) }),
    })
    const bodiless = [204, 205, 304].includes(answer.status)
    const body = answer.stream ?? (answer.body as Uint8Array<ArrayBuffer>)
    return new Response(bodiless ? null : body, { status: answer.status, headers: answer.headers })
  }
}

/** Returns the problem with the URL of a server, or null. The addresses behind its host name are checked at each call. */
export const urlProblem = ({ config }: Pick<Context, 'config'>, url: string): string | null =>
  addressRefusal(url, { allowPrivate: config.allowPrivateWebhooks })
