import { Type as T } from '@sinclair/typebox'
import type { Derived } from '../kind.ts'
import { KIB, MIB, nothing, one, required, webhookOf } from '../member.ts'
import { exact, Maybe, oneOf, Printed } from '../schema.ts'
import {
  LinkAnswered,
  LinkAsked,
  OwnProductsAsked,
  ProductsAsked,
  PublicProducts,
  PullAsked,
  Pulled,
  ReadAsked,
  ReadOrder,
  ShopNews,
  StatusPushed,
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
  /** The header by which callbacks to the platform's one address say whose they are; it holds what `shop` does. */
  shopHeader: Maybe(T.String({ pattern: '^[a-z][a-z0-9-]{0,79}$' })),
}

/** What a platform can be asked, and what it may answer. */
export const members = {
  testConnection: required(one([], T.Object({ account: Maybe(Printed(500)) }), { bytes: 4 * KIB })),
  pull: required(one([PullAsked], Pulled, { bytes: 8 * MIB })),
  readOrder: one([ReadAsked], ReadOrder, { bytes: MIB }),
  subscribe: one([exact({ address: WebhookAddress })], Subscribed, { bytes: 8 * KIB }),
  unsubscribe: nothing([exact({ address: WebhookAddress })]),
  pushStatus: nothing([StatusPushed]),
  'link.address': required(one([LinkAsked], exact({ url: T.String({ maxLength: 4000 }) }), { bytes: 8 * KIB })),
  'link.read': required({ ...one([], LinkAnswered, { bytes: 8 * KIB }), inbound: true as const }),
  publicProducts: one([ProductsAsked], PublicProducts, { bytes: 20 * MIB }),
  ownProducts: one([OwnProductsAsked], PublicProducts, { bytes: 20 * MIB }),
  ...webhookOf(ShopNews),
}

export type ConnectorAdapter = Derived<typeof definition, typeof members>
