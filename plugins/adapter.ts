import type { Fields, Values } from './fields.ts'

/** What the adapters of all kinds share. */
export type { Field, Fields, Values } from './fields.ts'

export type Awaitable<V> = V | Promise<V>

/**
 * A durable note-book of one connection (one store's account at one carrier, gateway or platform), kept by the host. Values are JSON, up
 * to 64 KiB. It outlives the code that wrote into it: check what you read.
 */
export interface Memory {
  get(key: string): Promise<unknown>
  set(key: string, value: unknown): Promise<void>
  /** Sets only where nothing stands yet, and says whether it did: one winner, whoever else asks. */
  add(key: string, value: unknown): Promise<boolean>
  /** Sets only where `expected` still stands, compared as JSON, and says whether it did: nobody's note is overwritten unseen. */
  replace(key: string, expected: unknown, value: unknown): Promise<boolean>
  delete(key: string): Promise<void>
  /** Keys in order, from after `after`, at most `limit` (1–1000). */
  list(prefix: string, options?: { after?: string; limit?: number }): Promise<{ key: string; value: unknown }[]>
}

/** What `context.fetch` takes: a part of the web's own `RequestInit`. */
export interface FetchInit {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** Follow redirects to declared hosts. Off unless asked for. */
  readonly followRedirects?: boolean
  /** Says that this POST only reads (a search): when nothing else went out, nothing can have been created. */
  readonly readsOnly?: boolean
  /** Milliseconds; 20,000 unless said, never more than what is left of the operation's own deadline. */
  readonly timeoutMs?: number
  /** The answer is given as soon as its head is there, and its body is read as it comes; a body that breaks off throws where it is read. */
  readonly streams?: boolean
}

/** All that an adapter can reach: no files, no environment, no database. */
export interface AdapterContext<C extends Fields = Fields, S extends Fields = Fields> {
  readonly storeId: string
  /** Identifies the connection; the same in every call for it. */
  readonly connectionId: string
  readonly credentials: Values<C>
  readonly settings: Values<S>
  /**
   * The way out: declared hosts only, within the rate windows, traced. It waits up to three seconds for its turn; where that is further away
   * it throws before anything was asked. Let that through: the server asks again when it is time.
   */
  fetch(url: string, init?: FetchInit): Promise<Response>
  readonly memory: Memory
  log(message: string, fields?: Readonly<Record<string, unknown>>): void
  /** Milliseconds since 1970; the only clock. */
  now(): number
  /** Aborted at the member's deadline, or when the caller went away. The README of the kind says how long each member has. */
  readonly signal: AbortSignal
}

export const failureReasons = ['refused', 'unauthorized', 'rate_limited', 'not_found', 'unavailable'] as const
export type FailureReason = (typeof failureReasons)[number]

/**
 * Why the other side did not do it. Throw it; anything else thrown counts as `unavailable`.
 * - `refused`: understood and declined, for good. Nothing was created. The message is shown to a person.
 * - `unauthorized`: wrong or revoked credentials. Nothing was created.
 * - `rate_limited`: over quota; nothing was created. `retryAfterSeconds` where the other side said so.
 * - `not_found`: what was named is not there.
 * - `unavailable`: no answer, or one that cannot be read. Where something was to be created this leaves the outcome unknown.
 */
export class AdapterError extends Error {
  override readonly name = 'AdapterError'
  constructor(
    readonly reason: FailureReason,
    message: string,
    /** The other side's own code and words, for `details` of the answer. */
    readonly upstream: { code?: string; message?: string; retryAfterSeconds?: number } = {},
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

/** What an adapter throws is told by its name: each bundle brings a class of its own. Bundles approved long ago carry the second name. */
export const adapterErrorNames: readonly string[] = ['AdapterError', 'CarrierError']
/** How the host's own failures are called, which an adapter lets through as they came. */
export const HOST_FAILURE = 'CarrierFailure' as const

/** A request of the other side to us, as plain data. Header names are lower case. */
export interface InboundRequest {
  readonly method: string
  /** With its query, as it was asked for. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** The exact bytes. */
  readonly body: Uint8Array
}

export interface ChallengeAnswer {
  readonly status: number
  readonly contentType: string
  readonly body: string
}

/** How callbacks are believed and read; `News` is what one of them tells. */
export interface Webhook<C extends Fields = Fields, S extends Fields = Fields, News = unknown> {
  /**
   * For an other side that signs nothing: the credential whose secret stands in the address it calls (`?token=…`). `verify` compares that,
   * and the core takes no callback at its word: it reads anew what is named.
   */
  readonly unsigned?: keyof C & string
  /** Answers a proof-of-ownership request; null where the request is not one. Asked before anything else. */
  challenge?(request: InboundRequest, context: AdapterContext<C, S>): Awaitable<ChallengeAnswer | null>
  /** Whether these exact bytes really came from the other side. Compare in constant time; false where nothing can be proven. */
  verify(request: InboundRequest, context: AdapterContext<C, S>): Awaitable<boolean>
  /** Bytes to news. One bad event never hides the others: leave it out and log it. */
  parse(request: InboundRequest, context: AdapterContext<C, S>): Awaitable<News[]>
}

/** At most `calls` in any `seconds` for one account. All windows hold at once. */
export interface RateWindow {
  readonly calls: number
  readonly seconds: number
}

/**
 * How a person lets the host act for them at the other side: RFC 6749 with an authorization code. The host does all of it, `state`, PKCE, the
 * sealed tokens and their renewal; the adapter reads `credentials.accessToken`. What deviates from the standard is said here.
 */
export interface OAuth {
  /** `{shop}` in an address stands for what was typed in under that name. Its host is one of `net`, as are the others'. */
  readonly authorizeUrl: string
  readonly tokenUrl: string
  /** Where tokens are given up (RFC 7009). */
  readonly revokeUrl?: string
  /** The credentials that hold the client. Where a store typed in none, those of the platform's own connection count. */
  readonly client: { readonly id: string; readonly secret?: string }
  /** How the client proves itself: in the body unless said. */
  readonly clientAuth?: 'basic' | 'body'
  readonly scopes: readonly string[]
  /** A space unless said. */
  readonly scopeSeparator?: string
  /** On unless said. */
  readonly pkce?: boolean
  /** What becomes of a refresh token that was used: another comes in its place, it stays as it is, or there never is one. */
  readonly refresh: 'rotating' | 'kept' | 'none'
  /** How tokens are asked for: a form unless said; `query` is a GET. */
  readonly asks?: 'form' | 'json' | 'query'
  /** What is sent besides. */
  readonly parameters?: { readonly authorize?: Readonly<Record<string, string>>; readonly token?: Readonly<Record<string, string>> }
  /** How parameters are called that are not called as the standard has it. */
  readonly names?: { readonly clientId?: string; readonly clientSecret?: string; readonly code?: string; readonly scope?: string }
  /** Where in the answer stands what does not stand where the standard has it: `data.access_token`. `expiresAt` is in seconds since 1970. */
  readonly answer?: {
    readonly accessToken?: string
    readonly refreshToken?: string
    readonly expiresIn?: string
    readonly expiresAt?: string
    readonly error?: string
  }
  /** Credentials that are filled in from the answer beside `accessToken`, and where they stand in it. */
  readonly fills?: Readonly<Record<string, string>>
  /** The first token is exchanged for one that lasts, by this grant, which takes it as this parameter. */
  readonly exchange?: { readonly grant: string; readonly parameter: string }
  /** The way back is signed with the client's secret: nobody else's is taken. */
  readonly signed?: SignedReturn
  /** Words of its errors that are a no for good, beside those that come with 400 or 401. */
  readonly refusals?: readonly string[]
}

/** HMAC-SHA-256 in hex over all other parameters, in the order of their names, written as a form. */
export interface SignedReturn {
  readonly parameter: string
  /** Parameters that are not signed. */
  readonly except?: readonly string[]
  /** The parameter that says when, in seconds since 1970, and how far from now that may be. */
  readonly time: string
  readonly seconds: number
  /** The parameter that says for whom, and the setting that it has to equal. */
  readonly of?: { readonly parameter: string; readonly setting: string }
}

/** The credential that the host fills in for adapters with `oauth`. */
export const ACCESS_TOKEN = 'accessToken'

/** The credentials that the host fills in, and nobody types. */
export const filledBy = (oauth: OAuth | undefined): readonly string[] => (oauth ? [ACCESS_TOKEN, ...Object.keys(oauth.fills ?? {})] : [])

/** Segments of the interface that stand where a slug stands. */
export const reservedSlugs: readonly string[] = ['webhooks', 'connectors', 'subscription', 'dispatcher', 'security']

/** The constants that every adapter declares, whatever its kind. */
export interface Adapter<C extends Fields = Fields, S extends Fields = Fields> {
  readonly kind: string
  /** The version of the kind's contract that it was written for. */
  readonly contract: number
  /** Lower case; the segment in addresses. No two adapters share one, of whatever kinds they are. */
  readonly slug: string
  readonly label: string
  readonly website?: string
  /** Hosts it may reach, exactly as named (`*.example.com` for those below a name); nothing else answers. */
  readonly net: readonly string[]
  readonly credentials: C
  readonly settings: S
  readonly rateWindows: readonly RateWindow[]
  readonly oauth?: OAuth
  /** Operations, marked so by the kind, that it also answers under its own name. */
  readonly branded?: readonly string[]
  /** Asks the other side whether the credentials work. */
  testConnection?(context: AdapterContext<C, S>): Awaitable<{ account?: string }>
}
