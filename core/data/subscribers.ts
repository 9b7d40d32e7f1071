import type { Tx } from './sql.ts'

/**
 * What happened to a feature's things that features above it must follow in the same transaction, by name in the past tense. A feature adds
 * its own by declaration merging; all else listens to events or jobs.
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled in by features
export interface DomainEvents {}
export type DomainEvent = keyof DomainEvents & string

/** What a feature does in the transaction of who calls it. It throws where it cannot let that happen. */
export type Subscribers = { readonly [N in DomainEvent]?: (tx: Tx, what: DomainEvents[N]) => Promise<void> }

let following: readonly Subscribers[] = []

/** Who follows, in this order. Said once, where all features are known. */
export function registerSubscribers(followers: readonly Subscribers[]) {
  following = followers
}

/** It happened in this transaction: each that follows does its part before the caller goes on. */
export async function publish<N extends DomainEvent>(tx: Tx, name: N, what: DomainEvents[N]): Promise<void> {
  for (const followers of following) await followers[name]?.(tx, what)
}
