import type { Adapter, AdapterContext, Fields } from '../adapter.ts'
import type { ModelAdapter } from './members.ts'

/** Module `serai/model` for adapters of model sources: the contract, and tools for what many APIs have in common. */
export { type AdapterContext, AdapterError, type Fields, type RateWindow } from '../adapter.ts'
export * from '../toolkit/ask.ts'
export * from '../toolkit/lines.ts'
export * from '../toolkit/server-sent-events.ts'
export * from '../toolkit/values.ts'
export type { ModelAdapter } from './members.ts'
export type {
  Completion,
  Drawing,
  Drawn,
  Editing,
  LookedUp,
  Media,
  Message,
  Model,
  Part,
  Prices,
  Speaking,
  Spoken,
  Tool,
  ToolCall,
  Usage,
} from './model.ts'
export * from './toolkit/index.ts'

/** Function type whose context has the declared fields of one source. */
type WithFields<F, C extends Fields, S extends Fields> = F extends (...given: infer Given) => infer Answer
  ? (...given: { [At in keyof Given]: Given[At] extends AdapterContext ? AdapterContext<C, S> : Given[At] }) => Answer
  : F
type AllWithFields<V, C extends Fields, S extends Fields> = { readonly [K in keyof V]: WithFields<V[K], C, S> }

/** A model source as its author writes it, with typed fields. */
export type Source<C extends Fields, S extends Fields> = Omit<Adapter<C, S>, 'kind' | 'contract' | 'testConnection'> &
  AllWithFields<Omit<ModelAdapter, Exclude<keyof Adapter, 'testConnection'>>, C, S>

/** Declares a model source: adds the constants and keeps the types of the fields. Export the result as default. */
export const model = <const C extends Fields, const S extends Fields>(definition: Source<C, S>): ModelAdapter =>
  // The type of all sources cannot express the fields of one, hence the cast.
  ({ kind: 'model', contract: 1, ...definition }) as ModelAdapter
