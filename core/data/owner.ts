import { AsyncLocalStorage } from 'node:async_hooks'

const running = new AsyncLocalStorage<{ owner: string }>()

/** Work that is done for somebody: what it waits for in common with others, it waits for in its owner's turn. */
export const workFor = <V>(owner: string, work: () => V): V => running.run({ owner }, work)

/** It is known by now for whom this work is done: a project, a person, an address. */
export function ownedBy(owner: string): void {
  const work = running.getStore()
  if (work) work.owner = owner
}

export const ownerNow = (): string => running.getStore()?.owner ?? ''
