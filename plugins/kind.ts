import type { Static, TObject, TProperties, TSchema } from '@sinclair/typebox'
import type { Product, Scope } from '../core/http/auth/scopes.ts'
import type { ErrorCode } from '../core/http/errors/errors.ts'
import type { Adapter, AdapterContext, Awaitable, InboundRequest, Webhook } from './adapter.ts'
import type { Member, Members } from './member.ts'
import type { Operation } from './operation.ts'

export type Operations = Readonly<Record<string, Operation>>

/** Whose a connection is: of one store, or of whoever runs this server. */
export type ConnectionOwner = 'store' | 'platform'

/**
 * A kind of plugin. In its folder stand, by these names: `index.ts`, what an adapter imports as `serai/<name>` (it is bundled with every
 * adapter, and so imports no package); `acceptance.ts`, `serai/<name>/acceptance`, which exports `acceptance(adapter, rig)`; and
 * `template/`, what a new adapter begins with.
 */
export interface Declaration<A extends Adapter, Beside extends object> {
  readonly name: string
  /** The version of its contract. An adapter names the one that it was written for. */
  readonly contract: number
  /** Its folder. */
  readonly home: string
  /** Under which its operations stand in the description of the interface. */
  readonly tag: string
  /** What an API key needs for operations that change nothing (those of a viewer), and for all others. */
  readonly scopes: { readonly read: Scope; readonly write: Scope }
  /** What the store's project must have enabled, for people as for keys. */
  readonly product?: Product
  /** A store may have several connections to one adapter, told apart by their names. */
  readonly several?: true
  /** Who may have connections: stores unless said. The platform has one besides wherever it holds the client of an adapter's `oauth`. */
  readonly owners?: readonly ConnectionOwner[]
  /** Adapters of it are this server's own code: from elsewhere none is taken. */
  readonly oursAlone?: true
  /** The constants of an adapter beside those that all kinds share, checked when it is loaded. Functions are left out. */
  readonly definition: TProperties
  /** Those of the constants that `GET /v1/adapters` tells of each adapter. */
  readonly listed?: readonly string[]
  /** Which of our errors callers hear: that the other side refused, that it or the adapter failed, that no connection is on. */
  readonly codes?: { readonly refused: ErrorCode; readonly failed: ErrorCode; readonly off: ErrorCode }
  /** What may be implemented; `group.name` stands in an object of its own. */
  readonly members: Members
  readonly operations: Operations
  /** Fields of answers that are times, and those that hold whatever an adapter puts there. */
  readonly answers?: { readonly times?: readonly string[]; readonly free?: readonly string[] }
  /** What is wrong with a definition beyond its schema. It may come from code that nobody has read: nothing in it is sure. */
  problems?(adapter: Partial<A>): readonly string[]
  /** What a person should know of an adapter before saying yes, in a few words. */
  about?(data: Readonly<Record<string, unknown>>): string
  /** What the core keeps beside each adapter, worked out once when it is mounted. */
  beside?(adapter: A): Beside
}

export interface Kind<A extends Adapter = Adapter, Beside extends object = object> extends Declaration<A, Beside> {
  /** The objects that hold functions of their own: `webhook`, `cash`. */
  readonly groups: readonly string[]
}

/** Declares a kind. An adapter's type is what `problems` or `beside` take, or else comes from the declaration itself. */
export function kind<
  const Name extends string,
  const D extends TProperties,
  const M extends Members,
  const O extends Operations,
  A extends Adapter = Derived<D, M>,
  Beside extends object = object,
>(declaration: Declaration<A, Beside> & { readonly name: Name; readonly definition: D; readonly members: M; readonly operations: O }) {
  // To the letter: what features perform is held against each of them.
  const operations: O = declaration.operations
  return { ...declaration, operations, groups: groupsOf(declaration.members) }
}

const groupsOf = (members: Members) => [...new Set(Object.keys(members).flatMap((name) => name.split('.').slice(0, -1)))]

/** The adapters of a kind. */
export type AdapterOf<K> = K extends Kind<infer A> ? A : never

type Given<In extends readonly TSchema[]> = { [At in keyof In]: Static<In[At] & TSchema> }
type Function<M> =
  M extends Member<infer In, infer Out>
    ? M extends { readonly inbound: true }
      ? (request: InboundRequest, context: AdapterContext) => Awaitable<Static<Out>>
      : M extends { readonly streams: true }
        ? (context: AdapterContext, ...given: Given<In>) => AsyncIterable<Static<Out>>
        : (context: AdapterContext, ...given: Given<In>) => Awaitable<Static<Out>>
    : never

/** Functions by name: those that are required, and those that may be left out. */
type Functions<M> = {
  readonly [N in keyof M as M[N] extends { readonly required: true } ? N : never]: Function<M[N]>
} & {
  readonly [N in keyof M as M[N] extends { readonly required: true } ? never : N]?: Function<M[N]>
}
type Plain<M> = { readonly [N in keyof M as N extends `${string}.${string}` ? never : N]: M[N] }
type Within<M, G extends string> = { readonly [N in keyof M as N extends `${G}.${infer Inner}` ? Inner : never]: M[N] }
type GroupOf<M> = keyof M extends infer N ? (N extends `${infer G}.${string}` ? G : never) : never

/** An adapter as its kind's schemas describe it. */
export type Derived<D extends TProperties, M extends Members> = Adapter &
  Static<TObject<D>> &
  Functions<Plain<M>> & {
    readonly [G in GroupOf<M>]?: Functions<Within<M, G>> & (G extends 'webhook' ? Pick<Webhook, 'unsigned'> : unknown)
  }

/** An adapter that offers an operation: the members that it needs are there. */
export type Offering<A, O extends Pick<Operation, 'needs'>> = A & { readonly [N in O['needs'][number] & keyof A]-?: NonNullable<A[N]> }

/** What a folder is told whose `index.ts` exports none. */
export const NO_ADAPTER = 'must export an adapter (or an array of at most 200) as default'

/** Whether an adapter is of this kind. What was mounted was checked to be what it says. */
export const isOf = <A extends Adapter>({ name }: Kind<A>, adapter: Adapter): adapter is A => adapter.kind === name

/** What stands in an adapter under `send` or `webhook.parse`; undefined where there is no such thing. */
export const memberOf = (adapter: object, name: string): unknown =>
  name.split('.').reduce<unknown>((holder, part) => (Object(holder) as Record<string, unknown>)[part], adapter)

/** Who may have connections to an adapter of this kind. */
export const ownersOf = ({ owners = ['store'] }: Pick<Kind, 'owners'>, { oauth }: Pick<Adapter, 'oauth'>): readonly ConnectionOwner[] =>
  oauth && !owners.includes('platform') ? [...owners, 'platform'] : owners

/** Whether an adapter can serve an operation: it has the members that the operation needs. */
export const offers = (adapter: object, { needs }: Pick<Operation, 'needs'>): boolean =>
  needs.every((member) => memberOf(adapter, member) !== undefined)

/** The names of the operations that an adapter can serve. */
export const operationsOf = ({ operations }: Pick<Kind, 'operations'>, adapter: object): string[] =>
  Object.entries(operations).flatMap(([name, operation]) => (offers(adapter, operation) ? [name] : []))
