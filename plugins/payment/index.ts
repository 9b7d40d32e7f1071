import type { Adapter, AdapterContext, Fields } from '../adapter.ts'
import type { PaymentAdapter } from './members.ts'

/** Module `serai/payment` for adapters of gateways: the contract, and tools for what many APIs have in common. */
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
  type WebhookResult,
} from '../adapter.ts'
export * from '../toolkit/ask.ts'
export * from '../toolkit/proof.ts'
export * from '../toolkit/receive.ts'
export * from '../toolkit/values.ts'
export type { PaymentAdapter } from './members.ts'
export type { Checkout, CheckoutMade, CheckoutStatus, GatewayEvent, RefundAsked, Refunded, Settlement } from './model.ts'
export type {
  PayoutLineKind,
  PayoutLinePage,
  PayoutLinesAsked,
  PayoutPage,
  PayoutStatus,
  PayoutsAsked,
  ToldPayout,
  ToldPayoutLine,
} from './payouts.model.ts'

/** Function type whose context has the declared fields of one gateway. */
type WithFields<F, C extends Fields, S extends Fields> = F extends (...given: infer Given) => infer Answer
  ? (...given: { [At in keyof Given]: Given[At] extends AdapterContext ? AdapterContext<C, S> : Given[At] }) => Answer
  : F
type AllWithFields<V, C extends Fields, S extends Fields> = { readonly [K in keyof V]: WithFields<V[K], C, S> }

/** Groups: objects of the adapter that hold functions of their own. */
type Groups = 'webhook' | 'payouts'

/** A gateway as its author writes it, with typed fields. */
export type Gateway<C extends Fields, S extends Fields> = Omit<Adapter<C, S>, 'kind' | 'contract'> &
  AllWithFields<Omit<PaymentAdapter, keyof Adapter | Groups>, C, S> & {
    readonly [G in Groups]?: AllWithFields<NonNullable<PaymentAdapter[G]>, C, S>
  }

/** Declares a gateway: adds the constants and keeps the types of the fields. Export the result as default. */
export const payment = <const C extends Fields, const S extends Fields>(definition: Gateway<C, S>): PaymentAdapter =>
  // The type of all gateways cannot express the fields of one, hence the cast.
  ({ kind: 'payment', contract: 2, ...definition }) as PaymentAdapter
