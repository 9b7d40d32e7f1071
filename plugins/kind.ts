import type { Static, TObject, TProperties, TSchema } from '@sinclair/typebox'
import type { Product, Scope } from '../core/http/auth/scopes.ts'
import type { ErrorCode } from '../core/lib/errors/codes.ts'
import type { Adapter, AdapterContext, Awaitable, InboundRequest, Webhook } from './adapter.ts'
import type { Member, Members } from './member.ts'
import type { Operation } from './operation.ts'

/** Operations of a kind by name. */
export type Operations = Readonly<Record<string, Operation>>

/** Owner of a connection: one store, or the platform itself (the operator of this server). */
export type ConnectionOwner = 'store' | 'platform'

/**
 * Declaration of a kind of plugin. Its folder has three fixed entries:
 * - `index.ts`, imported by adapters as `serai/<name>`. It is bundled with every adapter, so it imports no package.
 * - `acceptance.ts`, imported as `serai/<name>/acceptance`. It exports `acceptance(adapter, rig)`.
 * - `template/`, the files of a new adapter.
 */
export interface KindDeclaration<A extends Adapter, Derived extends object> {
  readonly name: string
  /** Version of the kind's contract. An adapter names the version that it implements. */
  readonly contract: number
  /** Absolute path of the kind's folder. */
  readonly directory: string
  /** Tag of its operations in the OpenAPI document. */
  readonly tag: string
  /** Scopes that an API key needs: for operations of a viewer, which change nothing, and for all others. */
  readonly scopes: { readonly read: Scope; readonly write: Scope }
  /** Product that must be enabled in the store's project, for users and for keys. */
  readonly product?: Product
  /** Allows several connections of a store to one adapter, distinguished by name. */
  readonly multiple?: true
  /**
   * Possible owners of connections: `store` by default. The platform is added for adapters with `oauth`, since it may hold their client.
   */
  readonly owners?: readonly ConnectionOwner[]
  /** Restricts the kind to adapters that are part of this server. Third-party adapters are rejected. */
  readonly builtInOnly?: true
  /** Schemas of an adapter's constants besides those that all kinds share, checked when it is loaded. Functions are not part of it. */
  readonly definition: TProperties
  /** Names of the constants that `GET /v1/adapters` returns for each adapter. */
  readonly listed?: readonly string[]
  /** Error codes for callers: the platform refused, the platform or the adapter failed, or no connection is enabled. */
  readonly codes?: { readonly refused: ErrorCode; readonly failed: ErrorCode; readonly off: ErrorCode }
  /** Functions that an adapter may implement; `group.name` is the function `name` of the object `group`. */
  readonly members: Members
  readonly operations: Operations
  /** Fields of results that hold times, and fields that may hold any value of the adapter. */
  readonly outputFields?: { readonly times?: readonly string[]; readonly free?: readonly string[] }
  /** Returns problems of a definition that its schema cannot express. The definition may come from unreviewed code: trust nothing in it. */
  problems?(adapter: Partial<A>): readonly string[]
  /** Summarizes in a few words what a person should know before approving an adapter. */
  summary?(data: Readonly<Record<string, unknown>>): string
  /** Data that the core derives from each adapter once, when it is mounted. */
  derived?(adapter: A): Derived
}

/** A declared kind. */
export interface Kind<A extends Adapter = Adapter, Derived extends object = object> extends KindDeclaration<A, Derived> {
  /** The objects that hold functions of their own, such as `webhook` and `cash`. */
  readonly groups: readonly string[]
}

/** Declares a kind. The adapter's type is the parameter type of `problems` or `derived`; without them it is derived from the declaration. */
export function kind<
  const Name extends string,
  const D extends TProperties,
  const M extends Members,
  const O extends Operations,
  A extends Adapter = DerivedAdapter<D, M>,
  Derived extends object = object,
>(declaration: KindDeclaration<A, Derived> & { readonly name: Name; readonly definition: D; readonly members: M; readonly operations: O }) {
  // Keeps the exact type of each operation: features are checked against it.
  const operations: O = declaration.operations
  return { ...declaration, operations, groups: groupsOf(declaration.members) }
}

const groupsOf = (members: Members) => [...new Set(Object.keys(members).flatMap((name) => name.split('.').slice(0, -1)))]

/** Adapter type of a kind. */
export type AdapterOf<K> = K extends Kind<infer A> ? A : never

type Arguments<In extends readonly TSchema[]> = { [At in keyof In]: Static<In[At] & TSchema> }
type Function<M> =
  M extends Member<infer In, infer Out>
    ? M extends { readonly inbound: true }
      ? (request: InboundRequest, context: AdapterContext) => Awaitable<Static<Out>>
      : M extends { readonly streams: true }
        ? (context: AdapterContext, ...args: Arguments<In>) => AsyncIterable<Static<Out>>
        : (context: AdapterContext, ...args: Arguments<In>) => Awaitable<Static<Out>>
    : never

/** Functions by name: the required ones, and the optional ones. */
type Functions<M> = {
  readonly [N in keyof M as M[N] extends { readonly required: true } ? N : never]: Function<M[N]>
} & {
  readonly [N in keyof M as M[N] extends { readonly required: true } ? never : N]?: Function<M[N]>
}
type Ungrouped<M> = { readonly [N in keyof M as N extends `${string}.${string}` ? never : N]: M[N] }
type InGroup<M, G extends string> = { readonly [N in keyof M as N extends `${G}.${infer Inner}` ? Inner : never]: M[N] }
type GroupOf<M> = keyof M extends infer N ? (N extends `${infer G}.${string}` ? G : never) : never

/** Adapter type derived from the schemas of its kind. */
export type DerivedAdapter<D extends TProperties, M extends Members> = Adapter &
  Static<TObject<D>> &
  Functions<Ungrouped<M>> & {
    readonly [G in GroupOf<M>]?: Functions<InGroup<M, G>> & (G extends 'webhook' ? Pick<Webhook, 'unsigned' | 'challenges'> : unknown)
  }

/** Adapter type with the members that an operation needs. */
export type AdapterOffering<A, O extends Pick<Operation, 'needs'>> = A & {
  readonly [N in O['needs'][number] & keyof A]-?: NonNullable<A[N]>
}

/** Error for a folder whose `index.ts` exports no adapter. */
export const NO_ADAPTER = 'must export an adapter (or an array of at most 200) as default'

/** Returns true if an adapter is of this kind. Mounted adapters were checked to be what their `kind` says. */
export const isAdapterOfKind = <A extends Adapter>({ name }: Kind<A>, adapter: Adapter): adapter is A => adapter.kind === name

/** Returns the member of an adapter by its path, such as `send` or `webhook.receive`; undefined if it has none. */
export const memberOf = (adapter: object, name: string): unknown =>
  name.split('.').reduce<unknown>((holder, part) => (Object(holder) as Record<string, unknown>)[part], adapter)

/** Returns the owners that may connect to an adapter: those of its kind, and the platform for adapters with `oauth`. */
export const connectionOwnersOf = (
  { owners = ['store'] }: Pick<Kind, 'owners'>,
  { oauth }: Pick<Adapter, 'oauth'>,
): readonly ConnectionOwner[] => (oauth && !owners.includes('platform') ? [...owners, 'platform'] : owners)

/** Returns true if an adapter has all members that an operation needs. */
export const canServeOperation = (adapter: object, { needs }: Pick<Operation, 'needs'>): boolean =>
  needs.every((member) => memberOf(adapter, member) !== undefined)

/** Returns the names of the operations that an adapter can serve. */
export const operationsOf = ({ operations }: Pick<Kind, 'operations'>, adapter: object): string[] =>
  Object.entries(operations).flatMap(([name, operation]) => (canServeOperation(adapter, operation) ? [name] : []))
