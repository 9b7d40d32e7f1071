import { ApiError } from '../../../http/errors/errors.ts'
import { leastOf } from '../../../lib/money/currency.ts'
import { type Decimal, decimal, decimalText } from '../../../lib/money/decimal.ts'
import type { Bundle, KeptVariant } from '../products.parts.model.ts'
import type { ProductRow } from '../products.queries.ts'
import { inMoney } from './in-money.ts'
import type { PricedLine } from './pricing.model.ts'
import { shareOut } from './share-out.ts'

/** What an order names. It says nothing about money. */
export interface AskedItem {
  readonly productId: string
  readonly variantId?: string | null
  /** A bundle of the product. */
  readonly offerId?: string | null
  readonly quantity: number
}

/** What pricing knows of a product. */
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
export type Sellables = ReadonlyMap<string, Sellable>

/** Products that bundles among these items bring besides those that the items name. */
export const broughtAlong = (products: Sellables, items: readonly AskedItem[]): string[] =>
  items.flatMap(({ productId, offerId }) =>
    (products.get(productId)?.bundles.find(({ id }) => id === offerId)?.items ?? []).flatMap((item) =>
      products.has(item.productId) ? [] : [item.productId],
    ),
  )

/** Items that are no matter of what is on sale now, as the lines that they are. */
export type Kept = ReadonlyMap<AskedItem, PricedLine>

/** The lines of what is asked for. Throws `product_unavailable` with its place. */
export function linesOf(products: Sellables, items: readonly AskedItem[], currency: string, kept: Kept = new Map()): PricedLine[] {
  const single = items.filter(({ offerId }) => !offerId)
  const pieces = new Map<string, number>()
  for (const { productId, quantity } of single) pieces.set(productId, (pieces.get(productId) ?? 0) + quantity)
  return items.flatMap((item, at) => {
    const line = kept.get(item)
    if (line) return [line]
    const refuse = refusalAt(`/body/items/${at}`)
    const choice = choose(products, item, refuse)
    if (!item.offerId) return [lineOf(choice, inMoney(tierPrice(choice, pieces.get(item.productId) ?? 0), currency), item.quantity, null)]
    const bundle = choice.product.bundles.find(({ id }) => id === item.offerId)
    if (!bundle) throw refuse(`The product ${item.productId} has no offer ${item.offerId}.`)
    return linesOfBundle(products, choice, bundle, { quantity: item.quantity, currency, refuse })
  })
}

type Refuse = (message: string) => ApiError
const refusalAt =
  (path: string): Refuse =>
  (message) =>
    new ApiError('product_unavailable', message, { details: [{ path, message }] })

interface Choice {
  readonly product: Sellable
  readonly variant: KeptVariant | null
}

function choose(products: Sellables, { productId, variantId }: Omit<AskedItem, 'quantity'>, refuse: Refuse): Choice {
  const product = products.get(productId)
  if (product?.status !== 'active') throw refuse(`The product ${productId} is not on sale in this store.`)
  const variant = product.variants.find(({ id }) => id === variantId) ?? null
  if (variantId && !variant) throw refuse(`The product ${productId} has no variant ${variantId}.`)
  if (!variant && product.variants.length > 0) throw refuse(`Say which variant of the product ${productId}.`)
  return { product, variant }
}

const listPrice = ({ product, variant }: Choice): Decimal => decimal(variant?.price ?? product.price)

/** One tier holds for all pieces, the one that reaches furthest; it makes nothing dearer. */
function tierPrice(choice: Choice, pieces: number): Decimal {
  const own = listPrice(choice)
  const tier = choice.product.tiers.findLast(({ from }) => from <= pieces)
  if (tier && decimal(tier.price) < own) return decimal(tier.price)
  return own
}

function lineOf({ product, variant }: Choice, price: Decimal, quantity: number, offerId: string | null): PricedLine {
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

interface Asked {
  readonly quantity: number
  readonly currency: string
  readonly refuse: Refuse
}

/** A bundle is sold as what is in it, so that stock, weight and figures know each piece; the pieces come to its price exactly. */
function linesOfBundle(products: Sellables, own: Choice, bundle: Bundle, { quantity, currency, refuse }: Asked): PricedLine[] {
  const parts = [
    { choice: own, pieces: bundle.quantity },
    ...bundle.items.map((item) => ({ choice: choose(products, item, refuse), pieces: item.quantity })),
  ]
  const shares = shareOut(
    inMoney(decimal(bundle.price), currency),
    leastOf(currency),
    parts.map(({ choice, pieces }) => ({ worth: listPrice(choice) * BigInt(pieces), pieces })),
  )
  return parts.flatMap(({ choice }, at) => (shares[at] ?? []).map(({ pieces, each }) => lineOf(choice, each, pieces * quantity, bundle.id)))
}
