/** Resources of a store that a plan may limit. */
export const growths = ['products', 'members', 'domains'] as const
/** One of {@link limitedResources}. */
export type Growth = (typeof growths)[number]

declare module '../../data/subscribers.ts' {
  interface DomainEvents {
    /** Published before a store gets one more of a resource. A subscriber throws to refuse it. */
    'store.growing': { storeId: string; what: Growth }
  }
}
