/**
 * Classes of calls to an account that counts them, each with the part of every rate window that may be full when such a call leaves. A class
 * stops where its part is used up, and the rest is left to the classes above it: what many screens read never keeps a parcel from being sent.
 */
export const quotaShares = {
  /** Whole lists that are read in the background. */
  sync: 0.4,
  /** News that is asked for on a schedule. */
  poll: 0.5,
  /** Lists for a screen, which may take a call for each state. */
  list: 0.6,
  /** One answer for a screen. */
  read: 0.7,
  /** Parcels, payments and changes. */
  write: 0.9,
  /** A look-up of what a callback names, or of a parcel whose outcome is unknown. */
  lookUp: 0.95,
  /** A test of the credentials. */
  test: 1,
} as const

export type QuotaClass = keyof typeof quotaShares
