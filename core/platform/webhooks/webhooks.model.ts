import { type Static, Type as T, type TObject } from '@sinclair/typebox'
import { SHOWN_AS } from '../../http/openapi/to-openapi30.ts'
import { defineList, type ListQuery } from '../../http/resource/list.ts'
import { exact, Id, Nullable, named, oneOf, stated, Text, Timestamp, WEB_ADDRESS } from '../../http/schema.ts'
import { type EndpointFamily, eventsSchema } from './events.ts'

/** Maximum endpoints of a project. Each adds a delivery to every event that it subscribed to. */
export const ENDPOINTS_MAX = 100

/** States of a delivery. */
const deliveryStatuses = ['pending', 'delivered', 'failed', 'cancelled'] as const

const Url = stated(T.String({ minLength: 1, maxLength: 2048, description: 'HTTPS, on the public internet' }), WEB_ADDRESS)
const Events = T.Array(T.String({ minLength: 1, maxLength: 500 }), {
  minItems: 1,
  maxItems: 100,
  description: 'names of events; inventory.stock.changed:{namespace}/{key}, where either part may be or end in *; or "*" alone for all',
})
const Ordered = T.Boolean({
  description: 'one at a time per parcel, in order; a delivery waits at most 10 minutes for earlier ones',
})
const MaxPerSecond = T.Integer({
  minimum: 1,
  maximum: 1000,
  description: 'how many deliveries a second the receiver takes',
})

/** Schema of an endpoint, as the API shows it. */
export const WebhookEndpoint = named(
  'WebhookEndpoint',
  T.Object({
    id: Id,
    projectId: Id,
    url: T.String(),
    description: T.String(),
    events: T.Array(T.String()),
    ordered: Ordered,
    maxPerSecond: Nullable(MaxPerSecond),
    enabled: T.Boolean(),
    disabledReason: Nullable(oneOf(['by_owner', 'gone', 'failing'], { description: 'why it is disabled; null while it is enabled' })),
    failingSince: Nullable(Timestamp),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
)
/** Type of {@link WebhookEndpoint}. */
export type WebhookEndpoint = Static<typeof WebhookEndpoint>

/** Schema of a new endpoint with its secret. */
export const CreatedWebhookEndpoint = named(
  'CreatedWebhookEndpoint',
  T.Composite([WebhookEndpoint, T.Object({ secret: T.String({ description: 'whsec_…, shown this once; signs deliveries, as a whole' }) })]),
)
/** Schema of an endpoint with its new secret. */
export const RotatedSecret = named('RotatedSecret', T.Composite([CreatedWebhookEndpoint, T.Object({ previousSecretsUntil: Timestamp })]))

const settings = {
  description: T.Optional(Text(500)),
  ordered: T.Optional(Ordered),
  maxPerSecond: T.Optional(Nullable(MaxPerSecond)),
  enabled: T.Optional(T.Boolean()),
}
/** Returns the same schema for validation, with the accepted event names in its OpenAPI form. */
export function withEventNames<S extends TObject>(schema: S, family: EndpointFamily): S {
  const { events, ...others } = schema.properties
  return events ? { ...schema, properties: { ...others, events: { ...events, [SHOWN_AS]: eventsSchema(family) } } } : schema
}

/** Schema of the body that creates an endpoint. */
export const NewWebhookEndpoint = named('NewWebhookEndpoint', exact({ url: Url, events: Events, ...settings }))
/** Type of {@link NewWebhookEndpoint}. */
export type NewWebhookEndpoint = Static<typeof NewWebhookEndpoint>
/** Schema of the body that changes an endpoint. */
export const WebhookEndpointChange = named(
  'WebhookEndpointChange',
  exact({ url: T.Optional(Url), events: T.Optional(Events), ...settings }, { minProperties: 1 }),
)
/** Type of {@link WebhookEndpointChange}. */
export type WebhookEndpointChange = Static<typeof WebhookEndpointChange>
/** Schema of the body that rotates a secret. */
export const SecretRotation = Nullable(
  exact({
    overlapHours: T.Optional(T.Number({ minimum: 0, maximum: 168, default: 24, description: 'hours for which the old secret also signs' })),
  }),
)

/** Schema of an attempt of a delivery. */
export const DeliveryAttempt = named(
  'DeliveryAttempt',
  T.Object({
    id: T.String({ description: 'X-Service-Cloud-Delivery' }),
    at: Timestamp,
    url: T.String(),
    signature: T.String(),
    durationMs: T.Integer(),
    status: Nullable(T.Integer({ description: 'of HTTP; null where no answer came' })),
    responseType: Nullable(T.String()),
    responseHead: Nullable(T.String({ description: 'the first 1 KiB of the body' })),
    error: Nullable(T.String()),
  }),
)
/** Type of {@link DeliveryAttempt}. */
export type DeliveryAttempt = Static<typeof DeliveryAttempt>

/** Schema of a delivery, as the API shows it. */
export const Delivery = named(
  'Delivery',
  T.Object({
    id: Id,
    endpointId: Id,
    eventId: Id,
    eventType: T.String(),
    status: oneOf(deliveryStatuses),
    attemptCount: T.Integer(),
    nextAttemptAt: Nullable(Timestamp),
    createdAt: Timestamp,
    completedAt: Nullable(Timestamp),
    redeliveryOf: Nullable(Id),
    request: T.Object(
      {
        method: T.String(),
        url: T.String(),
        headers: T.Record(T.String(), T.String()),
        body: Nullable(T.String({ description: 'the exact bytes; null when the event is no longer kept' })),
      },
      { description: 'of the last attempt, or of the first one to come' },
    ),
    response: Nullable(
      T.Object(
        { status: T.Integer(), contentType: Nullable(T.String()), bodyHead: T.String(), durationMs: T.Integer() },
        { description: 'of the last attempt' },
      ),
    ),
    attempts: T.Array(DeliveryAttempt),
  }),
)
/** Type of {@link Delivery}. */
export type Delivery = Static<typeof Delivery>

/** List of deliveries, with filters by status and event type. */
export const deliveryList = defineList({
  mayBeOld: true,
  filters: { status: oneOf(deliveryStatuses), eventType: T.String({ maxLength: 100 }) },
})
/** Query of {@link deliveryList}. */
export type DeliveryQuery = ListQuery<typeof deliveryList.filters>
