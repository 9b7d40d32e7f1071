import type { Product } from '../../../../api/products.ts'
import type { LineValues } from '../values/order-values.ts'

/** Something that can stand in a line: a product without variants, a variant or a bundle. */
export interface Sellable extends Omit<LineValues, 'quantity'> {
  /** Quantity that can be ordered now; null where no stock is kept. */
  readonly available: number | null
}

/** Returns the name of a variant as its line shows it. */
export const nameOfVariant = ({ name, options }: Pick<Product['variants'][number], 'name' | 'options'>) =>
  name || Object.values(options).join(' / ')

/** Returns everything of a product that can be ordered: the product or its variants, then its bundles. */
export function sellablesOf(product: Product): readonly Sellable[] {
  const { id: productId, name, price, stock, variants, bundles, stockKeeping } = product
  const free = (of: Product['stock']) => (stockKeeping ? (of?.available ?? 0) : null)
  const whole = { productId, variantId: null, offerId: null, name, unitPrice: price, available: free(stock) }
  const goods = variants.map((variant) => ({
    ...whole,
    variantId: variant.id,
    name: `${name} – ${nameOfVariant(variant)}`,
    unitPrice: variant.price ?? price,
    available: free(variant.stock),
  }))
  const offers = bundles.map((bundle) => ({ ...whole, offerId: bundle.id, name: `${name} – ${bundle.name}`, unitPrice: bundle.price }))
  return [...(goods.length > 0 ? goods : [whole]), ...offers]
}
