import type { HostResolver } from './addresses.ts'

/** Request that leaves the server. */
export interface OutboundRequest {
  readonly url: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** Milliseconds for the whole request: the lookup, every redirect and the complete response. */
  readonly timeoutMs?: number
  /** Maximum size of the response body. Larger responses fail with `too_large`. */
  readonly maxBytes?: number
  /** Bytes to read from the start of the response body. A long or broken rest is then not an error. */
  readonly headBytes?: number
  /** Hosts that may be reached, redirects included. `*.example.com` allows all hosts below a name. */
  readonly allowedHosts?: readonly string[]
  /** Returns once the response headers are received. The body comes as `stream`, within the same limits of time and size. */
  readonly isStreamed?: boolean
  readonly followRedirects?: boolean
  /** Called and awaited before each redirect is followed. */
  readonly beforeRedirect?: () => Promise<unknown>
  readonly signal?: AbortSignal
  /** Latest moment to send, by `performance.now()`. Guards against timers that fire late after the process was suspended. */
  readonly notAfter?: number
}

/** Response to an {@link OutboundRequest}. */
export interface OutboundResponse {
  readonly status: number
  readonly headers: Headers
  /** Response body; empty if it is streamed. */
  readonly body: Uint8Array
  readonly stream?: ReadableStream<Uint8Array>
}

/** Rules for all requests of an {@link Outbound} client. */
export interface OutboundRules {
  /** Allows plain HTTP and private addresses. For development only. */
  readonly allowPrivate: boolean
  /** Replacement of real hosts by simulators: `host → http://127.0.0.1:4100`. `*.shops.example` covers all hosts below it. */
  readonly simulators?: Readonly<Record<string, string>>
  /** Resolver; the system's by default. */
  readonly resolve?: HostResolver
  /** Certificate authorities to trust instead of the system's. */
  readonly ca?: string
}
