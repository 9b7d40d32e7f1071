import type { Adapter, AdapterContext, Fields } from '../adapter.ts'
import type { SocialAdapter } from './members.ts'

/** What the adapter of a provider imports as `serai/social`: the contract, and tools for what many APIs have in common. */
export { type AdapterContext, AdapterError, type Fields } from '../adapter.ts'
export * from '../toolkit/ask.ts'
export * from '../toolkit/proof.ts'
export * from '../toolkit/values.ts'
export type { SocialAdapter } from './members.ts'
export type { Granted, Profile } from './model.ts'
export * from './person.ts'

/** The settings of every provider. */
export const sharedSettings = {
  appIds: {
    label: 'Client ids of apps',
    optional: true,
    help: 'Those of programs on telephones, separated by commas: their identity tokens are taken as well.',
  },
  returnAddresses: {
    label: 'Addresses to come back to',
    optional: true,
    help: 'Where people may be sent back to once they signed in, separated by commas: https://app.example/signed-in, com.example.app:/signed-in.',
  },
} as const satisfies Fields

/** The same function, whose context has the fields of one provider. */
type Knowing<F, C extends Fields, S extends Fields> = F extends (...given: infer Given) => infer Answer
  ? (...given: { [At in keyof Given]: Given[At] extends AdapterContext ? AdapterContext<C, S> : Given[At] }) => Answer
  : F
type All<V, C extends Fields, S extends Fields> = { readonly [K in keyof V]: Knowing<V[K], C, S> }

/** A provider as it is written, with its own fields known by name. */
export type Provider<C extends Fields, S extends Fields> = Omit<Adapter<C, S>, 'kind' | 'contract' | 'testConnection'> &
  All<Omit<SocialAdapter, Exclude<keyof Adapter, 'testConnection'>>, C, S>

/** Declares a provider: fills in what is constant, keeps the field types. Export the result as default. */
export const social = <const C extends Fields, const S extends Fields>(definition: Provider<C, S>): SocialAdapter =>
  // The fields of its contexts are those that it declares, which the type of all providers cannot say.
  ({ kind: 'social', contract: 1, ...definition }) as unknown as SocialAdapter
