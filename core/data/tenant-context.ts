import { AsyncLocalStorage } from 'node:async_hooks'
import { identifyAsker } from '../lib/async/yield-every.ts'

/** Kinds of actors that a log of changes names. `system` is what nobody asked for. */
export const actorKinds = ['person', 'key', 'connector', 'carrier', 'public', 'system'] as const
export type ActorKind = (typeof actorKinds)[number]

/** Actor of a change: a person (also through an app), an API key, a connected shop, a carrier that reports, or the public. */
export interface Actor {
  readonly kind: Exclude<ActorKind, 'system'>
  /** Of the person, the key or the connection; empty for the public. */
  readonly id: string
  readonly appId: string | null
  /** The administrator of the platform who acts in the person's name. */
  readonly adminId: string | null
}

const running = new AsyncLocalStorage<{ owner: string; actor?: Actor }>()

/** Work that is done for somebody: what it waits for in common with others, it waits for in its owner's turn. */
export const runAs = <V>(owner: string, work: () => V): V => running.run({ owner }, work)

/** Runs work in the name of an actor. Without one it is the system's. */
export const runAsActor = <V>(actor: Actor | null, work: () => V): V =>
  running.run({ owner: currentTenant(), ...(actor && { actor }) }, work)

/** Actor of a connection's own doing: a connected shop's or a carrier's. */
export const connectionActor = (kind: 'connector' | 'carrier', id: string): Actor => ({ kind, id, appId: null, adminId: null })

/** Actor of what somebody without a credential does. */
export const PUBLIC: Actor = { kind: 'public', id: '', appId: null, adminId: null }

/** It is known by now for whom this work is done: a project, a person, an address. */
export function setTenant(owner: string, actor?: Actor): void {
  const work = running.getStore()
  if (!work) return
  work.owner = owner
  if (actor) work.actor = actor
}

export const currentTenant = (): string => running.getStore()?.owner ?? ''

/** Undefined of what nobody asked for. */
export const currentActor = (): Actor | undefined => running.getStore()?.actor

identifyAsker(() => ({ owner: currentTenant() }))
