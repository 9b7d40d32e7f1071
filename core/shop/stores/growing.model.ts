/** What a store has more of as it grows, and may have a limit to. */
export const growths = ['products', 'members', 'domains'] as const
export type Growth = (typeof growths)[number]

declare module '../../data/subscribers.ts' {
  interface DomainEvents {
    /** A store is about to have one more of these. Who does not let it throws. */
    'store.growing': { storeId: string; what: Growth }
  }
}
