import { parseAmount, parseMoney } from '../../http/body/amount.ts'
import type { FieldPath } from '../../lib/errors/domain-error.ts'
import { newId } from '../../lib/ids.ts'
import { decimalNumber, decimalText } from '../../lib/money/decimal.ts'
import { assertDeliveryPrices } from '../stores/delivery-prices/assert-delivery-prices.ts'
import { catalogErrors } from './catalog.errors.ts'
import type { ProductChange } from './products.model.ts'
import type { Bundle, NewBundle, NewVariant, Option, Shipping, StoredMedia, StoredVariant, Tier } from './products.parts.model.ts'
import type { ProductValues } from './products.queries.ts'

/**
 * Converts the fields of a request into column values of a product, without its variants, bundles and slug. Leaves out fields that the
 * request leaves out. Throws `invalid_request` for an amount with more decimals than the currency or the column has, and for options or
 * tiers given twice.
 */
export function buildStoredFields(change: Omit<ProductChange, 'variants' | 'bundles' | 'slug'>, currency: string): ProductValues {
  const { price, compareAtPrice, cost, weightKg, seo, media, options, tiers, shipping, ...rest } = change
  return {
    ...rest,
    ...(price !== undefined && { price: exactAmount(price, ['price'], currency) }),
    ...(compareAtPrice !== undefined && { compareAtPrice: exactAmountOrNull(compareAtPrice, ['compareAtPrice'], currency) }),
    ...(cost !== undefined && { cost: exactAmountOrNull(cost, ['cost'], currency) }),
    ...(weightKg !== undefined && { weightKg: decimalText(parseAmount(weightKg, ['weightKg'], 4)) }),
    ...(seo && { seo: { title: seo.title ?? '', description: seo.description ?? '' } }),
    ...(media && { media: buildMedia(media) }),
    ...(options && { options: buildOptions(options) }),
    ...(tiers && { tiers: buildTiers(tiers, currency) }),
    ...(shipping !== undefined && { shipping: checkShipping(shipping, currency) }),
  }
}

const exactAmount = (value: number, field: FieldPath, currency: string) => decimalText(parseMoney(value, field, currency))
const exactAmountOrNull = (value: number | null, field: FieldPath, currency: string) =>
  value === null ? null : exactAmount(value, field, currency)
/** Returns an amount for a JSON column: the number itself, after the check that it is exact. Null and undefined become null. */
const exactJsonNumber = (value: number | null | undefined, field: FieldPath, currency: string) =>
  value === null || value === undefined ? null : Number(exactAmount(value, field, currency))

const buildMedia = (media: NonNullable<ProductChange['media']>): StoredMedia[] =>
  media.map(({ url, alt = '', kind = 'image' }) => ({ url, alt, kind }))

function buildOptions(options: readonly Option[]): Option[] {
  if (new Set(options.map(({ name }) => name)).size < options.length) throw catalogErrors.optionRepeated({ field: ['options'] })
  return [...options]
}

function buildTiers(tiers: readonly Tier[], currency: string): Tier[] {
  if (new Set(tiers.map(({ from }) => from)).size < tiers.length) throw catalogErrors.tierRepeated({ field: ['tiers'] })
  return tiers
    .map(({ from, price }, at) => ({ from, price: Number(exactAmount(price, ['tiers', at, 'price'], currency)) }))
    .toSorted((a, b) => a.from - b.from)
}

function checkShipping(shipping: Shipping | null, currency: string): Shipping | null {
  assertDeliveryPrices(shipping, ['shipping'], currency)
  return shipping
}

/** Chooses the inventory key of an item: its sku, or its id where the sku is not free as a key. */
export type InventoryKeyResolver = (sku: string | null | undefined, id: string) => string

/**
 * Builds the variants of a product as stored. Known variants keep their id and inventory key. Throws `invalid_request` where two variants
 * have one id or the same choice, or where a variant chooses a value that the options do not offer.
 */
export function buildStoredVariants(
  variants: readonly NewVariant[],
  known: readonly StoredVariant[],
  options: readonly Option[],
  keyOf: InventoryKeyResolver,
  currency: string,
): StoredVariant[] {
  const byId = new Map(known.map((variant) => [variant.id, variant]))
  const stored = variants.map((variant, at) => buildStoredVariant(variant, byId.get(variant.id ?? ''), options, keyOf, at, currency))
  const twice = stored.findIndex(({ id }, at) => stored.findIndex((other) => other.id === id) < at)
  if (twice >= 0) throw catalogErrors.variantIdRepeated({ field: ['variants', twice, 'id'] })
  assertChoices(stored, options)
  return stored
}

function buildStoredVariant(
  input: NewVariant,
  known: StoredVariant | undefined,
  options: readonly Option[],
  keyOf: InventoryKeyResolver,
  at: number,
  currency: string,
): StoredVariant {
  const id = known?.id ?? newId('var')
  const path = ['variants', at]
  const chosen = input.options ?? {}
  const name = input.name ?? options.flatMap((option) => chosen[option.name] ?? []).join(' / ')
  if (name === '') throw catalogErrors.variantUnnamed({ field: [...path, 'name'] })
  return {
    id,
    name: name.slice(0, 200),
    sku: input.sku ?? null,
    price: exactJsonNumber(input.price, [...path, 'price'], currency),
    compareAtPrice: exactJsonNumber(input.compareAtPrice, [...path, 'compareAtPrice'], currency),
    cost: exactJsonNumber(input.cost, [...path, 'cost'], currency),
    weightKg:
      input.weightKg === undefined || input.weightKg === null ? null : decimalNumber(parseAmount(input.weightKg, [...path, 'weightKg'], 4)),
    options: chosen,
    media: buildMedia(input.media ?? []),
    inventoryKey: known?.inventoryKey ?? keyOf(input.sku, id),
  }
}

/**
 * Throws `invalid_request` unless each variant chooses exactly one value of every option and no two choose the same. A product without
 * options has nothing to check.
 */
function assertChoices(variants: readonly StoredVariant[], options: readonly Option[]) {
  if (options.length === 0) return
  const seen = new Set<string>()
  for (const [at, { options: chosen }] of variants.entries()) {
    const path = ['variants', at, 'options']
    const missing = options.find(({ name, values }) => !values.includes(chosen[name] ?? ''))
    if (missing) throw catalogErrors.choiceMissing({ name: missing.name, values: missing.values.slice(0, 10).join(', ') }, { field: path })
    if (Object.keys(chosen).length > options.length) throw catalogErrors.optionUnknown({ field: path })
    const choice = JSON.stringify(options.map(({ name }) => chosen[name]))
    if (seen.has(choice)) throw catalogErrors.variantRepeated({ field: path })
    seen.add(choice)
  }
}

/**
 * Builds the bundles of a product as stored. A bundle named by a known id keeps that id, so orders that name it still find it. Throws
 * `invalid_request` for a bundle whose items name its own product.
 */
export function buildStoredBundles(bundles: readonly NewBundle[], known: readonly Bundle[], productId: string, currency: string): Bundle[] {
  const ids = new Set(known.map(({ id }) => id))
  return bundles.map(({ id, name, price, quantity = 1, items }, at) => {
    const own = items.findIndex((item) => item.productId === productId)
    if (own >= 0) throw catalogErrors.bundleOfItself({ field: ['bundles', at, 'items', own] })
    return {
      id: id !== undefined && ids.delete(id) ? id : newId('bun'),
      name,
      price: Number(exactAmount(price, ['bundles', at, 'price'], currency)),
      quantity,
      items: items.map((item) => ({ ...item, variantId: item.variantId ?? null })),
    }
  })
}
