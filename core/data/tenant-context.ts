import { AsyncLocalStorage } from 'node:async_hooks'
import { setOwnerLookup } from '../lib/async/yield-every.ts'

/** Kinds of actors in the audit log. `system` is work that nobody requested. */
export const actorKinds = ['person', 'key', 'connector', 'carrier', 'public', 'system'] as const
/** Kind of an actor. */
export type ActorKind = (typeof actorKinds)[number]

/** Actor of a change: a user (possibly through an app), an API key, a connected shop, a carrier, or the public. */
export interface Actor {
  readonly kind: Exclude<ActorKind, 'system'>
  /** Id of the user, the API key or the connection; empty for the public. */
  readonly id: string
  readonly appId: string | null
  /** Administrator of the platform who impersonates the user. */
  readonly adminId: string | null
}

const running = new AsyncLocalStorage<{ owner: string; actor?: Actor }>()

/** Runs work for an owner. Shared resources, such as connections, are assigned to owners in turn. */
export const runAs = <V>(owner: string, work: () => V): V => running.run({ owner }, work)

/** Runs work in the name of an actor, or of the system if it is null. */
export const runAsActor = <V>(actor: Actor | null, work: () => V): V =>
  running.run({ owner: currentTenant(), ...(actor && { actor }) }, work)

/** Returns the actor of a connection, which is a connected shop or a carrier. */
export const connectionActor = (kind: 'connector' | 'carrier', id: string): Actor => ({ kind, id, appId: null, adminId: null })

/** Actor of requests without a credential. */
export const PUBLIC_ACTOR: Actor = { kind: 'public', id: '', appId: null, adminId: null }

/** Sets the owner and the actor of the current async context. The owner is a project, a user or an address. */
export function setTenant(owner: string, actor?: Actor): void {
  const work = running.getStore()
  if (!work) return
  work.owner = owner
  if (actor) work.actor = actor
}

/** Returns the owner of the current async context; empty if there is none. */
export const currentTenant = (): string => running.getStore()?.owner ?? ''

/** Returns the actor of the current async context. Undefined for work of the system. */
export const currentActor = (): Actor | undefined => running.getStore()?.actor

setOwnerLookup(() => ({ owner: currentTenant() }))
