import { AsyncLocalStorage } from 'node:async_hooks'
import { identifyAsker } from '../lib/breather.ts'

/** Who asked for it, as a log of changes names him: a person, also where an app acts as him, or an API key. */
export interface Actor {
  readonly kind: 'person' | 'key'
  readonly id: string
  readonly appId: string | null
  /** The administrator of the platform who acts in the person's name. */
  readonly adminId: string | null
}

const running = new AsyncLocalStorage<{ owner: string; actor?: Actor }>()

/** Work that is done for somebody: what it waits for in common with others, it waits for in its owner's turn. */
export const workFor = <V>(owner: string, work: () => V): V => running.run({ owner }, work)

/** It is known by now for whom this work is done: a project, a person, an address. */
export function ownedBy(owner: string, actor?: Actor): void {
  const work = running.getStore()
  if (!work) return
  work.owner = owner
  if (actor) work.actor = actor
}

export const ownerNow = (): string => running.getStore()?.owner ?? ''

/** Undefined of what nobody asked for. */
export const actorNow = (): Actor | undefined => running.getStore()?.actor

identifyAsker(() => ({ owner: ownerNow() }))
