import { type Static, Type as T, type TSchema } from '@sinclair/typebox'
import type { AdapterContext } from '../../adapter.ts'

/**
 * Messages between the server and an adapter's process. The server trusts none: a message from a process that does not match these schemas
 * ends the process.
 */
const message = <K extends string, P extends Record<string, TSchema>>(type: K, properties: P) =>
  T.Object({ type: T.Literal(type), ...properties }, { additionalProperties: false })
const Text = (maxLength: number) => T.String({ maxLength })
const Id = T.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })

/** Error of an adapter as plain, short data. */
export const Failure = T.Object(
  {
    name: Text(60),
    message: Text(500),
    /** Stack lines in the adapter's bundle. */
    stack: T.Optional(Text(4000)),
    reason: T.Optional(Text(40)),
    upstream: T.Optional(
      T.Object(
        {
          code: T.Optional(Text(200)),
          message: T.Optional(Text(500)),
          retryAfterSeconds: T.Optional(T.Number({ minimum: 0, maximum: 1e7 })),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
)
/** Type of {@link Failure}. */
export type Failure = Static<typeof Failure>

/** One adapter of a bundle: its declared data (validated when it is mounted) and the names of its functions. */
export const DeclaredAdapter = T.Object(
  { data: T.Record(T.String(), T.Unknown()), functions: T.Array(Text(40), { maxItems: 60 }) },
  { additionalProperties: false },
)
/** Type of {@link DeclaredAdapter}. */
export type DeclaredAdapter = Static<typeof DeclaredAdapter>
/** All adapters of a bundle. */
export const Manifest = T.Array(DeclaredAdapter, { minItems: 1, maxItems: 200 })

const FETCH_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
/** Arguments of `context.fetch`. With `hasBody`, the body is in the bytes of the frame. */
export const FetchRequest = T.Object(
  {
    url: Text(8000),
    method: T.Optional(T.Union(FETCH_METHODS.map((method) => T.Literal(method)))),
    headers: T.Optional(T.Record(Text(200), Text(16_000), { maxProperties: 100 })),
    followRedirects: T.Optional(T.Boolean()),
    readsOnly: T.Optional(T.Boolean()),
    timeoutMs: T.Optional(T.Number({ minimum: 0, maximum: 600_000 })),
    streams: T.Optional(T.Boolean()),
    hasBody: T.Boolean(),
  },
  { additionalProperties: false },
)
/** Type of {@link FetchRequest}. */
export type FetchRequest = Static<typeof FetchRequest>

const Key = Text(500)
/** Arguments of `context.storage`. */
export const StorageRequest = T.Union([
  T.Object({ verb: T.Union([T.Literal('get'), T.Literal('delete')]), key: Key }, { additionalProperties: false }),
  T.Object({ verb: T.Union([T.Literal('set'), T.Literal('add')]), key: Key, value: T.Unknown() }, { additionalProperties: false }),
  T.Object({ verb: T.Literal('replace'), key: Key, expected: T.Unknown(), value: T.Unknown() }, { additionalProperties: false }),
  T.Object(
    { verb: T.Literal('list'), key: Key, after: T.Optional(Key), limit: T.Optional(T.Integer({ minimum: 1, maximum: 1000 })) },
    { additionalProperties: false },
  ),
])
/** Type of {@link StorageRequest}. */
export type StorageRequest = Static<typeof StorageRequest>

/**
 * Messages of a process. `id` numbers its host calls; `call` is the call that a message belongs to. Arguments of host calls are validated
 * when handled, so that an adapter receives an error for wrong ones.
 */
const fromProcess = {
  /** The bytes are the manifest in JSON. */
  ready: message('ready', {}),
  failed: message('failed', { message: Text(500) }),
  /** The bytes are the value in JSON; none if it is undefined. Thus it is parsed only if it was requested and is not too long. */
  result: message('result', { call: Id }),
  /** The bytes are one part of a stream in JSON. */
  part: message('part', { call: Id }),
  failure: message('failure', { call: Id, failure: Failure }),
  fetch: message('fetch', { id: Id, call: Id, fetch: T.Unknown() }),
  storage: message('storage', { id: Id, call: Id, storage: T.Unknown() }),
  log: message('log', { call: Id, message: Text(2000), fields: T.Optional(T.Record(T.String(), T.Unknown())) }),
  pong: message('pong', {}),
} as const

/** Returns the schema of a message by its `type`, so that only one schema is checked; undefined for an unknown type. */
export const messageSchemaOf = (type: unknown): TSchema | undefined =>
  typeof type === 'string' && Object.hasOwn(fromProcess, type) ? fromProcess[type as keyof typeof fromProcess] : undefined

/** A message of a process to the server. */
export type ProcessMessage = { [K in keyof typeof fromProcess]: Static<(typeof fromProcess)[K]> }[keyof typeof fromProcess]

/** Data of a context without its functions. `now` is the server's clock in milliseconds since 1970. */
export interface PlainContext {
  readonly storeId: string
  readonly connectionId: string
  readonly credentials: AdapterContext['credentials']
  readonly settings: AdapterContext['settings']
  readonly now: number
}

/** A message of the server to a process. */
export type HostMessage =
  /** The bytes are the bundle's code. No other message is sent before the response `ready` or `failed`. */
  | { readonly type: 'load' }
  /** Calls `member` of the adapter `slug`. The body of a `request` (a callback) is in the bytes; the request is the first argument. */
  | {
      readonly type: 'call'
      readonly call: number
      readonly slug: string
      readonly member: string
      readonly context: PlainContext
      readonly args: readonly unknown[]
      readonly request?: object
      /** The result is streamed in parts. */
      readonly streams?: true
    }
  | { readonly type: 'abort'; readonly call: number }
  /** Response to `fetch`; the body is in the bytes. */
  | {
      readonly type: 'response'
      readonly id: number
      readonly now: number
      readonly status: number
      readonly headers: [string, string][]
      /** The body follows in pieces. */
      readonly streams?: true
    }
  /** Piece of a streamed body. The last one is empty, with the failure if the body broke off. */
  | { readonly type: 'piece'; readonly id: number; readonly now: number; readonly last?: true; readonly failure?: Failure }
  /** Response to `storage`. */
  | { readonly type: 'value'; readonly id: number; readonly now: number; readonly value?: unknown }
  | { readonly type: 'refused'; readonly id: number; readonly now: number; readonly failure: Failure }
  | { readonly type: 'ping' }
