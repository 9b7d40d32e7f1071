import type { Adapter, AdapterContext, Fields } from '../adapter.ts'
import type { ModelAdapter } from './members.ts'

/** What the adapter of a source of models imports as `serai/model`: the contract, and tools for what many APIs have in common. */
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

/** The same function, whose context has the fields of one source. */
type Knowing<F, C extends Fields, S extends Fields> = F extends (...given: infer Given) => infer Answer
  ? (...given: { [At in keyof Given]: Given[At] extends AdapterContext ? AdapterContext<C, S> : Given[At] }) => Answer
  : F
type All<V, C extends Fields, S extends Fields> = { readonly [K in keyof V]: Knowing<V[K], C, S> }

/** A source of models as its author writes it, with its own fields known by name. */
export type Source<C extends Fields, S extends Fields> = Omit<Adapter<C, S>, 'kind' | 'contract' | 'testConnection'> &
  All<Omit<ModelAdapter, Exclude<keyof Adapter, 'testConnection'>>, C, S>

/** Declares a source of models: fills in what is constant, keeps the field types. Export the result as default. */
export const model = <const C extends Fields, const S extends Fields>(definition: Source<C, S>): ModelAdapter =>
  // The fields of its contexts are those that it declares, which the type of all sources cannot say.
  ({ kind: 'model', contract: 1, ...definition }) as ModelAdapter
