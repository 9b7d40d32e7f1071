import { Type as T } from '@sinclair/typebox'
import type { Derived } from '../kind.ts'
import { KIB, list, MIB, nothing, one, required, webhookOf } from '../member.ts'
import { exact, Maybe, Nullable, oneOf, Printed } from '../schema.ts'
import {
  AccountId,
  FormsAsked,
  Handed,
  LeadForm,
  LeadPage,
  LeadSetup,
  LinkAnswered,
  LinkAsked,
  OrderStates,
  OwnProductsAsked,
  ProductsAsked,
  PublicProducts,
  PullAsked,
  Pulled,
  ReadAsked,
  ReadOrder,
  SetUp,
  ShopNews,
  StatusPushed,
  StockLevels,
  Subscribed,
  WebhookAddress,
} from './model.ts'

/** The version of this contract. An adapter names the one that it was written for. */
export const CONTRACT = 1

export const installs = ['oauth', 'keys', 'link'] as const

const FieldName = T.String({ pattern: '^[a-z][A-Za-z0-9]{0,59}$' })

/** The constants of a platform of shops. */
export const definition = {
  /** How a shop is connected: its owner signs in, types keys in, or has a page of the shop send them. */
  install: T.Array(oneOf(installs), { minItems: 1, maxItems: 3 }),
  /** The setting that holds the shop's own host, where each shop has one. The connection reaches it beside `net`. */
  shop: Maybe(FieldName),
  /** What the hosts of shops that have none of their own end with: `shops.example` of `basket.shops.example`. */
  subdomainOf: Maybe(T.String({ pattern: '^[a-z0-9-]+(\\.[a-z0-9-]+)+$', maxLength: 253 })),
  /** The header by which callbacks to the platform's one address say whose they are; it holds what `shop` does. */
  shopHeader: Maybe(T.String({ pattern: '^[a-z][a-z0-9-]{0,79}$' })),
  /** After how long all that changed is read again; 240 unless said. */
  rereadMinutes: Maybe(T.Integer({ minimum: 1, maximum: 1440 })),
  /** Callbacks to the platform's one address say in their JSON whose they are: where, through lists as well (`entry.id`), and the setting that holds it. */
  shopInBody: Maybe(exact({ path: T.String({ pattern: '^[A-Za-z_]{1,40}(\\.[A-Za-z_]{1,40}){0,4}$' }), setting: FieldName })),
  /** No two of its shops have orders of one id: by an order that was brought over before it is known which shop a connection is of. */
  uniqueOrders: Maybe(T.Literal(true)),
  /** It is the app that a shop tells, once for all connections of the shop by the same client: `unsubscribe` ends that for all of them. */
  subscribesApp: Maybe(T.Literal(true)),
}

/** What a platform can be asked, and what it may answer. */
export const members = {
  testConnection: required(one([], T.Object({ account: Maybe(Printed(500)) }), { bytes: 4 * KIB })),
  /** Whose shop it is, where no setting says that; null where nobody knows yet. */
  account: one([], Nullable(AccountId), { bytes: 4 * KIB }),
  pull: required(one([PullAsked], Pulled, { bytes: 8 * MIB })),
  readOrder: one([ReadAsked], ReadOrder, { bytes: MIB }),
  subscribe: one([exact({ address: WebhookAddress })], Subscribed, { bytes: 8 * KIB }),
  unsubscribe: nothing([exact({ address: WebhookAddress })]),
  pushStatus: nothing([StatusPushed]),
  pushStates: nothing([OrderStates]),
  /** Sets the stock of goods in the shop, by their SKUs; the same told again changes nothing. */
  pushStock: nothing([StockLevels]),
  'link.address': required(one([LinkAsked], exact({ url: T.String({ maxLength: 4000 }) }), { bytes: 8 * KIB })),
  'link.read': required({ ...one([], LinkAnswered, { bytes: 8 * KIB }), inbound: true as const }),
  publicProducts: one([ProductsAsked], PublicProducts, { bytes: 20 * MIB }),
  ownProducts: one([OwnProductsAsked], PublicProducts, { bytes: 20 * MIB }),
  pages: list([], LeadPage, 200),
  forms: list([FormsAsked], LeadForm, 500),
  /** Answers of these forms, and of no others, become orders from then on; asked again, of what is named now. */
  configure: one([LeadSetup], SetUp, { bytes: 8 * KIB }),
  ...webhookOf(ShopNews),
  /**
   * Where the shop's owner says yes at the platform and not here: the tokens that a callback hands over, once `webhook.verify` believed it.
   * Such a callback is kept nowhere. Whoever can prove a callback must not get at another shop's: it is for the adapter to look whose they are.
   */
  'webhook.tokens': { ...one([], Handed, { bytes: 16 * KIB }), inbound: true as const },
}

export type ConnectorAdapter = Derived<typeof definition, typeof members>
