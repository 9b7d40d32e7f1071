import type { Static, TObject, TSchema } from '@sinclair/typebox'
import type { Adapter, ChallengeAnswer, InboundRequest } from '../../../plugins/adapter.ts'
import type { Asked } from '../../../plugins/host/mount.ts'
import type { Mounted } from '../../../plugins/host/registry.ts'
import type { AdapterOf, Kind, Offering } from '../../../plugins/kind.ts'
import type { KindName, KindNamed } from '../../../plugins/kinds.ts'
import type { Operation } from '../../../plugins/operation.ts'
import type { Context } from '../../context.ts'
import type { PageInput } from '../../http/resource/page.ts'
import { known } from '../../lib/invariant.ts'
import type { Connection } from '../connections/connection.ts'

/** What is asked of the adapters of a kind, to the letter. */
type OperationsOf<K extends KindName> = KindNamed<K>['operations']
export type OperationName<K extends KindName> = keyof OperationsOf<K> & string
type AdapterNamed<K extends KindName> = AdapterOf<KindNamed<K>>

/** Asked below the address of a store's connection, and not at a path of its own. */
type OfStore<O extends Operation> = [O['paths'][number]] extends [never] ? false : O['paths'][number] extends `/${string}` ? false : true

type Params<O> = O extends { readonly params: infer S extends TObject } ? Static<S> : object
type Query<O> = (O extends { readonly query: infer S extends TObject } ? Static<S> : object) &
  (O extends { readonly rows: TSchema } ? PageInput : object)
/** Asked by POST, what stood in the query stands in the body. */
type Body<O> = O extends { readonly body: infer S extends TSchema } ? Static<S> : Query<O> | null

/** Without what its schemas say. */
type Unread<A extends Asked> = Omit<A, 'params' | 'query' | 'body'>

/** What is asked of a store's connection, whatever it is. */
export type OfConnection<C extends Connection = Connection> = Unread<Asked> & { readonly connection: C }

/** What is asked of an adapter that offers it: the members that the operation needs are there, and what came is as its schemas say. */
type TaskOf<K extends KindName, N extends string, O> = O extends Operation
  ? Unread<Asked<Offering<AdapterNamed<K>, O>, N>> & {
      readonly params: Params<O>
      readonly query: Query<O>
      readonly body: Body<O>
    } & (OfStore<O> extends true ? { readonly connection: Connection<Mounted<K>> } : unknown)
  : never
export type Task<K extends KindName, N extends OperationName<K>> = TaskOf<K, N, OperationsOf<K>[N]>

/** Gives what stands in `data` of the answer, a whole page where it answers a list, or a response of its own (a label's bytes). */
export type Perform<K extends KindName, N extends OperationName<K>> = (context: Context, task: Task<K, N>) => Promise<unknown>

/** What a feature performs of what is asked of adapters, by kind. `evenOff`: also where the connection is switched off. */
export type Serves = {
  readonly [K in KindName]?: { readonly [N in OperationName<K>]?: Perform<K, N> | { readonly evenOff: Perform<K, N> } }
}

/** Takes callbacks at the addresses of stores' connections, with their exact bytes. */
export type Hears = {
  readonly [K in KindName]?: (
    context: Context,
    adapter: AdapterNamed<K>,
    storeId: string,
    request: InboundRequest,
  ) => Promise<ChallengeAnswer>
}

// Written as methods, so that each may stand for any of them: an adapter is asked only for what it offers, by who knows its kind.
type AnyPerform = { of(context: Context, task: Asked): Promise<unknown> }['of']
type AnyHear = { of(context: Context, adapter: Adapter, storeId: string, request: InboundRequest): Promise<ChallengeAnswer> }['of']

export interface Served {
  /** The name of the feature. */
  readonly by: string
  readonly perform: AnyPerform
  readonly evenOff: boolean
}

/** Who performs what is asked of adapters. */
export interface Serving {
  operation(kind: string, name: string): Served
  hearer(kind: string): AnyHear | undefined
}

interface Server {
  readonly name: string
  readonly serves?: Serves
  readonly hears?: Hears
}

/** Gathers what features perform. Throws where an operation of a kind is performed by none of them, or by two. */
export function gatherServing(features: readonly Server[], kinds: readonly Kind[]): Serving {
  const operations = new Map<string, Served>()
  const hearers = new Map<string, { readonly by: string; readonly hear: AnyHear }>()
  for (const { name: by, serves = {}, hears = {} } of features) {
    for (const [kind, performers] of Object.entries(serves))
      for (const [name, entry] of Object.entries(performers)) {
        const [perform, evenOff]: [AnyPerform, boolean] = 'evenOff' in entry ? [entry.evenOff, true] : [entry, false]
        once(operations, `${kind}.${name}`, { by, perform, evenOff })
      }
    for (const [kind, hear] of Object.entries(hears)) once(hearers, kind, { by, hear })
  }
  for (const { name: kind, operations: offered, members } of kinds) {
    const unserved = Object.keys(offered).find((name) => !operations.has(`${kind}.${name}`))
    if (unserved) throw new Error(`No feature performs ${kind}.${unserved}.`)
    if ('webhook.parse' in members && !hearers.has(kind)) throw new Error(`No feature hears the callbacks of the kind ${kind}.`)
  }
  return {
    operation: (kind, name) => known(operations.get(`${kind}.${name}`), `Who performs ${kind}.${name}`),
    hearer: (kind) => hearers.get(kind)?.hear,
  }
}

function once<V extends { readonly by: string }>(all: Map<string, V>, name: string, value: V) {
  const other = all.get(name)
  if (other) throw new Error(`${name} is performed twice, by ${other.by} and by ${value.by}.`)
  all.set(name, value)
}
