/** Line of an order with its price, as stored. Amounts are decimal texts. */
export interface PricedLine {
  readonly productId: string
  readonly variantId: string | null
  /** Id of the bundle that the line is part of; null for a single product. */
  readonly offerId: string | null
  readonly name: string
  readonly sku: string | null
  readonly unitPrice: string
  /** Cost of one piece to the store; null where it is unknown. */
  readonly unitCost: string | null
  readonly quantity: number
  /** Key of the item in the inventory ledger; null where no stock is kept. */
  readonly inventoryKey: string | null
}
