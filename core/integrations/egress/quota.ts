/**
 * Priority classes of calls to a rate-limited account, each with the fraction of every window that it may fill. A class stops at its
 * fraction and leaves the rest to the classes above. Reads for many screens thus never block the submission of a parcel.
 */
export const quotaShares = {
  /** Complete lists that are read in the background. */
  sync: 0.3,
  /** Scheduled polls for changes. */
  poll: 0.5,
  /** Lists for a screen, which may take a call for each state. */
  list: 0.55,
  /** A single read for a screen. */
  read: 0.75,
  /** Parcels, payments and changes. */
  write: 0.9,
  /** Look-up of a resource named in a webhook, or of a parcel with an unknown outcome. */
  lookUp: 0.95,
  /** Test of the credentials. */
  test: 1,
} as const

/** Name of a priority class in {@link quotaShares}. */
export type QuotaClass = keyof typeof quotaShares
