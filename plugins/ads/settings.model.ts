import { type Static, Type as T } from '@sinclair/typebox'
import { exact, Maybe, Nullable, namedSchema, oneOf, PrintableText } from '../schema.ts'
import { EventName } from './events.model.ts'
import { ExternalId } from './model.ts'

/** Maximum number of pixel rules of a connection. */
const RULES_MAX = 20
/** Maximum number of linked ad accounts. */
const ACCOUNTS_MAX = 20

/** Rule of a store: an order that reaches `status` is sent as this event of this pixel. */
export const PixelRule = namedSchema(
  'PixelRule',
  exact({
    status: { ...PrintableText(40, 1), description: 'status of an order' },
    event: { ...EventName, description: 'each order is sent at most once for each event of a pixel' },
    pixelId: ExternalId,
    value: Maybe(T.Boolean({ default: true, description: 'true to send the total of the order' })),
  }),
)
/** Type of {@link PixelRule}. */
export type PixelRule = Static<typeof PixelRule>
/** Change of a connection's advertising settings. */
export const AdsSettingsChange = namedSchema(
  'AdsSettingsChange',
  exact(
    {
      accountIds: Maybe(T.Array(ExternalId, { maxItems: ACCOUNTS_MAX, uniqueItems: true, description: 'accounts whose spend is read' })),
      rules: Maybe(T.Array(PixelRule, { maxItems: RULES_MAX, uniqueItems: true })),
    },
    { minProperties: 1 },
  ),
)
/** Type of {@link AdsSettingsChange}. */
export type AdsSettingsChange = Static<typeof AdsSettingsChange>
const Timestamp = T.String({ format: 'date-time' })
/** Advertising settings of a connection, with their state. */
export const AdsSettings = namedSchema(
  'AdsSettings',
  T.Object({
    connectionId: T.String(),
    accounts: T.Array(
      T.Object({
        id: T.String(),
        name: T.String(),
        currency: T.String(),
        timeZone: T.String(),
        readAt: Nullable(Timestamp, { description: 'time when its spend was last read' }),
        problem: Nullable(T.String()),
      }),
    ),
    rules: T.Array(
      T.Object({
        id: T.String(),
        status: T.String(),
        event: T.String(),
        pixelId: T.String(),
        value: T.Boolean(),
        since: { ...Timestamp, description: 'earlier orders with this status are not sent' },
      }),
    ),
    events: T.Object({ waiting: T.Integer(), sent: T.Integer(), refused: T.Integer(), late: T.Integer() }),
  }),
)
/** Type of {@link AdsSettings}. */
export type AdsSettings = Static<typeof AdsSettings>

/** Level of a link: a campaign or an ad. */
export const LinkLevel = oneOf(['campaign', 'ad'])
/** Link of a campaign or an ad to a product and a landing page. */
export const AdLink = namedSchema(
  'AdLink',
  T.Object({
    id: T.String(),
    level: LinkLevel,
    externalId: T.String({ description: 'id of the ad or the campaign' }),
    campaignId: T.String(),
    name: T.String(),
    url: Nullable(T.String()),
    productId: Nullable(T.String()),
    landingPageId: Nullable(T.String()),
    by: oneOf(['url', 'person'], {
      description: 'how the link came about',
    }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
)
/** Type of {@link AdLink}. */
export type AdLink = Static<typeof AdLink>
/** Change of a link. */
export const AdLinkChange = namedSchema(
  'AdLinkChange',
  exact({ productId: Maybe(Nullable(PrintableText(64, 1))), landingPageId: Maybe(Nullable(PrintableText(100, 1))) }, { minProperties: 1 }),
)
/** Type of {@link AdLinkChange}. */
export type AdLinkChange = Static<typeof AdLinkChange>
