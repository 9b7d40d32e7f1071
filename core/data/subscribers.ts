import type { Tx } from './sql.ts'

/**
 * What happened to a feature's things that features above it must follow in the same transaction, by name in the past tense. A feature adds
 * its own by declaration merging; all else listens to events or jobs.
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled in by features
export interface Follows {}
export type Happening = keyof Follows & string

/** What a feature does in the transaction of who calls it. It throws where it cannot let that happen. */
export type Followers = { readonly [N in Happening]?: (tx: Tx, what: Follows[N]) => Promise<void> }

let following: readonly Followers[] = []

/** Who follows, in this order. Said once, where all features are known. */
export function letFollow(followers: readonly Followers[]) {
  following = followers
}

/** It happened in this transaction: each that follows does its part before the caller goes on. */
export async function happened<N extends Happening>(tx: Tx, name: N, what: Follows[N]): Promise<void> {
  for (const followers of following) await followers[name]?.(tx, what)
}
