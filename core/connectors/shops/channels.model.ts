import { type Static, Type as T } from '@sinclair/typebox'
import { ExternalItem, orderWhys, ShownMoney } from '../../../plugins/connector/model.ts'
import { exact, Id, Maybe, Nullable, named, oneOf, Text, Timestamp } from '../../http/schema.ts'
import { NewIntegration } from '../../integrations/connections/connections.model.ts'

export type { ExternalItem, ExternalOrder, ShopNews, UnreadableOrder } from '../../../plugins/connector/model.ts'

export const Platform = Text(60, 1)

export const NewConnector = named(
  'NewConnector',
  exact({
    platform: { ...Platform, description: "the adapter's slug; see GET /v1/adapters" },
    name: NewIntegration.properties.name,
    enabled: Maybe(T.Boolean()),
    credentials: NewIntegration.properties.credentials,
    settings: NewIntegration.properties.settings,
  }),
)

/** Why an order of the shop is none of ours yet, or why what changed there was not followed. */
export const whys = orderWhys
export type Why = (typeof whys)[number]

export const Reading = named(
  'ConnectorPull',
  T.Object({
    status: oneOf(['idle', 'queued', 'running', 'done', 'failed']),
    since: Nullable(Timestamp, {
      description: 'from when on orders are read that were made or changed, by the reading that is under way or was last',
    }),
    nextSince: Nullable(Timestamp, {
      description:
        'from when on the next reading begins unless `since` is named. Before the first one that is when the shop was connected: name an earlier `since` for older orders',
    }),
    seen: T.Integer({ description: 'orders that were read' }),
    changed: T.Integer({ description: 'those of them that made or changed something here' }),
    unreadable: T.Integer({ description: 'those of them that could not be read: they wait in the inbox, each with its reason' }),
    total: Nullable(T.Integer({ description: 'how many there are, where the shop says so' })),
    message: Nullable(T.String()),
    startedAt: Nullable(Timestamp),
    finishedAt: Nullable(Timestamp),
    nextAt: Timestamp,
  }),
)

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
      description: 'how its last test went: `failed` right after it was connected says that its keys or its address are wrong',
    }),
    statusMessage: Nullable(T.String({ description: 'why it failed' })),
    webhookUrl: Nullable(T.String(), { description: 'the address of ours that this shop calls back; null where it calls nobody' }),
    webhooks: T.Object({
      subscribedAt: Nullable(Timestamp),
      message: Nullable(T.String({ description: 'why the shop could not be asked to call back' })),
    }),
    pull: Reading,
    orders: T.Object({ taken: T.Integer(), waiting: T.Integer(), notFollowed: T.Integer() }),
    createdAt: Timestamp,
  }),
)
/** Type of {@link Connector}. */
export type Connector = Static<typeof Connector>

export const PullOrders = named(
  'PullOrders',
  exact({
    since: Maybe(
      T.String({ format: 'date-time', description: 'from when on, and not one to come; else from where the last reading ended' }),
    ),
    callbacks: Maybe(
      T.Boolean({ description: 'what the shop called us with, since then if that is said, is worked again as well; it is kept 30 days' }),
    ),
  }),
)

/** Goods that somebody has to say what they are, or has. */
export const ConnectorGoods = named(
  'ConnectorGoods',
  T.Object({
    id: Id,
    sku: Nullable(T.String()),
    name: T.String(),
    variant: Nullable(T.String()),
    waiting: T.Integer({ description: 'orders that wait for it' }),
    productId: Nullable(Id, {
      description: 'what somebody said that it is; of what is not matched, what it was before that went off sale',
    }),
    variantId: Nullable(Id),
    matchedAt: Nullable(Timestamp),
    createdAt: Timestamp,
  }),
)
export const GoodsMatch = named('GoodsMatch', exact({ productId: Id, variantId: Maybe(Nullable(Id)) }))
/** Type of {@link GoodsMatch}. */
export type GoodsMatch = Static<typeof GoodsMatch>
export const MatchedGoods = named('MatchedGoods', T.Object({ ...ConnectorGoods.properties, productId: Id, matchedAt: Timestamp }))

export const orderStates = ['waiting', 'taken', 'over'] as const
/** An order of the shop, and what became of it here. */
export const ConnectorOrder = named(
  'ConnectorOrder',
  T.Object({
    id: Id,
    externalId: T.String(),
    number: T.String(),
    state: oneOf(orderStates),
    why: Nullable(oneOf(whys)),
    message: Nullable(T.String()),
    orderId: Nullable(Id),
    status: T.String({ description: 'where the shop stands with it' }),
    total: ShownMoney,
    currency: T.String(),
    customerName: T.String(),
    items: T.Array(T.Object({ ...ExternalItem.properties, unitPrice: ShownMoney, lineTotal: Maybe(ShownMoney) })),
    raw: Nullable(T.Unknown(), { description: 'of an order that could not be read (`why: unreadable`): JSON of what the shop sent' }),
    changedAt: Timestamp,
    createdAt: Timestamp,
  }),
)
/** Type of {@link ConnectorOrder}. */
export type ConnectorOrder = Static<typeof ConnectorOrder>
