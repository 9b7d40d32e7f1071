import { type Static, Type as T, type TSchema } from '@sinclair/typebox'
import type { AdapterContext } from '../../adapter.ts'

/**
 * What the server and an adapter's process say to each other. The server believes nothing: whatever comes from a process is checked
 * by these schemas, and what does not fit ends the process.
 */
const message = <K extends string, P extends Record<string, TSchema>>(type: K, properties: P) =>
  T.Object({ type: T.Literal(type), ...properties }, { additionalProperties: false })
const Text = (maxLength: number) => T.String({ maxLength })
const Id = T.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })

/** A failure as it crosses the border: plain and short. */
export const Failure = T.Object(
  {
    name: Text(60),
    message: Text(500),
    /** The lines of its stack that stand in the adapter's bundle. */
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
export type Failure = Static<typeof Failure>

/** One adapter of a bundle: its data as it declared it (checked where it is mounted), and which functions it has. */
export const Declared = T.Object(
  { data: T.Record(T.String(), T.Unknown()), functions: T.Array(Text(40), { maxItems: 60 }) },
  { additionalProperties: false },
)
export type Declared = Static<typeof Declared>
/** All adapters of a bundle. */
export const Manifest = T.Array(Declared, { minItems: 1, maxItems: 200 })

const FETCH_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
/** What `context.fetch` takes. The body stands in the frame's bytes where `hasBody`. */
export const FetchAsked = T.Object(
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
export type FetchAsked = Static<typeof FetchAsked>

const Key = Text(500)
/** What `context.memory` takes. */
export const MemoryAsked = T.Union([
  T.Object({ verb: T.Union([T.Literal('get'), T.Literal('delete')]), key: Key }, { additionalProperties: false }),
  T.Object({ verb: T.Union([T.Literal('set'), T.Literal('add')]), key: Key, value: T.Unknown() }, { additionalProperties: false }),
  T.Object({ verb: T.Literal('replace'), key: Key, expected: T.Unknown(), value: T.Unknown() }, { additionalProperties: false }),
  T.Object(
    { verb: T.Literal('list'), key: Key, after: T.Optional(Key), limit: T.Optional(T.Integer({ minimum: 1, maximum: 1000 })) },
    { additionalProperties: false },
  ),
])
export type MemoryAsked = Static<typeof MemoryAsked>

/**
 * `id` counts what a process asks for; `call` names the call on whose behalf. What exactly is asked for is checked where it is served:
 * an adapter that asks for nonsense is told so.
 */
const fromProcess = {
  /** The bytes are the manifest, in JSON. */
  ready: message('ready', {}),
  failed: message('failed', { message: Text(500) }),
  /** The bytes are the value, in JSON; nothing where it is undefined. So it is read only where it was asked for, and not too long. */
  result: message('result', { call: Id }),
  /** The bytes are a part of what a member streams, in JSON. */
  part: message('part', { call: Id }),
  failure: message('failure', { call: Id, failure: Failure }),
  fetch: message('fetch', { id: Id, call: Id, fetch: T.Unknown() }),
  memory: message('memory', { id: Id, call: Id, memory: T.Unknown() }),
  log: message('log', { call: Id, message: Text(2000), fields: T.Optional(T.Record(T.String(), T.Unknown())) }),
  pong: message('pong', {}),
} as const

/** By its `type`, so that a check reads one schema and not all of them. */
export const schemaOf = (type: unknown): TSchema | undefined =>
  typeof type === 'string' && Object.hasOwn(fromProcess, type) ? fromProcess[type as keyof typeof fromProcess] : undefined

export type FromProcess = { [K in keyof typeof fromProcess]: Static<(typeof fromProcess)[K]> }[keyof typeof fromProcess]

/** What stands in a context besides its functions. `now` is the server's clock, in milliseconds since 1970. */
export interface PlainContext {
  readonly storeId: string
  readonly connectionId: string
  readonly credentials: AdapterContext['credentials']
  readonly settings: AdapterContext['settings']
  readonly now: number
}

export type ToProcess =
  /** The bytes are the bundle's code. Nothing else is said before the answer, `ready` or `failed`. */
  | { readonly type: 'load' }
  /** `member` of the adapter `slug`. A `request` (of a callback) has its body in the bytes, and stands before the context. */
  | {
      readonly type: 'call'
      readonly call: number
      readonly slug: string
      readonly member: string
      readonly context: PlainContext
      readonly args: readonly unknown[]
      readonly request?: object
      /** It answers part by part. */
      readonly streams?: true
    }
  | { readonly type: 'abort'; readonly call: number }
  /** The answer to `fetch`: the body stands in the bytes. */
  | {
      readonly type: 'response'
      readonly id: number
      readonly now: number
      readonly status: number
      readonly headers: [string, string][]
      /** The body follows in pieces. */
      readonly streams?: true
    }
  /** A piece of a body that streams; the last has no bytes, and says why where it broke off. */
  | { readonly type: 'piece'; readonly id: number; readonly now: number; readonly last?: true; readonly failure?: Failure }
  /** The answer to `memory`. */
  | { readonly type: 'value'; readonly id: number; readonly now: number; readonly value?: unknown }
  | { readonly type: 'refused'; readonly id: number; readonly now: number; readonly failure: Failure }
  | { readonly type: 'ping' }
