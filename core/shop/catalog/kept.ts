import { amount, money } from '../../http/body/amount.ts'
import { invalid } from '../../http/errors/errors.ts'
import { newId } from '../../lib/ids.ts'
import { decimalNumber, decimalText } from '../../lib/money/decimal.ts'
import { assertDeliveryPrices } from '../stores/delivery-prices/assert-delivery-prices.ts'
import type { ProductChange } from './products.model.ts'
import type { Bundle, KeptMedia, KeptVariant, NewBundle, NewVariant, Option, Shipping, Tier } from './products.parts.model.ts'
import type { Writable } from './products.queries.ts'

/** What is said of a product beside its variants, bundles and slug, as it is kept. Throws `invalid_request` where it is no amount that is kept. */
export function keptFields(said: Omit<ProductChange, 'variants' | 'bundles' | 'slug'>, currency: string): Writable {
  const { price, compareAtPrice, cost, weightKg, seo, media, options, tiers, shipping, ...rest } = said
  return {
    ...rest,
    ...(price !== undefined && { price: exact(price, '/body/price', currency) }),
    ...(compareAtPrice !== undefined && { compareAtPrice: exactOrNull(compareAtPrice, '/body/compareAtPrice', currency) }),
    ...(cost !== undefined && { cost: exactOrNull(cost, '/body/cost', currency) }),
    ...(weightKg !== undefined && { weightKg: decimalText(amount(weightKg, '/body/weightKg', 4)) }),
    ...(seo && { seo: { title: seo.title ?? '', description: seo.description ?? '' } }),
    ...(media && { media: keptMedia(media) }),
    ...(options && { options: keptOptions(options) }),
    ...(tiers && { tiers: keptTiers(tiers, currency) }),
    ...(shipping !== undefined && { shipping: keptShipping(shipping, currency) }),
  }
}

const exact = (value: number, path: string, currency: string) => decimalText(money(value, path, currency))
const exactOrNull = (value: number | null, path: string, currency: string) => (value === null ? null : exact(value, path, currency))
/** For what is kept as JSON: the number itself, once it is known to be exact. */
const exactNumber = (value: number | null | undefined, path: string, currency: string) =>
  value === null || value === undefined ? null : Number(exact(value, path, currency))

const keptMedia = (media: NonNullable<ProductChange['media']>): KeptMedia[] =>
  media.map(({ url, alt = '', kind = 'image' }) => ({ url, alt, kind }))

function keptOptions(options: readonly Option[]): Option[] {
  if (new Set(options.map(({ name }) => name)).size < options.length) throw invalid('/body/options', 'Two options have the same name.')
  return [...options]
}

function keptTiers(tiers: readonly Tier[], currency: string): Tier[] {
  if (new Set(tiers.map(({ from }) => from)).size < tiers.length) throw invalid('/body/tiers', 'Two tiers begin at the same quantity.')
  return tiers
    .map(({ from, price }, at) => ({ from, price: Number(exact(price, `/body/tiers/${at}/price`, currency)) }))
    .toSorted((a, b) => a.from - b.from)
}

function keptShipping(shipping: Shipping | null, currency: string): Shipping | null {
  assertDeliveryPrices(shipping, '/body/shipping', currency)
  return shipping
}

/** Where an item's stock is counted: under its sku, or its id where the sku is already, or still, the key of other goods. */
export type KeyMaker = (sku: string | null | undefined, id: string) => string

/** Throws `invalid_request` where two variants are the same choice, or one is no choice that the options offer. */
export function keptVariants(
  variants: readonly NewVariant[],
  known: readonly KeptVariant[],
  options: readonly Option[],
  keyOf: KeyMaker,
  currency: string,
): KeptVariant[] {
  const byId = new Map(known.map((variant) => [variant.id, variant]))
  const kept = variants.map((variant, at) => keptVariant(variant, byId.get(variant.id ?? ''), options, keyOf, at, currency))
  const twice = kept.findIndex(({ id }, at) => kept.findIndex((other) => other.id === id) < at)
  if (twice >= 0) throw invalid(`/body/variants/${twice}/id`, 'Another variant here has this id.')
  assertChoices(kept, options)
  return kept
}

function keptVariant(
  input: NewVariant,
  known: KeptVariant | undefined,
  options: readonly Option[],
  keyOf: KeyMaker,
  at: number,
  currency: string,
): KeptVariant {
  const id = known?.id ?? newId('var')
  const path = `/body/variants/${at}`
  const chosen = input.options ?? {}
  const name = input.name ?? options.flatMap((option) => chosen[option.name] ?? []).join(' / ')
  if (name === '') throw invalid(`${path}/name`, 'Name it, or say which options it is.')
  return {
    id,
    name: name.slice(0, 200),
    sku: input.sku ?? null,
    price: exactNumber(input.price, `${path}/price`, currency),
    compareAtPrice: exactNumber(input.compareAtPrice, `${path}/compareAtPrice`, currency),
    cost: exactNumber(input.cost, `${path}/cost`, currency),
    weightKg: input.weightKg === undefined || input.weightKg === null ? null : decimalNumber(amount(input.weightKg, `${path}/weightKg`, 4)),
    options: chosen,
    media: keptMedia(input.media ?? []),
    inventoryKey: known?.inventoryKey ?? keyOf(input.sku, id),
  }
}

/** Of a product that says what can be chosen, each variant is one choice, and no other is. */
function assertChoices(variants: readonly KeptVariant[], options: readonly Option[]) {
  if (options.length === 0) return
  const seen = new Set<string>()
  for (const [at, { options: chosen }] of variants.entries()) {
    const path = `/body/variants/${at}/options`
    const missing = options.find(({ name, values }) => !values.includes(chosen[name] ?? ''))
    if (missing) throw invalid(path, `Say ${missing.name}: one of ${missing.values.slice(0, 10).join(', ')}.`)
    if (Object.keys(chosen).length > options.length) throw invalid(path, 'It says something that is no option of the product.')
    const choice = JSON.stringify(options.map(({ name }) => chosen[name]))
    if (seen.has(choice)) throw invalid(path, 'Another variant is the same choice.')
    seen.add(choice)
  }
}

/** Bundles as kept; one that is named by its id keeps it, so that orders that name it find it. */
export function keptBundles(bundles: readonly NewBundle[], known: readonly Bundle[], productId: string, currency: string): Bundle[] {
  const ids = new Set(known.map(({ id }) => id))
  return bundles.map(({ id, name, price, quantity = 1, items }, at) => {
    const own = items.findIndex((item) => item.productId === productId)
    if (own >= 0) throw invalid(`/body/bundles/${at}/items/${own}`, 'Its own pieces are its quantity; name others here.')
    return {
      id: id !== undefined && ids.delete(id) ? id : newId('bun'),
      name,
      price: Number(exact(price, `/body/bundles/${at}/price`, currency)),
      quantity,
      items: items.map((item) => ({ ...item, variantId: item.variantId ?? null })),
    }
  })
}
