import type { WaitingCounter } from '../../data/waiting.ts'
import type { StoreRight } from '../../http/auth/scopes.ts'

/** Parts of a shop's work, in the order in which people see them. */
export const attentionGroups = ['orders', 'parcels', 'money', 'connections'] as const
/** Element of {@link attentionGroups}. */
export type AttentionGroup = (typeof attentionGroups)[number]

/** Kind of thing that waits for a person, declared by the feature that owns it. */
export interface AttentionSource {
  /** Name in answers, such as `parcels_refused`. */
  readonly kind: string
  /** Sentence of the reference: the things that wait, and how they are solved. */
  readonly meaning: string
  readonly group: AttentionGroup
  /** Right of a member who sees the kind. */
  readonly right: StoreRight
  readonly count: WaitingCounter
}

const declared: AttentionSource[] = []

/** Registers the sources of a feature at startup. Throws if a kind is declared twice. */
export function declareAttention(sources: readonly AttentionSource[]): void {
  for (const source of sources) {
    if (declared.some(({ kind }) => kind === source.kind)) throw new Error(`The kind ${source.kind} of what waits is declared twice.`)
    declared.push(source)
  }
}

/** Lists the sources of all features, in the order of the features. */
export const listAttentionSources = (): readonly AttentionSource[] => declared
