import type { Me, Membership } from './me.ts'

const STORED = 'serai.store'

/** Remembers in this browser the store that the user works on. */
export const keepLastStore = (storeId: string): void => localStorage.setItem(STORED, storeId)

/** Returns the store that the console opens: the one that was used last in this browser, or else the user's first. */
export function startingStore({ memberships }: Me): Membership | undefined {
  const last = localStorage.getItem(STORED)
  // The API lists the newest store first.
  return memberships.find(({ storeId }) => storeId === last) ?? memberships.at(-1)
}
