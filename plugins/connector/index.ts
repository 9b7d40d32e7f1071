import type { Adapter, AdapterContext, Fields } from '../adapter.ts'
import type { ConnectorAdapter } from './members.ts'

/** Module `serai/connector` for adapters of shop platforms: the contract, and tools for what many APIs have in common. */
export {
  type AdapterContext,
  AdapterError,
  type AdapterStorage,
  type ChallengeAnswer,
  type FetchInit,
  type Field,
  type Fields,
  type InboundRequest,
  type RateWindow,
} from '../adapter.ts'
export * from '../toolkit/ask.ts'
export * from '../toolkit/proof.ts'
export * from '../toolkit/values.ts'
export * from './lines.ts'
export type { Handed, HandedTokens, LinkAnswered, LinkAsked, SetUp } from './linking.model.ts'
export type { ConnectorAdapter } from './members.ts'
export type {
  ExternalItem,
  ExternalOrder,
  FormsAsked,
  LeadField,
  LeadForm,
  LeadPage,
  LeadSetup,
  OrderSource,
  OrderState,
  PullAsked,
  Pulled,
  ReadAsked,
  ReadOrder,
  ShopEvent,
  ShopStatus,
  StatusPushed,
  StockLevel,
  Subscribed,
  UnreadableOrder,
} from './model.ts'
export type { ProductsAsked, PublicProduct, PublicProducts } from './products.model.ts'
export * from './read-order.ts'
export * from './receive.ts'
export * from './written.ts'

/** Function type whose context has the declared fields of one platform. */
type WithFields<F, C extends Fields, S extends Fields> = F extends (...given: infer Given) => infer Answer
  ? (...given: { [At in keyof Given]: Given[At] extends AdapterContext ? AdapterContext<C, S> : Given[At] }) => Answer
  : F
type AllWithFields<V, C extends Fields, S extends Fields> = { readonly [K in keyof V]: WithFields<V[K], C, S> }

/** A shop platform as its author writes it, with typed fields. */
export type Platform<C extends Fields, S extends Fields> = Omit<Adapter<C, S>, 'kind' | 'contract'> &
  AllWithFields<Omit<ConnectorAdapter, keyof Adapter | 'webhook' | 'link'>, C, S> & {
    readonly webhook?: AllWithFields<NonNullable<ConnectorAdapter['webhook']>, C, S>
    readonly link?: AllWithFields<NonNullable<ConnectorAdapter['link']>, C, S>
  }

/** Declares a shop platform: adds the constants and keeps the types of the fields. Export the result as default. */
export const connector = <const C extends Fields, const S extends Fields>(definition: Platform<C, S>): ConnectorAdapter =>
  // The type of all platforms cannot express the fields of one, hence the cast.
  ({ kind: 'connector', contract: 2, ...definition }) as ConnectorAdapter
