import type { Tx } from '../../data/sql.ts'
import { publish } from '../../data/subscribers.ts'
import { amount } from '../../http/body/amount.ts'
import { ApiError, invalid, notFound } from '../../http/errors/errors.ts'
import { newId } from '../../lib/ids.ts'
import { decimalNumber } from '../../lib/money/decimal.ts'
import { recordAudit } from '../../platform/audit/record-audit.ts'
import { readByState } from '../../platform/geo/catalogue/state-codes.ts'
import { emitWebhook } from '../../platform/webhooks/emit.ts'
import { KEY } from '../inventory/inventory.model.ts'
import { post } from '../inventory/operations/post.ts'
import type { Store } from '../stores/stores.model.ts'
import { type KeyMaker, keptBundles, keptFields, keptVariants } from './kept.ts'
import { namespaceOf, present, stockKeysOf } from './present.ts'
import type { NewProduct, Product, ProductChange } from './products.model.ts'
import type { Bundle, KeptVariant } from './products.parts.model.ts'
import {
  claimKeys,
  findProducts,
  insertProduct,
  lockProduct,
  markProductDeleted,
  type ProductRow,
  takenSkus,
  updateProduct,
  type Writable,
  writeSkus,
} from './products.queries.ts'
import { wordsOf } from './search-text.ts'
import { freeSlug } from './slugs.ts'

export { namespaceOf } from './present.ts'

const BY_STATE = '/body/shipping/byState'
const LEDGER_KEY = new RegExp(KEY)

/** Returns true where a new product or one of its variants sets `initialStock`. */
export const countsStock = ({ initialStock, variants = [] }: Pick<NewProduct, 'initialStock' | 'variants'>) =>
  initialStock !== undefined || variants.some((variant) => variant.initialStock !== undefined)

/**
 * Creates a product in the caller's transaction and receives its initial stock, where given. Emits `product.created`. Throws `sku_taken`,
 * `slug_taken`, `invalid_request`, a reached limit on products, and `not_found` for its category or a bundled product.
 */
export async function createProduct(tx: Tx, store: Store, input: NewProduct): Promise<Product> {
  const { storeId: _, initialStock, variants = [], bundles = [], inventoryKey, slug, ...rest } = input
  if (initialStock !== undefined && variants.length > 0)
    throw invalid('/body/initialStock', 'A product with variants has no stock of its own. Send initialStock for each variant.')
  await publish(tx, 'store.growing', { storeId: store.id, what: 'products' })
  const id = newId('prd')
  const sku = input.sku ?? null
  const shipping = await normalizeShipping(tx, store, input.shipping)
  await assertSkusFree(tx, store.id, skusOf(sku, variants), id)
  const keyOf = await resolveInventoryKeys(tx, store.id, [sku, ...variants.map((variant) => variant.sku)], inventoryKey)
  const storedVariants = keptVariants(variants, [], input.options ?? [], keyOf, store.currencyCode)
  const row = await insertProduct(tx, {
    stockKeeping: countsStock(input),
    ...keptFields({ ...rest, ...(shipping !== undefined && { shipping }) }, store.currencyCode),
    ...(await deriveColumns(tx, store.id, {
      name: input.name,
      sku,
      vendor: input.vendor ?? null,
      tags: input.tags ?? [],
      inventoryKey: inventoryKey ?? keyOf(sku, id),
      variants: storedVariants,
    })),
    storeId: store.id,
    id,
    sku,
    slug: await freeSlug(tx, store.id, id, slug, input.name),
    inventoryKey: inventoryKey ?? keyOf(sku, id),
    variants: storedVariants,
    bundles: await checkBundles(tx, store.id, keptBundles(bundles, [], id, store.currencyCode)),
  })
  await writeSkus(tx, row, skuRows(row))
  await receiveFirst(tx, store, id, [
    { key: row.inventoryKey, quantity: initialQuantity(initialStock, '/body/initialStock') },
    ...storedVariants.map(({ inventoryKey: key }, at) => ({
      key,
      quantity: initialQuantity(variants[at]?.initialStock, `/body/variants/${at}/initialStock`),
    })),
  ])
  const product = await present(tx, store, row)
  await emitWebhook(tx, [{ projectId: store.projectId, storeId: store.id, type: 'product.created', data: { product } }])
  return product
}

/** Locks a product until the transaction ends, so that nobody else changes or deletes it between reading and writing. */
export const holdProduct = async (tx: Tx, id: string): Promise<void> => void (await lockProduct(tx, id))

/**
 * Changes the fields that are given, on the locked row: two concurrent changes of different fields both stand. Records prices and status in
 * the audit log and emits `product.updated`. Throws `not_found`, `sku_taken`, `slug_taken`, `invalid_request`.
 */
export async function changeProduct(tx: Tx, store: Store, id: string, change: ProductChange): Promise<Product> {
  const current = await lockProduct(tx, id)
  if (!current) throw notFound('The product')
  const { variants, bundles, slug, ...rest } = change
  if (variants?.some(({ initialStock }) => initialStock !== undefined))
    throw invalid('/body/variants', 'initialStock is for a new product; receive stock through POST /v1/inventory/operations.')
  const shipping = await normalizeShipping(tx, store, change.shipping, current.shipping)
  const sku = change.sku === undefined ? current.sku : change.sku
  const fields = keptFields({ ...rest, ...(shipping !== undefined && { shipping }) }, store.currencyCode)
  const next = { ...current, ...fields, sku, variants: await buildNextVariants(tx, store, current, change) }
  const renamed = change.sku !== undefined || variants !== undefined
  if (renamed) await assertSkusFree(tx, store.id, skusOf(sku, next.variants), id)
  const row = await updateProduct(tx, id, {
    ...fields,
    ...(variants && { variants: next.variants }),
    ...(bundles && { bundles: await checkBundles(tx, store.id, keptBundles(bundles, current.bundles, id, store.currencyCode)) }),
    ...(slug !== undefined && { slug: await freeSlug(tx, store.id, id, slug, next.name) }),
    ...(await deriveColumns(tx, store.id, next)),
  })
  if (renamed) await writeSkus(tx, row, skuRows(row))
  await recordAudit(
    tx,
    { storeId: store.id },
    { what: 'product.price_changed', thing: id, before: pricesOf(current), after: pricesOf(row) },
  )
  await recordAudit(tx, { storeId: store.id }, { what: 'product.status_changed', thing: id, before: current, after: row })
  const product = await present(tx, store, row)
  await emitWebhook(tx, [{ projectId: store.projectId, storeId: store.id, type: 'product.updated', data: { product } }])
  return product
}

/** Returns the shipping prices with the catalogue's state codes as keys. Throws `invalid_request` for an unknown state. */
async function normalizeShipping<S extends NewProduct['shipping']>(
  tx: Tx,
  store: Store,
  shipping: S,
  before?: ProductRow['shipping'],
): Promise<S> {
  const byState = await readByState(tx, store.countryCode, shipping?.byState, before?.byState, BY_STATE)
  return byState ? ({ ...shipping, byState } as S) : shipping
}

const pricesOf = ({ price, compareAtPrice, cost, variants, tiers, bundles, shipping }: ProductRow) => ({
  price: Number(price),
  compareAtPrice: compareAtPrice === null ? null : Number(compareAtPrice),
  cost: cost === null ? null : Number(cost),
  variants: Object.fromEntries(variants.map((variant) => [variant.id, variant.price])),
  tiers,
  bundles,
  shipping,
})

/** Marks a product as deleted and emits `product.deleted`. The row stays, because orders refer to it. Throws `not_found`. */
export async function deleteProduct(tx: Tx, store: Store, id: string) {
  const row = await lockProduct(tx, id)
  if (!row) throw notFound('The product')
  await markProductDeleted(tx, row)
  await recordAudit(tx, { storeId: store.id }, { what: 'product.deleted', thing: id, before: row })
  await emitWebhook(tx, [{ projectId: store.projectId, storeId: store.id, type: 'product.deleted', data: { id } }])
}

async function buildNextVariants(tx: Tx, store: Store, current: ProductRow, { variants, options }: ProductChange): Promise<KeptVariant[]> {
  if (!variants && !options) return current.variants
  const offered = options ?? current.options
  const keyOf = await resolveInventoryKeys(tx, current.storeId, newSkus(current, variants))
  // New options must still offer the choices of the variants that stay.
  return keptVariants(variants ?? current.variants.map(asGiven), current.variants, offered, keyOf, store.currencyCode)
}

/** Converts a stored variant back into a request that would leave it as it is. */
export const asGiven = ({ inventoryKey: _, media, ...variant }: KeptVariant) => ({ ...variant, media: [...media] })
const newSkus = ({ variants: known }: ProductRow, variants: ProductChange['variants'] = []) =>
  variants.filter(({ id }) => !known.some((variant) => variant.id === id)).map(({ sku }) => sku)

/** Derives the search text and the stock keys of a product, and claims its inventory keys. */
async function deriveColumns(
  tx: Tx,
  storeId: string,
  row: Pick<ProductRow, 'name' | 'sku' | 'vendor' | 'tags' | 'inventoryKey' | 'variants'>,
) {
  const stockKeys = stockKeysOf(row)
  await claimKeys(tx, storeId, [row.inventoryKey, ...stockKeys])
  return { words: wordsOf(row), stockKeys } satisfies Writable
}

type OptionalSkus = readonly (string | null | undefined)[]
const skusOf = (sku: string | null, variants: readonly { sku?: string | null }[]): OptionalSkus => [
  sku,
  ...variants.map((variant) => variant.sku),
]
const isText = (value: string | null | undefined): value is string => typeof value === 'string'

const skuRows = ({ sku, variants }: ProductRow) => [
  ...(sku === null ? [] : [{ sku, variantId: null }]),
  ...variants.flatMap((variant) => (variant.sku === null ? [] : [{ sku: variant.sku, variantId: variant.id }])),
]

/** Throws `sku_taken` where a sku is given twice, or where another product of the store has it. */
async function assertSkusFree(tx: Tx, storeId: string, wanted: OptionalSkus, except: string) {
  const skus = wanted.filter(isText)
  const twice = skus.find((sku, at) => skus.indexOf(sku) < at)
  const [taken] = twice === undefined ? await takenSkus(tx, storeId, skus, except) : [twice]
  if (taken !== undefined)
    throw new ApiError('sku_taken', `Another product or variant of the store has the sku "${taken}". Choose another one.`)
}

/** Claims the skus as inventory keys where they are valid and free. Returns the resolver, which falls back to the id. */
async function resolveInventoryKeys(tx: Tx, storeId: string, skus: OptionalSkus, own?: string): Promise<KeyMaker> {
  const wanted = skus.filter(isText).filter((sku) => LEDGER_KEY.test(sku) && sku !== own)
  const claimed = new Set(await claimKeys(tx, storeId, wanted))
  return (sku, id) => (sku && claimed.has(sku) ? sku : id)
}

/**
 * Returns the bundles after the check of their items. Throws `not_found` for a product that the store does not have, `invalid_request`
 * where a variant is unknown or missing.
 */
async function checkBundles(tx: Tx, storeId: string, bundles: readonly Bundle[]): Promise<Bundle[]> {
  const ids = [...new Set(bundles.flatMap(({ items }) => items.map(({ productId }) => productId)))]
  const found = new Map((ids.length > 0 ? await findProducts(tx, storeId, ids) : []).map((product) => [product.id, product]))
  for (const [at, { items }] of bundles.entries())
    for (const [place, { productId, variantId }] of items.entries()) {
      const product = found.get(productId)
      if (!product) throw notFound(`The product of /body/bundles/${at}/items/${place}`)
      const path = `/body/bundles/${at}/items/${place}/variantId`
      if (variantId === null ? product.variants.length > 0 : !product.variants.some(({ id }) => id === variantId))
        throw invalid(path, variantId === null ? 'Name one of its variants.' : 'The product has no such variant.')
    }
  return [...bundles]
}

const initialQuantity = (quantity: number | undefined, path: string) =>
  quantity === undefined ? 0 : decimalNumber(amount(quantity, path, 4))

/** Posts the initial stock of new items to the inventory ledger. Posts nothing where all quantities are zero. */
export async function receiveFirst(tx: Tx, store: Store, productId: string, stock: readonly { key: string; quantity: number }[]) {
  const namespace = namespaceOf(store)
  const legs = stock.filter(({ quantity }) => quantity > 0).map((leg) => ({ namespace, ...leg }))
  if (legs.length > 0) await post(tx, store.projectId, { type: 'receive', note: 'First stock', reference: productId, legs })
}
