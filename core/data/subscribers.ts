import type { Tx } from './sql.ts'

/**
 * Domain events that higher features handle in the same transaction, by name in the past tense. A feature adds its own by declaration
 * merging. Everything else uses webhook events or jobs.
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled in by features
export interface DomainEvents {}
/** Name of a domain event. */
export type DomainEvent = keyof DomainEvents & string

/** Handlers of domain events. They run in the publisher's transaction and may veto it by throwing. */
export type Subscribers = { readonly [N in DomainEvent]?: (tx: Tx, payload: DomainEvents[N]) => Promise<void> }

let registered: readonly Subscribers[] = []

/** Sets the subscribers of all features, in their order. Called once, at startup. */
export function registerSubscribers(all: readonly Subscribers[]) {
  registered = all
}

/** Publishes a domain event: runs each subscriber in the caller's transaction, one after another. Rejects if a subscriber throws. */
export async function publish<N extends DomainEvent>(tx: Tx, name: N, payload: DomainEvents[N]): Promise<void> {
  for (const subscribers of registered) await subscribers[name]?.(tx, payload)
}
