import { type Static, Type as T, type TProperties, type TSchema } from '@sinclair/typebox'
import type { Kind } from '../../../plugins/kind.ts'
import { kinds } from '../../../plugins/kinds.ts'
import { PRINTED } from '../../../plugins/schema.ts'
import { exact, Id, MapOf, Maybe, Nullable, named, oneOf, Timestamp } from '../../http/schema.ts'

const Values = MapOf(60, T.Union([T.String({ maxLength: 2000 }), T.Number(), T.Boolean()]), {
  maxProperties: 40,
  description: "as the adapter's fields say; see GET /v1/adapters",
})

/** How a connection goes: what a person said, what a person has to see to, and else how its last test went. */
const state = oneOf(['disabled', 'needs_attention', 'untested', 'connected', 'failed'])

/** What a connection shows, whoever has it. */
const shown = {
  id: Id,
  key: T.String({ description: "the adapter's slug" }),
  kind: T.String(),
  name: T.String({ description: 'tells several connections to one adapter apart; empty where there is one' }),
  enabled: T.Boolean(),
  credentials: T.Record(T.String(), T.Unknown(), { description: 'secrets are masked' }),
  settings: T.Record(T.String(), T.Unknown()),
  state,
  status: oneOf(['untested', 'connected', 'failed'], { description: 'how its last test went' }),
  statusMessage: Nullable(T.String()),
  attention: Nullable(T.String({ description: 'why a person has to see to it' })),
  attentionSince: Nullable(Timestamp),
  lastSuccessAt: Nullable(
    T.String({ format: 'date-time', description: 'when the other side last did what it was asked, to within minutes' }),
  ),
  createdAt: Timestamp,
  updatedAt: Timestamp,
}
export const Integration = named('Integration', T.Object({ ...shown, storeId: Id }))
export type Integration = Static<typeof Integration>
export const PlatformIntegration = named('PlatformIntegration', T.Object(shown))
export type PlatformIntegration = Static<typeof PlatformIntegration>

const Name = T.String({ maxLength: 80, pattern: PRINTED, description: 'of adapters that a store may have several connections to' })
export const NewIntegration = named(
  'NewIntegration',
  exact({ enabled: T.Boolean(), name: Maybe(Name), credentials: Values, settings: Maybe(Values) }),
)
export type NewIntegration = Static<typeof NewIntegration>
export const IntegrationChange = named(
  'IntegrationChange',
  exact({ enabled: Maybe(T.Boolean()), name: Maybe(Name), credentials: Maybe(Values), settings: Maybe(Values) }, { minProperties: 1 }),
)
export type IntegrationChange = Static<typeof IntegrationChange>

/** Which of several connections to one adapter is meant. Whatever else is said was never looked at. */
export const Choice = T.Object(
  { connection: Maybe(T.String({ minLength: 1, maxLength: 64, description: 'its id, where there are several' })) },
  { additionalProperties: true },
)
export type Choice = Static<typeof Choice>

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

/** The constants that a kind lists, each with the schema of its definition. */
function listedOf(all: readonly Kind[]): TProperties {
  const properties = all.flatMap(({ listed = [], definition }) =>
    listed.flatMap((name): [string, TSchema][] => (definition[name] ? [[name, T.Optional(definition[name])]] : [])),
  )
  return Object.fromEntries(properties)
}

export const Adapter = named(
  'Adapter',
  T.Object({
    key: T.String(),
    kind: T.String(),
    label: T.String(),
    website: Nullable(T.String()),
    ...listedOf(kinds),
    hosts: T.Array(T.String(), { description: 'all that it may reach' }),
    owners: T.Array(oneOf(['store', 'platform']), { description: 'who may have connections to it' }),
    several: T.Boolean({ description: 'whether a store may have several' }),
    oauth: T.Boolean({ description: 'whether somebody signs in at the other side: POST …/oauth/start' }),
    operations: T.Array(T.String()),
    credentials: T.Array(FieldDescription),
    settings: T.Array(FieldDescription),
  }),
)
/** All that whoever connects it has to know. */
export const AdapterInFull = named(
  'AdapterInFull',
  T.Object({
    ...Adapter.properties,
    readme: Nullable(
      T.String({ description: 'in Markdown, by its author: what it does, what is not known of the other side and how that is kept to' }),
    ),
  }),
)
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
        hosts: T.Array(T.String(), { description: 'all that it wants to reach' }),
        change: oneOf(['new', 'code', 'hosts']),
      }),
      { description: 'adapters that wait to be approved; shown to administrators' },
    ),
  }),
)
