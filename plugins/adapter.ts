import type { Fields, Values } from './fields.ts'

/** Contract that the adapters of all kinds share. */
export type { Field, Fields, Values } from './fields.ts'

/** Value that an adapter may return directly or as a promise. */
export type Awaitable<V> = V | Promise<V>

/**
 * Durable key-value storage of one connection (one store's account at one carrier, gateway or platform), kept by the host. Values are JSON
 * of up to 64 KiB. They outlive the code that wrote them: validate what you read.
 */
export interface AdapterStorage {
  get(key: string): Promise<unknown>
  set(key: string, value: unknown): Promise<void>
  /** Sets the key only if it does not exist, and returns true if it was set. Of several concurrent calls exactly one succeeds. */
  add(key: string, value: unknown): Promise<boolean>
  /** Sets the key only if its value equals `expected` (compared as JSON), and returns true if it was set. No concurrent write is lost. */
  replace(key: string, expected: unknown, value: unknown): Promise<boolean>
  delete(key: string): Promise<void>
  /** Returns entries in the order of their keys, beginning after the key `after`, at most `limit` (1–1000). */
  list(prefix: string, options?: { after?: string; limit?: number }): Promise<{ key: string; value: unknown }[]>
}

/** Options of `context.fetch`: a subset of the web's `RequestInit`. */
export interface FetchInit {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** Follows redirects to declared hosts. Off by default. */
  readonly followRedirects?: boolean
  /** Marks a POST that only reads, such as a search. If nothing else was sent, an unknown outcome means that nothing was created. */
  readonly readsOnly?: boolean
  /** Timeout in milliseconds. 20,000 by default, and never more than the time left until the operation's deadline. */
  readonly timeoutMs?: number
  /** Resolves as soon as the headers arrive; the body is read as it comes. Reading throws if the connection breaks off. */
  readonly streams?: boolean
}

/** Everything that an adapter can reach. It has no files, no environment and no database. */
export interface AdapterContext<C extends Fields = Fields, S extends Fields = Fields> {
  readonly storeId: string
  /** Identifies the connection; constant over all calls for it. */
  readonly connectionId: string
  readonly credentials: Values<C>
  readonly settings: Values<S>
  /**
   * Calls a declared host through egress, within the rate limits and traced. It waits up to three seconds for a slot. If the next slot is
   * later, it throws before anything is sent. Do not catch that error: the server repeats the operation when a slot is free.
   */
  fetch(url: string, init?: FetchInit): Promise<Response>
  readonly storage: AdapterStorage
  log(message: string, fields?: Readonly<Record<string, unknown>>): void
  /** Returns milliseconds since 1970. It is the only clock. */
  now(): number
  /** Aborted at the member's deadline, or when the caller disconnects. The guide of the kind in `docs/write-an-adapter` lists the deadline of each member. */
  readonly signal: AbortSignal
}

/** Reasons of an {@link AdapterError}. */
export const failureReasons = ['refused', 'unauthorized', 'rate_limited', 'not_found', 'unavailable'] as const
/** One of {@link failureReasons}. */
export type FailureReason = (typeof failureReasons)[number]

/**
 * Failure of the platform to do what was asked. Anything else that an adapter throws counts as `unavailable`.
 * - `refused`: understood and declined, for good. Nothing was created. The message is shown to a person.
 * - `unauthorized`: wrong or revoked credentials. Nothing was created.
 * - `rate_limited`: over quota; nothing was created. `retryAfterSeconds` if the platform named it.
 * - `not_found`: the named resource does not exist.
 * - `unavailable`: no response, or one that cannot be read. For a call that creates something, the outcome is unknown.
 */
export class AdapterError extends Error {
  override readonly name = 'AdapterError'
  constructor(
    readonly reason: FailureReason,
    message: string,
    /** The platform's own error code and message, for `details` of the response. */
    readonly upstream: { code?: string; message?: string; retryAfterSeconds?: number } = {},
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

/**
 * Names by which the host recognizes an adapter's error. Each bundle brings its own class, so `instanceof` does not work. Bundles approved
 * long ago carry the second name.
 */
export const adapterErrorNames: readonly string[] = ['AdapterError', 'CarrierError']
/** Name of the host's own errors. An adapter passes them on unchanged. */
export const HOST_FAILURE = 'CarrierFailure' as const

/** Callback of a platform, as plain data. Header names are lower case. */
export interface InboundRequest {
  readonly method: string
  /** With its query, exactly as requested. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** The exact bytes received. */
  readonly body: Uint8Array
  /**
   * True for a callback that was proven when it arrived, and is read again from the inbox without its secrets. Parse it without verifying.
   * Only callbacks of shops are stored.
   */
  readonly isStored?: true
}

/** Response to a platform's proof-of-ownership request. */
export interface ChallengeAnswer {
  readonly status: number
  readonly contentType: string
  readonly body: string
}

/**
 * Result of a callback.
 * - `challenge`: a proof-of-ownership request, and its answer.
 * - `invalid`: nothing proves the sender.
 * - `events`: the sender is proven. If the platform `signed` the bytes, the core trusts their content. Otherwise, as with a secret in the
 *   address, the events are hints: the core reads the resources that they name.
 */
export type WebhookResult<Event = unknown> =
  | { readonly outcome: 'challenge'; readonly answer: ChallengeAnswer }
  | { readonly outcome: 'invalid' }
  | { readonly outcome: 'events'; readonly signed: boolean; readonly events: Event[] }

/** Receives callbacks; `Event` is one event of a callback. */
export interface Webhook<C extends Fields = Fields, S extends Fields = Fields, Event = unknown> {
  /**
   * Only for a platform that signs nothing: the credential that holds the secret in the callback address (`?token=…`). `receive` compares
   * it. The core never trusts the content of such a callback: it reads the named resource again.
   */
  readonly unsigned?: keyof C & string
  /** True if it answers proof-of-ownership requests. No other adapter may answer one. */
  readonly challenges?: true
  /**
   * Receives a callback in one call. Answers a challenge, or proves that these exact bytes come from the platform and returns their events.
   * Compare in constant time; return `invalid` if nothing can be proven. Leave out an event that cannot be read and log it, without losing
   * the others. `createReceiver` builds it from its steps.
   */
  receive(request: InboundRequest, context: AdapterContext<C, S>): Awaitable<WebhookResult<Event>>
}

/** Rate limit of one account: at most `calls` in any `seconds`. All windows apply at once. */
export interface RateWindow {
  readonly calls: number
  readonly seconds: number
}

/**
 * OAuth 2.0 client of the platform: RFC 6749 with an authorization code. The host does everything: `state`, PKCE, sealed tokens and their
 * renewal. The adapter reads `credentials.accessToken`. Only deviations from the standard are declared here.
 */
export interface OAuth {
  /**
   * Authorization endpoint. `{shop}` in an address stands for the credential or setting of that name. The hosts of all addresses must be in
   * `net`.
   */
  readonly authorizeUrl: string
  readonly tokenUrl: string
  /** Token revocation endpoint (RFC 7009). */
  readonly revokeUrl?: string
  /**
   * Names of the credentials that hold the client's id and secret. If the connection has none, those of the platform's own connection are
   * used.
   */
  readonly client: { readonly id: string; readonly secret?: string }
  /** Client authentication of token requests; `body` by default. */
  readonly clientAuth?: 'basic' | 'body'
  readonly scopes: readonly string[]
  /** A space by default. */
  readonly scopeSeparator?: string
  /** On by default. */
  readonly pkce?: boolean
  /** Behaviour of refresh tokens: each use returns a new one (`rotating`), they stay valid (`kept`), or there are none. */
  readonly refresh: 'rotating' | 'kept' | 'none'
  /** Format of token requests: `form` by default; `query` is a GET. */
  readonly asks?: 'form' | 'json' | 'query'
  /** Additional parameters of the requests. */
  readonly parameters?: { readonly authorize?: Readonly<Record<string, string>>; readonly token?: Readonly<Record<string, string>> }
  /** Names of parameters that deviate from the standard. */
  readonly names?: { readonly clientId?: string; readonly clientSecret?: string; readonly code?: string; readonly scope?: string }
  /**
   * Paths of values in the token response that deviate from the standard, such as `data.access_token`. `expiresAt` is in seconds since
   * 1970.
   */
  readonly answer?: {
    readonly accessToken?: string
    readonly refreshToken?: string
    readonly expiresIn?: string
    readonly expiresAt?: string
    readonly error?: string
  }
  /** Further credentials filled in from the token response, and their paths in it. */
  readonly fills?: Readonly<Record<string, string>>
  /** Exchange of the first token for a long-lived one: the grant type, and the parameter that carries the token. */
  readonly exchange?: { readonly grant: string; readonly parameter: string }
  /** Signature of the redirect back, made with the client's secret. Redirects without a valid signature are rejected. */
  readonly signed?: SignedReturn
  /** Error codes that mean a permanent refusal, besides every error with status 400 or 401. */
  readonly refusals?: readonly string[]
}

/** Signature of a redirect: HMAC-SHA-256 in hex over all other parameters, sorted by name and form-encoded. */
export interface SignedReturn {
  readonly parameter: string
  /** Parameters that the signature does not cover. */
  readonly except?: readonly string[]
  /** The parameter with the time of signing in seconds since 1970, and the tolerance in `seconds`. */
  readonly time: string
  readonly seconds: number
  /** The parameter that names the account, and the setting that it must equal. */
  readonly of?: { readonly parameter: string; readonly setting: string }
}

/** Credential that the host fills in for adapters with `oauth`. */
const ACCESS_TOKEN = 'accessToken'

/** Returns the names of the credentials that the host fills in from OAuth tokens; no form shows them. */
export const filledBy = (oauth: OAuth | undefined): readonly string[] => (oauth ? [ACCESS_TOKEN, ...Object.keys(oauth.fills ?? {})] : [])

/** Segments of the API's paths that take the place of a slug, so no adapter may use them. */
export const reservedSlugs: readonly string[] = ['webhooks', 'connectors', 'subscription', 'dispatcher', 'security']

/** Constants that every adapter declares, whatever its kind. */
export interface Adapter<C extends Fields = Fields, S extends Fields = Fields> {
  readonly kind: string
  /** Version of the kind's contract that the adapter implements. */
  readonly contract: number
  /** Lower-case segment in addresses. Unique among the adapters of all kinds. */
  readonly slug: string
  readonly label: string
  readonly website?: string
  /** Hosts that the adapter may reach, exactly as named; `*.example.com` stands for all subdomains. All other hosts are refused. */
  readonly net: readonly string[]
  readonly credentials: C
  readonly settings: S
  readonly rateWindows: readonly RateWindow[]
  readonly oauth?: OAuth
  /** Operations that also answer under the adapter's own name. The kind decides which operations allow it. */
  readonly branded?: readonly string[]
  /** Tests the credentials with a call to the platform. Returns the name of the account if the platform gives one. */
  testConnection?(context: AdapterContext<C, S>): Awaitable<{ account?: string }>
}
