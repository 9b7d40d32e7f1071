import type { Static, TObject, TSchema } from '@sinclair/typebox'
import type { RequestedOperation } from '../../../plugins/host/mount.ts'
import type { MountedAdapter } from '../../../plugins/host/registry.ts'
import type { AdapterOf, AdapterOffering, Kind } from '../../../plugins/kind.ts'
import type { KindByName, KindName } from '../../../plugins/kinds.ts'
import type { Operation } from '../../../plugins/operation.ts'
import type { Context } from '../../context.ts'
import type { PageInput } from '../../http/resource/page.ts'
import { invariant } from '../../lib/invariant.ts'
import type { Connection } from '../connections/connection.ts'
import type { AnyWebhookHandlers, WebhookHandlers } from '../webhook-intake/webhook-handlers.ts'

declare module '../../context.ts' {
  interface Provided {
    /** Handlers that the features declare for adapters. Gathered from all of them by `process.ts`. */
    readonly operationRegistry: OperationRegistry
  }
}

/** Operations of a kind, by name. */
type OperationsOf<K extends KindName> = KindByName<K>['operations']
/** Name of an operation of a kind. */
export type OperationName<K extends KindName> = keyof OperationsOf<K> & string
type AdapterNamed<K extends KindName> = AdapterOf<KindByName<K>>

/** True if the operation stands below the address of a store's connection, false if it has a path of its own. */
type OfStore<O extends Operation> = [O['paths'][number]] extends [never] ? false : O['paths'][number] extends `/${string}` ? false : true

type Params<O> = O extends { readonly params: infer S extends TObject } ? Static<S> : object
type Query<O> = (O extends { readonly query: infer S extends TObject } ? Static<S> : object) &
  (O extends { readonly rows: TSchema } ? PageInput : object)
/** Body of an operation. An operation that is also offered by POST has its query in the body. */
type Body<O> = O extends { readonly body: infer S extends TSchema } ? Static<S> : Query<O> | null

/** A call without the parts that its schemas type. */
type UntypedCall<A extends RequestedOperation> = Omit<A, 'params' | 'query' | 'body'>

/** Call of any operation of a store's connection. */
export type ConnectionCall<C extends Connection = Connection> = UntypedCall<RequestedOperation> & { readonly connection: C }

/** The adapter has the members that the operation needs; params, query and body are as its schemas say. */
type OperationCallOf<K extends KindName, N extends string, O> = O extends Operation
  ? UntypedCall<RequestedOperation<AdapterOffering<AdapterNamed<K>, O>, N>> & {
      readonly params: Params<O>
      readonly query: Query<O>
      readonly body: Body<O>
    } & (OfStore<O> extends true ? { readonly connection: Connection<MountedAdapter<K>> } : unknown)
  : never
/** Call of one operation, checked against its schemas, with the adapter and its connection. */
export type OperationCall<K extends KindName, N extends OperationName<K>> = OperationCallOf<K, N, OperationsOf<K>[N]>

/** Returns the `data` of the answer, a whole page for an operation that lists, or a response of its own (the bytes of a label). */
export type OperationHandler<K extends KindName, N extends OperationName<K>> = (
  context: Context,
  call: OperationCall<K, N>,
) => Promise<unknown>

/** Handlers of a feature, by kind and operation. `worksWhenDisabled`: the operation also works on a connection that is switched off. */
export type OperationHandlers = {
  readonly [K in KindName]?: {
    readonly [N in OperationName<K>]?: OperationHandler<K, N> | { readonly worksWhenDisabled: OperationHandler<K, N> }
  }
}

// Method types, so that a handler of one kind is assignable to them. Only code that knows the kind calls such a handler, with what the
// adapter offers.
type AnyHandler = { of(context: Context, call: RequestedOperation): Promise<unknown> }['of']

/** Handler of one operation. */
export interface RegisteredOperation {
  /** Name of the feature that handles it. */
  readonly feature: string
  readonly handler: AnyHandler
  /** True if it also works on a connection that is switched off. */
  readonly worksWhenDisabled: boolean
}

/** Handlers of all features, by kind of adapter. */
export interface OperationRegistry {
  /** Handler of an operation. Throws if there is none, which is a fault of this server. */
  operation(kind: string, name: string): RegisteredOperation
  /** Handlers of the callbacks of a kind; undefined if its adapters receive none. */
  webhookHandlers(kind: string): AnyWebhookHandlers | undefined
}

interface HandlingFeature {
  readonly name: string
  readonly operations?: OperationHandlers
  readonly webhooks?: WebhookHandlers
}

/** Gathers the handlers of all features. Throws if an operation of a kind has none, or two. */
export function gatherOperations(features: readonly HandlingFeature[], kinds: readonly Kind[]): OperationRegistry {
  const registered = new Map<string, RegisteredOperation>()
  const receivers = new Map<string, { readonly feature: string; readonly handlers: AnyWebhookHandlers }>()
  for (const { name: feature, operations = {}, webhooks = {} } of features) {
    for (const [kind, handlers] of Object.entries(operations))
      for (const [name, entry] of Object.entries(handlers)) {
        const worksWhenDisabled = 'worksWhenDisabled' in entry
        const handler: AnyHandler = worksWhenDisabled ? entry.worksWhenDisabled : entry
        registerOnce(registered, `${kind}.${name}`, { feature, handler, worksWhenDisabled })
      }
    for (const [kind, handlers] of Object.entries(webhooks)) registerOnce(receivers, kind, { feature, handlers })
  }
  for (const { name: kind, operations: offered, members } of kinds) {
    const missing = Object.keys(offered).find((name) => !registered.has(`${kind}.${name}`))
    if (missing) throw new Error(`No feature handles the operation ${kind}.${missing}.`)
    if ('webhook.receive' in members && !receivers.has(kind)) throw new Error(`No feature handles the callbacks of the kind ${kind}.`)
  }
  return {
    operation: (kind, name) => invariant(registered.get(`${kind}.${name}`), `The handler of ${kind}.${name}`),
    webhookHandlers: (kind) => receivers.get(kind)?.handlers,
  }
}

function registerOnce<V extends { readonly feature: string }>(all: Map<string, V>, name: string, value: V) {
  const other = all.get(name)
  if (other) throw new Error(`${name} is handled twice, by ${other.feature} and by ${value.feature}.`)
  all.set(name, value)
}
