/** Change of an order, of its parcels or of its tags, as a trigger wrote it. */
export interface OrderChange {
  readonly id: string
  readonly projectId: string
  readonly orderId: string
  /** Start of the transaction that made the change. */
  readonly at: string
  /** Names of the columns that changed, `parcel` for its parcels, or `tags`; null for a new order. */
  readonly changed: readonly string[] | null
  readonly fromStatus: string | null
  readonly toStatus: string
  /** True if the order is deleted after the change. */
  readonly isDeleted: boolean
}
