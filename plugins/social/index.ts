import type { Adapter, AdapterContext, Fields } from '../adapter.ts'
import type { SocialAdapter } from './members.ts'

/** Module `serai/social` for adapters of sign-in providers: the contract, and tools for what many APIs have in common. */
export { type AdapterContext, AdapterError, type Fields } from '../adapter.ts'
export * from '../toolkit/ask.ts'
export * from '../toolkit/proof.ts'
export * from '../toolkit/values.ts'
export type { SocialAdapter } from './members.ts'
export type { Granted, Profile } from './model.ts'
export * from './person.ts'

/** Settings that every provider has. */
export const sharedSettings = {
  appIds: {
    label: 'Client ids of apps',
    optional: true,
    help: 'Client ids of mobile apps, separated by commas. Their identity tokens are accepted too.',
  },
  returnAddresses: {
    label: 'Return addresses',
    optional: true,
    help: 'Addresses to which users may return after sign-in, separated by commas: https://app.example/signed-in, com.example.app:/signed-in.',
  },
} as const satisfies Fields

/** Function type whose context has the declared fields of one provider. */
type WithFields<F, C extends Fields, S extends Fields> = F extends (...given: infer Given) => infer Answer
  ? (...given: { [At in keyof Given]: Given[At] extends AdapterContext ? AdapterContext<C, S> : Given[At] }) => Answer
  : F
type AllWithFields<V, C extends Fields, S extends Fields> = { readonly [K in keyof V]: WithFields<V[K], C, S> }

/** A provider as its author writes it, with typed fields. */
export type Provider<C extends Fields, S extends Fields> = Omit<Adapter<C, S>, 'kind' | 'contract' | 'testConnection'> &
  AllWithFields<Omit<SocialAdapter, Exclude<keyof Adapter, 'testConnection'>>, C, S>

/** Declares a provider: adds the constants and keeps the types of the fields. Export the result as default. */
export const social = <const C extends Fields, const S extends Fields>(definition: Provider<C, S>): SocialAdapter =>
  // The type of all providers cannot express the fields of one, hence the cast.
  ({ kind: 'social', contract: 1, ...definition }) as unknown as SocialAdapter
