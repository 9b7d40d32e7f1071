import { type Static, Type as T } from '@sinclair/typebox'
import { ExternalItem, orderWhys } from '../../../plugins/connector/model.ts'
import { ShownMoney } from '../../../plugins/connector/products.model.ts'
import { exact, Id, Maybe, Nullable, named, oneOf, Text, Timestamp } from '../../http/schema.ts'
import { NewIntegration } from '../../integrations/connections/connections.model.ts'

export type { ExternalItem, ExternalOrder, ShopEvent, UnreadableOrder } from '../../../plugins/connector/model.ts'

/** Slug of the connector adapter. */
export const PlatformSlug = Text(60, 1)

/** Request to connect a shop. */
export const NewConnector = named(
  'NewConnector',
  exact({
    platform: { ...PlatformSlug, description: "the adapter's slug; see GET /v1/adapters" },
    name: NewIntegration.properties.name,
    enabled: Maybe(T.Boolean()),
    credentials: NewIntegration.properties.credentials,
    settings: NewIntegration.properties.settings,
  }),
)

/** Reasons for which a shop's order was not imported, or a change of it not applied. */
export const importProblems = orderWhys
/** Reason in {@link importProblems}. */
export type ImportProblem = (typeof importProblems)[number]

/** State of the latest pull of orders. */
const PullState = named(
  'ConnectorPull',
  T.Object({
    status: oneOf(['idle', 'queued', 'running', 'done', 'failed']),
    since: Nullable(Timestamp, {
      description: 'orders created or changed since then are read by the current or last pull',
    }),
    nextSince: Nullable(Timestamp, {
      description:
        'start of the next pull if no `since` is given. Before the first pull this is the time of connection; give an earlier `since` for older orders',
    }),
    seen: T.Integer({ description: 'orders that were read' }),
    changed: T.Integer({ description: 'those of them that created or changed something here' }),
    unreadable: T.Integer({ description: 'those of them that could not be read: they wait in the inbox, each with its reason' }),
    total: Nullable(T.Integer({ description: 'how many there are, if the shop reports it' })),
    message: Nullable(T.String()),
    startedAt: Nullable(Timestamp),
    finishedAt: Nullable(Timestamp),
    nextAt: Timestamp,
  }),
)

/** Connected shop, with the state of its webhooks, pull and orders. */
export const Connector = named(
  'Connector',
  T.Object({
    id: Id,
    storeId: Id,
    platform: T.String(),
    name: T.String(),
    enabled: T.Boolean(),
    shop: Nullable(T.String()),
    status: oneOf(['untested', 'connected', 'failed'], {
      description: 'result of the last test',
    }),
    statusMessage: Nullable(T.String({ description: 'why it failed' })),
    webhookUrl: Nullable(T.String(), { description: 'our address for the webhooks of this shop; null if it sends none' }),
    webhooks: T.Object({
      subscribedAt: Nullable(Timestamp),
      message: Nullable(T.String({ description: 'why the webhooks could not be registered at the shop' })),
    }),
    pull: PullState,
    orders: T.Object({ taken: T.Integer(), waiting: T.Integer(), notFollowed: T.Integer() }),
    createdAt: Timestamp,
  }),
)
/** Type of {@link Connector}. */
export type Connector = Static<typeof Connector>

/** Request to pull orders from a shop. */
export const PullRequest = named(
  'PullOrders',
  exact({
    since: Maybe(
      T.String({ format: 'date-time', description: 'start of the period, not in the future; by default the end of the last pull' }),
    ),
    callbacks: Maybe(
      T.Boolean({ description: 'also processes received webhooks again, those since `since` if given; webhooks are kept for 30 days' }),
    ),
  }),
)

/** Item of a shop that needs or has a match in the catalogue. */
export const ConnectorGoods = named(
  'ConnectorGoods',
  T.Object({
    id: Id,
    sku: Nullable(T.String()),
    name: T.String(),
    variant: Nullable(T.String()),
    waiting: T.Integer({ description: 'orders that wait for it' }),
    productId: Nullable(Id, {
      description: 'the matched product; without `matchedAt`, the product that it was matched with before that went off sale',
    }),
    variantId: Nullable(Id),
    matchedAt: Nullable(Timestamp),
    createdAt: Timestamp,
  }),
)
/** Request that matches an item with a product. */
export const GoodsMatch = named('GoodsMatch', exact({ productId: Id, variantId: Maybe(Nullable(Id)) }))
/** Type of {@link GoodsMatch}. */
export type GoodsMatch = Static<typeof GoodsMatch>
/** Item with its matched product. */
export const MatchedGoods = named('MatchedGoods', T.Object({ ...ConnectorGoods.properties, productId: Id, matchedAt: Timestamp }))

/** States of a shop's order. */
export const connectorOrderStates = ['waiting', 'taken', 'over'] as const
/** Order of a shop and its state here. */
export const ConnectorOrder = named(
  'ConnectorOrder',
  T.Object({
    id: Id,
    externalId: T.String(),
    number: T.String(),
    state: oneOf(connectorOrderStates),
    why: Nullable(oneOf(importProblems)),
    message: Nullable(T.String()),
    orderId: Nullable(Id),
    status: T.String({ description: 'its status at the shop' }),
    total: ShownMoney,
    currency: T.String(),
    customerName: T.String(),
    items: T.Array(T.Object({ ...ExternalItem.properties, unitPrice: ShownMoney, lineTotal: Maybe(ShownMoney) })),
    raw: Nullable(T.Unknown(), {
      description: 'the JSON that the shop sent, while the order waits or its change is not applied (`why` is set)',
    }),
    changedAt: Timestamp,
    createdAt: Timestamp,
  }),
)
/** Type of {@link ConnectorOrder}. */
export type ConnectorOrder = Static<typeof ConnectorOrder>
