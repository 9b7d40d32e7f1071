/** Resources of a store that a plan may limit. */
export const limitedResources = ['products', 'members', 'domains'] as const
/** One of {@link limitedResources}. */
export type LimitedResource = (typeof limitedResources)[number]

declare module '../../data/subscribers.ts' {
  interface DomainEvents {
    /** Published before a store gets one more of a resource. A subscriber throws to refuse it. */
    'store.resource_requested': { storeId: string; what: LimitedResource }
  }
}
