/** A line as it is kept. */
export interface PricedLine {
  readonly productId: string
  readonly variantId: string | null
  /** The bundle that it is part of. */
  readonly offerId: string | null
  readonly name: string
  readonly sku: string | null
  readonly unitPrice: string
  /** What one cost the store; null where it does not say. */
  readonly unitCost: string | null
  readonly quantity: number
  readonly inventoryKey: string | null
}
