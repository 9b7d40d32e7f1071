import { type Static, Type as T } from '@sinclair/typebox'
import { exact, Id, MapOf, Maybe, Nullable, named, oneOf, Timestamp } from '../../http/schema.ts'

const Values = MapOf(60, T.Union([T.String({ maxLength: 2000 }), T.Number(), T.Boolean()]), {
  maxProperties: 40,
  description: "as the adapter's fields say; see GET /v1/adapters",
})

export const Integration = named(
  'Integration',
  T.Object({
    id: Id,
    key: T.String({ description: "the adapter's slug" }),
    kind: T.String(),
    storeId: Id,
    enabled: T.Boolean(),
    credentials: T.Record(T.String(), T.Unknown(), { description: 'secrets are masked' }),
    settings: T.Record(T.String(), T.Unknown()),
    status: oneOf(['untested', 'connected', 'failed']),
    statusMessage: Nullable(T.String()),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
)
export type Integration = Static<typeof Integration>

export const NewIntegration = named('NewIntegration', exact({ enabled: T.Boolean(), credentials: Values, settings: Maybe(Values) }))
export type NewIntegration = Static<typeof NewIntegration>
export const IntegrationChange = named(
  'IntegrationChange',
  exact({ enabled: Maybe(T.Boolean()), credentials: Maybe(Values), settings: Maybe(Values) }, { minProperties: 1 }),
)
export type IntegrationChange = Static<typeof IntegrationChange>

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

export const Adapter = named(
  'Adapter',
  T.Object({
    key: T.String(),
    kind: T.String(),
    label: T.String(),
    website: Nullable(T.String()),
    countries: T.Array(T.String()),
    currency: T.String(),
    hosts: T.Array(T.String(), { description: 'all that it may reach' }),
    exactlyOnce: T.String(),
    deliveryTypes: T.Array(T.String()),
    operations: T.Array(T.String()),
    credentials: T.Array(FieldDescription),
    settings: T.Array(FieldDescription),
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
