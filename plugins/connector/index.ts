import type { Adapter, AdapterContext, Fields } from '../adapter.ts'
import type { ConnectorAdapter } from './members.ts'

/** What a platform's adapter imports as `serai/connector`: the contract, and tools for what many APIs have in common. */
export {
  type AdapterContext,
  AdapterError,
  type ChallengeAnswer,
  type FetchInit,
  type Field,
  type Fields,
  type InboundRequest,
  type Memory,
  type RateWindow,
} from '../adapter.ts'
export * from '../toolkit/ask.ts'
export * from '../toolkit/proof.ts'
export * from '../toolkit/values.ts'
export * from './lines.ts'
export type { ConnectorAdapter } from './members.ts'
export type {
  ExternalItem,
  ExternalOrder,
  FormsAsked,
  Handed,
  HandedTokens,
  LeadField,
  LeadForm,
  LeadPage,
  LeadSetup,
  LinkAnswered,
  LinkAsked,
  OrderSource,
  OrderState,
  ProductsAsked,
  PublicProduct,
  PublicProducts,
  PullAsked,
  Pulled,
  ReadAsked,
  ReadOrder,
  SetUp,
  ShopNews,
  ShopStatus,
  StatusPushed,
  StockLevel,
  Subscribed,
  UnreadableOrder,
} from './model.ts'
export * from './read-order.ts'
export * from './written.ts'

/** The same function, whose context has the fields of one platform. */
type Knowing<F, C extends Fields, S extends Fields> = F extends (...given: infer Given) => infer Answer
  ? (...given: { [At in keyof Given]: Given[At] extends AdapterContext ? AdapterContext<C, S> : Given[At] }) => Answer
  : F
type All<V, C extends Fields, S extends Fields> = { readonly [K in keyof V]: Knowing<V[K], C, S> }

/** A platform as its author writes it, with its own fields known by name. */
export type Platform<C extends Fields, S extends Fields> = Omit<Adapter<C, S>, 'kind' | 'contract'> &
  All<Omit<ConnectorAdapter, keyof Adapter | 'webhook' | 'link'>, C, S> & {
    readonly webhook?: All<NonNullable<ConnectorAdapter['webhook']>, C, S>
    readonly link?: All<NonNullable<ConnectorAdapter['link']>, C, S>
  }

/** Declares a platform: fills in what is constant, keeps the field types. Export the result as default. */
export const connector = <const C extends Fields, const S extends Fields>(definition: Platform<C, S>): ConnectorAdapter =>
  // The fields of its contexts are those that it declares, which the type of all platforms cannot say.
  ({ kind: 'connector', contract: 1, ...definition }) as ConnectorAdapter
