import type { Adapter, AdapterContext, Fields } from '../adapter.ts'
import type { AdsAdapter } from './members.ts'

/** Module `serai/ads` for adapters of advertising platforms: the contract, and tools for what many APIs have in common. */
export { type AdapterContext, AdapterError, type Fields, type RateWindow } from '../adapter.ts'
export * from '../toolkit/ask.ts'
export * from '../toolkit/proof.ts'
export * from '../toolkit/values.ts'
export * from './amounts.ts'
export type { PixelEvent, Sending, Sent, Testing } from './events.model.ts'
export type { AdsAdapter } from './members.ts'
export type { Ad, AdAccount, AdSet, Campaign, Insight, Listing, Period, Pixel } from './model.ts'
export * from './parted.ts'
export * from './person.ts'
export * from './printable.ts'

/** Function type whose context has the declared fields of one platform. */
type WithFields<F, C extends Fields, S extends Fields> = F extends (...given: infer Given) => infer Answer
  ? (...given: { [At in keyof Given]: Given[At] extends AdapterContext ? AdapterContext<C, S> : Given[At] }) => Answer
  : F
type AllWithFields<V, C extends Fields, S extends Fields> = { readonly [K in keyof V]: WithFields<V[K], C, S> }

/** An advertising platform as its author writes it, with typed fields. */
export type Platform<C extends Fields, S extends Fields> = Omit<Adapter<C, S>, 'kind' | 'contract' | 'testConnection'> &
  AllWithFields<Omit<AdsAdapter, Exclude<keyof Adapter, 'testConnection'>>, C, S>

/** Declares an advertising platform: adds the constants and keeps the types of the fields. Export the result as default. */
export const ads = <const C extends Fields, const S extends Fields>(definition: Platform<C, S>): AdsAdapter =>
  // The type of all platforms cannot express the fields of one, hence the cast.
  ({ kind: 'ads', contract: 1, ...definition }) as AdsAdapter
