import { type Static, Type as T, type TProperties, type TSchema } from '@sinclair/typebox'
import type { Kind } from '../../../plugins/kind.ts'
import { kinds } from '../../../plugins/kinds.ts'
import { PRINTED } from '../../../plugins/schema.ts'
import { exact, Id, MapOf, Maybe, Nullable, named, oneOf, Timestamp } from '../../http/schema.ts'

const Values = MapOf(60, T.Union([T.String({ maxLength: 2000 }), T.Number(), T.Boolean()]), {
  maxProperties: 40,
  description: "as the adapter's fields say; see GET /v1/adapters",
})

/** Names a connection by its project and its id. */
export interface ConnectionRef {
  /** Empty if the connection belongs to the platform. */
  readonly projectId: string
  readonly id: string
}

/** State of a connection: `disabled` or `needs_attention` if that applies, else the result of its last test. */
const state = oneOf(['disabled', 'needs_attention', 'untested', 'connected', 'failed'])

/** Fields of a connection of any owner. */
const connectionFields = {
  id: Id,
  key: T.String({ description: "the adapter's slug" }),
  kind: T.String(),
  name: T.String({ description: 'distinguishes several connections to one adapter; empty if there is one' }),
  enabled: T.Boolean(),
  credentials: T.Record(T.String(), T.Unknown(), { description: 'secrets are masked' }),
  settings: T.Record(T.String(), T.Unknown()),
  state,
  status: oneOf(['untested', 'connected', 'failed'], { description: 'result of the last test' }),
  statusMessage: Nullable(T.String()),
  attention: Nullable(T.String({ description: 'why a user must act' })),
  attentionSince: Nullable(Timestamp),
  lastSuccessAt: Nullable(T.String({ format: 'date-time', description: 'time of the last successful call, accurate to a few minutes' })),
  createdAt: Timestamp,
  updatedAt: Timestamp,
}
/** Connection of a store, with masked secrets. */
export const Integration = named('Integration', T.Object({ ...connectionFields, storeId: Id }))
/** Type of {@link Integration}. */
export type Integration = Static<typeof Integration>
/** Connection of the platform, with masked secrets. */
export const PlatformIntegration = named('PlatformIntegration', T.Object(connectionFields))
/** Type of {@link PlatformIntegration}. */
export type PlatformIntegration = Static<typeof PlatformIntegration>

const Name = T.String({ maxLength: 80, pattern: PRINTED, description: 'of adapters that a store may have several connections to' })
/** Request to connect an adapter or to replace a connection. */
export const NewIntegration = named(
  'NewIntegration',
  exact({ enabled: T.Boolean(), name: Maybe(Name), credentials: Values, settings: Maybe(Values) }),
)
/** Type of {@link NewIntegration}. */
export type NewIntegration = Static<typeof NewIntegration>
/** Request to change parts of a connection. */
export const IntegrationChange = named(
  'IntegrationChange',
  exact({ enabled: Maybe(T.Boolean()), name: Maybe(Name), credentials: Maybe(Values), settings: Maybe(Values) }, { minProperties: 1 }),
)
/** Type of {@link IntegrationChange}. */
export type IntegrationChange = Static<typeof IntegrationChange>

/** Choice of one of several connections to an adapter. Other query parameters are ignored. */
export const ConnectionChoice = T.Object(
  { connection: Maybe(T.String({ minLength: 1, maxLength: 64, description: 'id of the connection, if there are several' })) },
  { additionalProperties: true },
)
/** Type of {@link ConnectionChoice}. */
export type ConnectionChoice = Static<typeof ConnectionChoice>

const FieldDescription = named(
  'FieldDescription',
  T.Object({
    name: T.String(),
    label: T.String(),
    type: oneOf(['text', 'number', 'boolean']),
    secret: T.Boolean(),
    required: T.Boolean(),
    default: Nullable(T.Union([T.String(), T.Number(), T.Boolean()])),
    options: Nullable(T.Array(T.String())),
    help: Nullable(T.String()),
  }),
)

/** Builds the schema of the constants that kinds list for their adapters. */
function listedProperties(all: readonly Kind[]): TProperties {
  const properties = all.flatMap(({ listed = [], definition }) =>
    listed.flatMap((name): [string, TSchema][] => (definition[name] ? [[name, T.Optional(definition[name])]] : [])),
  )
  return Object.fromEntries(properties)
}

/** Installed adapter, with the fields to connect it. */
const Adapter = named(
  'Adapter',
  T.Object({
    key: T.String(),
    kind: T.String(),
    label: T.String(),
    website: Nullable(T.String()),
    ...listedProperties(kinds),
    hosts: T.Array(T.String(), { description: 'hosts that it may reach' }),
    owners: T.Array(oneOf(['store', 'platform']), { description: 'who may have connections to it' }),
    several: T.Boolean({ description: 'whether a store may have several' }),
    oauth: T.Boolean({ description: 'whether a user signs in at the provider: POST …/oauth/start' }),
    operations: T.Array(T.String()),
    credentials: T.Array(FieldDescription),
    settings: T.Array(FieldDescription),
  }),
)
/** Query of the list of adapters. */
export const AdapterChoice = T.Object({
  kind: T.Optional(
    oneOf(
      kinds.map(({ name }) => name),
      { description: 'only adapters of this kind' },
    ),
  ),
})
/** Installed adapter, with its README. */
export const AdapterDetails = named(
  'AdapterInFull',
  T.Object({
    ...Adapter.properties,
    readme: Nullable(
      T.String({
        description: 'in Markdown, by its author: what it does, and how it deals with unknown behaviour of the provider',
      }),
    ),
  }),
)
/** Installed adapters, and for administrators those that are rejected or await approval. */
export const Adapters = named(
  'Adapters',
  T.Object({
    data: T.Array(Adapter),
    rejected: T.Array(T.Object({ folder: T.String(), reason: T.String() }), {
      description: 'adapters that could not be loaded; shown to administrators',
    }),
    pending: T.Array(
      T.Object({
        folder: T.String(),
        slugs: T.Array(T.String()),
        hash: T.String({ description: 'SHA-256 of its code' }),
        hosts: T.Array(T.String(), { description: 'hosts that it requests to reach' }),
        change: oneOf(['new', 'code', 'hosts']),
      }),
      { description: 'adapters that await approval; shown to administrators' },
    ),
  }),
)
