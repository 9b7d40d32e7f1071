import type { Adapter, AdapterContext, Fields } from '../adapter.ts'
import type { PaymentAdapter } from './members.ts'

/** What a gateway's adapter imports as `serai/payment`: the contract, and tools for what many APIs have in common. */
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
export type { PaymentAdapter } from './members.ts'
export type {
  Checkout,
  CheckoutMade,
  CheckoutStatus,
  PaymentNews,
  PayoutLineKind,
  PayoutLinePage,
  PayoutLinesAsked,
  PayoutPage,
  PayoutStatus,
  PayoutsAsked,
  RefundAsked,
  Refunded,
  Settlement,
  ToldPayout,
  ToldPayoutLine,
} from './model.ts'

/** The same function, whose context has the fields of one gateway. */
type Knowing<F, C extends Fields, S extends Fields> = F extends (...given: infer Given) => infer Answer
  ? (...given: { [At in keyof Given]: Given[At] extends AdapterContext ? AdapterContext<C, S> : Given[At] }) => Answer
  : F
type All<V, C extends Fields, S extends Fields> = { readonly [K in keyof V]: Knowing<V[K], C, S> }

/** What holds functions of its own. */
type Groups = 'webhook' | 'payouts'

/** A gateway as its author writes it, with its own fields known by name. */
export type Gateway<C extends Fields, S extends Fields> = Omit<Adapter<C, S>, 'kind' | 'contract'> &
  All<Omit<PaymentAdapter, keyof Adapter | Groups>, C, S> & { readonly [G in Groups]?: All<NonNullable<PaymentAdapter[G]>, C, S> }

/** Declares a gateway: fills in what is constant, keeps the field types. Export the result as default. */
export const payment = <const C extends Fields, const S extends Fields>(definition: Gateway<C, S>): PaymentAdapter =>
  // The fields of its contexts are those that it declares, which the type of all gateways cannot say.
  ({ kind: 'payment', contract: 1, ...definition }) as PaymentAdapter
