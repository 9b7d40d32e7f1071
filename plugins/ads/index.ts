import type { Adapter, AdapterContext, Fields } from '../adapter.ts'
import type { AdsAdapter } from './members.ts'

/** What the adapter of an advertising platform imports as `serai/ads`: the contract, and tools for what many APIs have in common. */
export { type AdapterContext, AdapterError, type Fields, type RateWindow } from '../adapter.ts'
export * from '../toolkit/ask.ts'
export * from '../toolkit/proof.ts'
export * from '../toolkit/values.ts'
export * from './amounts.ts'
export type { AdsAdapter } from './members.ts'
export type { Ad, AdAccount, AdSet, Campaign, Insight, Listing, Period, Pixel, PixelEvent, Sending, Sent, Testing } from './model.ts'
export * from './parted.ts'
export * from './person.ts'
export * from './shown.ts'

/** The same function, whose context has the fields of one platform. */
type Knowing<F, C extends Fields, S extends Fields> = F extends (...given: infer Given) => infer Answer
  ? (...given: { [At in keyof Given]: Given[At] extends AdapterContext ? AdapterContext<C, S> : Given[At] }) => Answer
  : F
type All<V, C extends Fields, S extends Fields> = { readonly [K in keyof V]: Knowing<V[K], C, S> }

/** A platform as its author writes it, with its own fields known by name. */
export type Platform<C extends Fields, S extends Fields> = Omit<Adapter<C, S>, 'kind' | 'contract' | 'testConnection'> &
  All<Omit<AdsAdapter, Exclude<keyof Adapter, 'testConnection'>>, C, S>

/** Declares a platform: fills in what is constant, keeps the field types. Export the result as default. */
export const ads = <const C extends Fields, const S extends Fields>(definition: Platform<C, S>): AdsAdapter =>
  // The fields of its contexts are those that it declares, which the type of all platforms cannot say.
  ({ kind: 'ads', contract: 1, ...definition }) as AdsAdapter
