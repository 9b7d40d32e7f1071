import type { FieldPath } from '../../../lib/errors/domain-error.ts'
import { smallestUnitOf } from '../../../lib/money/currency.ts'
import { type Decimal, decimal, decimalText } from '../../../lib/money/decimal.ts'
import { catalogErrors } from '../catalog.errors.ts'
import type { Bundle, StoredVariant } from '../products.parts.model.ts'
import type { ProductRow } from '../products.queries.ts'
import { allocatePrice } from './allocate-price.ts'
import type { PricedLine } from './pricing.model.ts'
import { roundToCurrency } from './round-to-currency.ts'

/** Item that an order asks for. It carries no price. */
export interface RequestedItem {
  readonly productId: string
  readonly variantId?: string | null
  /** Id of a bundle of the product; null or absent for the product itself. */
  readonly offerId?: string | null
  readonly quantity: number
}

/** Fields of a product that pricing needs. */
export type Sellable = Pick<
  ProductRow,
  | 'id'
  | 'name'
  | 'sku'
  | 'status'
  | 'price'
  | 'cost'
  | 'stockKeeping'
  | 'inventoryKey'
  | 'categoryId'
  | 'variants'
  | 'tiers'
  | 'bundles'
  | 'shipping'
>
/** Products by id. A product that is absent is not on sale. */
export type Sellables = ReadonlyMap<string, Sellable>

/** Returns the ids of products that bundles among the items contain and `products` lacks. */
export const bundleProductIds = (products: Sellables, items: readonly RequestedItem[]): string[] =>
  items.flatMap(({ productId, offerId }) =>
    (products.get(productId)?.bundles.find(({ id }) => id === offerId)?.items ?? []).flatMap((item) =>
      products.has(item.productId) ? [] : [item.productId],
    ),
  )

/** Lines that keep their present price, by the item they belong to. An order has them for products no longer on sale. */
export type RetainedLines = ReadonlyMap<RequestedItem, PricedLine>

/**
 * Builds the priced lines of the requested items. Throws `product_unavailable` with the field of the item, where a product, variant or
 * bundle is not on sale.
 */
export function buildPricedLines(
  products: Sellables,
  items: readonly RequestedItem[],
  currency: string,
  retained: RetainedLines = new Map(),
): PricedLine[] {
  const single = items.filter(({ offerId }) => !offerId)
  const pieces = new Map<string, number>()
  for (const { productId, quantity } of single) pieces.set(productId, (pieces.get(productId) ?? 0) + quantity)
  return items.flatMap((item, at) => {
    const line = retained.get(item)
    if (line) return [line]
    const field = ['items', at]
    const choice = chooseVariant(products, item, field)
    if (!item.offerId)
      return [buildLine(choice, roundToCurrency(tierPrice(choice, pieces.get(item.productId) ?? 0), currency), item.quantity, null)]
    const bundle = choice.product.bundles.find(({ id }) => id === item.offerId)
    if (!bundle) throw catalogErrors.offerUnknown({ productId: item.productId, offerId: item.offerId }, { field })
    return buildBundleLines(products, choice, bundle, { quantity: item.quantity, currency, field })
  })
}

interface Choice {
  readonly product: Sellable
  readonly variant: StoredVariant | null
}

function chooseVariant(products: Sellables, { productId, variantId }: Omit<RequestedItem, 'quantity'>, field: FieldPath): Choice {
  const product = products.get(productId)
  if (product?.status !== 'active') throw catalogErrors.productNotOnSale({ productId }, { field })
  const variant = product.variants.find(({ id }) => id === variantId) ?? null
  if (variantId && !variant) throw catalogErrors.variantNotOfProduct({ productId, variantId }, { field })
  if (!variant && product.variants.length > 0) throw catalogErrors.variantNotChosen({ productId }, { field })
  return { product, variant }
}

const listPrice = ({ product, variant }: Choice): Decimal => decimal(variant?.price ?? product.price)

/** Returns the price of a piece: that of the highest tier reached, applied to all pieces. A tier never raises the price. */
function tierPrice(choice: Choice, pieces: number): Decimal {
  const own = listPrice(choice)
  const tier = choice.product.tiers.findLast(({ from }) => from <= pieces)
  if (tier && decimal(tier.price) < own) return decimal(tier.price)
  return own
}

function buildLine({ product, variant }: Choice, price: Decimal, quantity: number, offerId: string | null): PricedLine {
  const cost = variant?.cost ?? product.cost
  return {
    productId: product.id,
    variantId: variant?.id ?? null,
    offerId,
    name: variant ? `${product.name} – ${variant.name}` : product.name,
    sku: variant?.sku ?? product.sku,
    unitPrice: decimalText(price),
    unitCost: cost === null ? null : decimalText(decimal(cost)),
    quantity,
    inventoryKey: product.stockKeeping ? (variant?.inventoryKey ?? product.inventoryKey) : null,
  }
}

interface BundleRequest {
  readonly quantity: number
  readonly currency: string
  /** Field of the item, for errors. */
  readonly field: FieldPath
}

/**
 * Splits a bundle into lines for its pieces, so that stock, weight and statistics count each piece. The lines add up to the bundle's price
 * exactly.
 */
function buildBundleLines(products: Sellables, own: Choice, bundle: Bundle, { quantity, currency, field }: BundleRequest): PricedLine[] {
  const parts = [
    { choice: own, pieces: bundle.quantity },
    ...bundle.items.map((item) => ({ choice: chooseVariant(products, item, field), pieces: item.quantity })),
  ]
  const shares = allocatePrice(
    roundToCurrency(decimal(bundle.price), currency),
    smallestUnitOf(currency),
    parts.map(({ choice, pieces }) => ({ worth: listPrice(choice) * BigInt(pieces), pieces })),
  )
  return parts.flatMap(({ choice }, at) =>
    (shares[at] ?? []).map(({ pieces, unitPrice: each }) => buildLine(choice, each, pieces * quantity, bundle.id)),
  )
}
