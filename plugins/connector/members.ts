import { Type as T } from '@sinclair/typebox'
import type { DerivedAdapter } from '../kind.ts'
import { KIB, list, MIB, nothing, one, requiredMember, webhookOf } from '../member.ts'
import { exact, Maybe, Nullable, oneOf, PrintableText } from '../schema.ts'
import { HandedTokens, LinkAnswered, LinkAsked, SetUp } from './linking.model.ts'
import {
  AccountId,
  FormsAsked,
  LeadForm,
  LeadPage,
  LeadSetup,
  OrderStates,
  PullAsked,
  Pulled,
  ReadAsked,
  ReadOrder,
  ShopEvent,
  StatusPushed,
  StockLevels,
  Subscribed,
  WebhookAddress,
} from './model.ts'
import { OwnProductsAsked, ProductsAsked, PublicProducts } from './products.model.ts'

/** Version of this contract. An adapter names the version that it implements. */
export const CONTRACT = 2

/** Ways to connect a shop. */
const installs = ['oauth', 'keys', 'link'] as const

const FieldName = T.String({ pattern: '^[a-z][A-Za-z0-9]{0,59}$' })

/** Constants of a shop platform. */
export const definition = {
  /** Ways to connect a shop: its owner signs in, enters keys, or has a page of the shop send them. */
  install: T.Array(oneOf(installs), { minItems: 1, maxItems: 3 }),
  /** Setting with the shop's own host, if each shop has one. The connection may reach it in addition to `net`. */
  shop: Maybe(FieldName),
  /** Domain of the hosts that the platform gives to its shops: `shops.example` for `basket.shops.example`. */
  subdomainOf: Maybe(T.String({ pattern: '^[a-z0-9-]+(\\.[a-z0-9-]+)+$', maxLength: 253 })),
  /** Header that identifies the shop in callbacks to the platform's single address. Its value equals the setting `shop`. */
  shopHeader: Maybe(T.String({ pattern: '^[a-z][a-z0-9-]{0,79}$' })),
  /** Interval in minutes after which all changes are read again; 240 by default. */
  rereadMinutes: Maybe(T.Integer({ minimum: 1, maximum: 1440 })),
  /**
   * Identification of the shop in the JSON of callbacks to the platform's single address: the path (also through lists: `entry.id`), and
   * the setting with the value.
   */
  shopInBody: Maybe(exact({ path: T.String({ pattern: '^[A-Za-z_]{1,40}(\\.[A-Za-z_]{1,40}){0,4}$' }), setting: FieldName })),
  /** True if order ids are unique over all shops of the platform. An imported order then identifies the shop of a connection. */
  uniqueOrders: Maybe(T.Literal(true)),
  /**
   * True if a subscription belongs to the app, once for all connections of a shop with the same client. `unsubscribe` then ends it for all
   * of them.
   */
  subscribesApp: Maybe(T.Literal(true)),
}

/** Functions of a shop platform, with the schemas of their arguments and results. */
export const members = {
  testConnection: requiredMember(one([], T.Object({ account: Maybe(PrintableText(500)) }), { bytes: 4 * KIB })),
  /** Returns the platform's id of the shop, if no setting holds it; null if it is not known yet. */
  account: one([], Nullable(AccountId), { bytes: 4 * KIB }),
  pull: requiredMember(one([PullAsked], Pulled, { bytes: 8 * MIB })),
  readOrder: one([ReadAsked], ReadOrder, { bytes: MIB }),
  subscribe: one([exact({ address: WebhookAddress })], Subscribed, { bytes: 8 * KIB }),
  unsubscribe: nothing([exact({ address: WebhookAddress })]),
  pushStatus: nothing([StatusPushed]),
  pushStates: nothing([OrderStates]),
  /** Sets the stock of products in the shop by their SKUs. Idempotent. */
  pushStock: nothing([StockLevels]),
  'link.address': requiredMember(one([LinkAsked], exact({ url: T.String({ maxLength: 4000 }) }), { bytes: 8 * KIB })),
  'link.read': requiredMember({ ...one([], LinkAnswered, { bytes: 8 * KIB }), inbound: true as const }),
  publicProducts: one([ProductsAsked], PublicProducts, { bytes: 20 * MIB }),
  ownProducts: one([OwnProductsAsked], PublicProducts, { bytes: 20 * MIB }),
  pages: list([], LeadPage, 200),
  forms: list([FormsAsked], LeadForm, 500),
  /** Selects the lead forms whose answers become orders from now on. A repeated call replaces the selection. */
  configure: one([LeadSetup], SetUp, { bytes: 8 * KIB }),
  ...webhookOf(ShopEvent, {
    /** The callback is proven, but cannot be read now. It is stored, and read again later. */
    unread: { signed: T.Boolean() },
    /**
     * The callback is proven and delivers tokens, since the shop's owner gives consent at the platform. It is not stored. `tokens` is absent
     * if they are not for this connection.
     */
    tokens: { tokens: Maybe(HandedTokens) },
  }),
}

/** Adapter of a shop platform. */
export type ConnectorAdapter = DerivedAdapter<typeof definition, typeof members>
