import type { Tx } from '../../data/sql.ts'
import { publish } from '../../data/subscribers.ts'
import { parseAmount } from '../../http/body/amount.ts'
import { describeField } from '../../lib/errors/describe-error.ts'
import { type FieldPath, notFound } from '../../lib/errors/domain-error.ts'
import { newId } from '../../lib/ids.ts'
import { decimalNumber } from '../../lib/money/decimal.ts'
import { recordAudit } from '../../platform/audit/record-audit.ts'
import { parseByState } from '../../platform/geo/catalogue/state-codes.ts'
import { emitWebhook } from '../../platform/webhooks/emit.ts'
import { KEY_PATTERN } from '../inventory/inventory.model.ts'
import { postOperation } from '../inventory/operations/post-operation.ts'
import type { Store } from '../stores/stores.model.ts'
import { buildStoredBundles, buildStoredFields, buildStoredVariants, type InventoryKeyResolver } from './build-stored-product.ts'
import { catalogErrors } from './catalog.errors.ts'
import { inventoryNamespaceOf, presentProduct, stockKeysOf } from './present-product.ts'
import type { NewProduct, Product, ProductChange } from './products.model.ts'
import type { Bundle, StoredVariant } from './products.parts.model.ts'
import {
  claimInventoryKeys,
  findProducts,
  findTakenSkus,
  insertProduct,
  lockProduct,
  markProductDeleted,
  type ProductKey,
  type ProductRow,
  type ProductValues,
  replaceSkus,
  updateProduct,
} from './products.queries.ts'
import { assertNoRoundedSku } from './rounded-skus.ts'
import { searchTextOf } from './search-text.ts'
import { chooseProductSlug } from './slugs.ts'

export { inventoryNamespaceOf as namespaceOf } from './present-product.ts'

const BY_STATE = ['shipping', 'byState']
const LEDGER_KEY = new RegExp(KEY_PATTERN)

/** Returns true where a new product or one of its variants sets `initialStock`. */
export const hasInitialStock = ({ initialStock, variants = [] }: Pick<NewProduct, 'initialStock' | 'variants'>) =>
  initialStock !== undefined || variants.some((variant) => variant.initialStock !== undefined)

/**
 * Creates a product in the caller's transaction and receives its initial stock, where given. Emits `product.created`. Throws `sku_taken`,
 * `slug_taken`, `invalid_request`, a reached limit on products, and `not_found` for its category or a bundled product.
 */
export async function createProduct(tx: Tx, store: Store, input: NewProduct): Promise<Product> {
  const { storeId: _, initialStock, variants = [], bundles = [], inventoryKey, slug, ...rest } = input
  if (initialStock !== undefined && variants.length > 0) throw catalogErrors.stockBelongsToVariants({ field: ['initialStock'] })
  assertNoRoundedSku(input)
  await publish(tx, 'store.resource_requested', { storeId: store.id, what: 'products' })
  const id = newId('prd')
  const sku = input.sku ?? null
  const shipping = await normalizeShipping(tx, store, input.shipping)
  await assertSkusFree(tx, store.projectId, skusOf(sku, variants), id)
  const keyOf = await resolveInventoryKeys(tx, store.projectId, [sku, ...variants.map((variant) => variant.sku)], inventoryKey)
  const storedVariants = buildStoredVariants(variants, [], input.options ?? [], keyOf, store.currencyCode)
  const row = await insertProduct(tx, {
    stockKeeping: hasInitialStock(input),
    ...buildStoredFields({ ...rest, ...(shipping !== undefined && { shipping }) }, store.currencyCode),
    ...(await deriveColumns(tx, store.projectId, {
      name: input.name,
      sku,
      vendor: input.vendor ?? null,
      tags: input.tags ?? [],
      inventoryKey: inventoryKey ?? keyOf(sku, id),
      variants: storedVariants,
    })),
    projectId: store.projectId,
    id,
    sku,
    slug: await chooseProductSlug(tx, store.projectId, id, slug, input.name),
    inventoryKey: inventoryKey ?? keyOf(sku, id),
    variants: storedVariants,
    bundles: await checkBundles(tx, store.projectId, buildStoredBundles(bundles, [], id, store.currencyCode)),
  })
  await replaceSkus(tx, row, skuRows(row))
  await receiveInitialStock(tx, store, id, [
    { key: row.inventoryKey, quantity: initialQuantity(initialStock, ['initialStock']) },
    ...storedVariants.map(({ inventoryKey: key }, at) => ({
      key,
      quantity: initialQuantity(variants[at]?.initialStock, ['variants', at, 'initialStock']),
    })),
  ])
  const product = await presentProduct(tx, store, row)
  await emitWebhook(tx, [{ projectId: store.projectId, type: 'product.created', data: { product } }])
  return product
}

/** Locks a product until the transaction ends, so that nobody else changes or deletes it between reading and writing. */
export const lockProductForChange = async (tx: Tx, key: ProductKey): Promise<void> => void (await lockProduct(tx, key))

/**
 * Changes the fields that are given, on the locked row: two concurrent changes of different fields both stand. Records prices and status in
 * the audit log and emits `product.updated`. Throws `not_found`, `sku_taken`, `slug_taken`, `invalid_request`.
 */
export async function changeProduct(tx: Tx, store: Store, id: string, change: ProductChange): Promise<Product> {
  const current = await lockProduct(tx, { projectId: store.projectId, id })
  if (!current) throw notFound('The product')
  const { variants, bundles, slug, ...rest } = change
  if (variants?.some(({ initialStock }) => initialStock !== undefined)) throw catalogErrors.initialStockTooLate({ field: ['variants'] })
  assertNoRoundedSku(change, skusOf(current.sku, current.variants))
  const shipping = await normalizeShipping(tx, store, change.shipping, current.shipping)
  const sku = change.sku === undefined ? current.sku : change.sku
  const fields = buildStoredFields({ ...rest, ...(shipping !== undefined && { shipping }) }, store.currencyCode)
  const next = { ...current, ...fields, sku, variants: await buildNextVariants(tx, store, current, change) }
  const renamed = change.sku !== undefined || variants !== undefined
  if (renamed) await assertSkusFree(tx, store.projectId, skusOf(sku, next.variants), id)
  const row = await updateProduct(tx, current, {
    ...fields,
    ...(variants && { variants: next.variants }),
    ...(bundles && {
      bundles: await checkBundles(tx, store.projectId, buildStoredBundles(bundles, current.bundles, id, store.currencyCode)),
    }),
    ...(slug !== undefined && { slug: await chooseProductSlug(tx, store.projectId, id, slug, next.name) }),
    ...(await deriveColumns(tx, store.projectId, next)),
  })
  if (renamed) await replaceSkus(tx, row, skuRows(row))
  await recordAudit(
    tx,
    { storeId: store.id },
    { what: 'product.price_changed', thing: id, before: pricesOf(current), after: pricesOf(row) },
  )
  await recordAudit(tx, { storeId: store.id }, { what: 'product.status_changed', thing: id, before: current, after: row })
  const product = await presentProduct(tx, store, row)
  await emitWebhook(tx, [{ projectId: store.projectId, type: 'product.updated', data: { product } }])
  return product
}

/** Returns the shipping prices with the catalogue's state codes as keys. Throws `invalid_request` for an unknown state. */
async function normalizeShipping<S extends NewProduct['shipping']>(
  tx: Tx,
  store: Store,
  shipping: S,
  before?: ProductRow['shipping'],
): Promise<S> {
  const byState = await parseByState(tx, store.countryCode, shipping?.byState, before?.byState, BY_STATE)
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
  const row = await lockProduct(tx, { projectId: store.projectId, id })
  if (!row) throw notFound('The product')
  await markProductDeleted(tx, row)
  await recordAudit(tx, { storeId: store.id }, { what: 'product.deleted', thing: id, before: row })
  await emitWebhook(tx, [{ projectId: store.projectId, type: 'product.deleted', data: { id } }])
}

async function buildNextVariants(
  tx: Tx,
  store: Store,
  current: ProductRow,
  { variants, options }: ProductChange,
): Promise<StoredVariant[]> {
  if (!variants && !options) return current.variants
  const offered = options ?? current.options
  const keyOf = await resolveInventoryKeys(tx, current.projectId, newSkus(current, variants))
  // New options must still offer the choices of the variants that stay.
  return buildStoredVariants(variants ?? current.variants.map(toNewVariant), current.variants, offered, keyOf, store.currencyCode)
}

/** Converts a stored variant back into a request that would leave it as it is. */
export const toNewVariant = ({ inventoryKey: _, media, ...variant }: StoredVariant) => ({ ...variant, media: [...media] })
const newSkus = ({ variants: known }: ProductRow, variants: ProductChange['variants'] = []) =>
  variants.filter(({ id }) => !known.some((variant) => variant.id === id)).map(({ sku }) => sku)

/** Derives the search text and the stock keys of a product, and claims its inventory keys. */
async function deriveColumns(
  tx: Tx,
  projectId: string,
  row: Pick<ProductRow, 'name' | 'sku' | 'vendor' | 'tags' | 'inventoryKey' | 'variants'>,
) {
  const stockKeys = stockKeysOf(row)
  await claimInventoryKeys(tx, projectId, [row.inventoryKey, ...stockKeys])
  return { searchText: searchTextOf(row), stockKeys } satisfies ProductValues
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
async function assertSkusFree(tx: Tx, projectId: string, wanted: OptionalSkus, except: string) {
  const skus = wanted.filter(isText)
  const twice = skus.find((sku, at) => skus.indexOf(sku) < at)
  const [taken] = twice === undefined ? await findTakenSkus(tx, projectId, skus, except) : [twice]
  if (taken !== undefined) throw catalogErrors.skuTaken({ taken })
}

/** Claims the skus as inventory keys where they are valid and free. Returns the resolver, which falls back to the id. */
async function resolveInventoryKeys(tx: Tx, projectId: string, skus: OptionalSkus, own?: string): Promise<InventoryKeyResolver> {
  const wanted = skus.filter(isText).filter((sku) => LEDGER_KEY.test(sku) && sku !== own)
  const claimed = new Set(await claimInventoryKeys(tx, projectId, wanted))
  return (sku, id) => (sku && claimed.has(sku) ? sku : id)
}

/**
 * Returns the bundles after the check of their items. Throws `not_found` for a product that the store does not have, `invalid_request`
 * where a variant is unknown or missing.
 */
async function checkBundles(tx: Tx, projectId: string, bundles: readonly Bundle[]): Promise<Bundle[]> {
  const ids = [...new Set(bundles.flatMap(({ items }) => items.map(({ productId }) => productId)))]
  const found = new Map((ids.length > 0 ? await findProducts(tx, projectId, ids) : []).map((product) => [product.id, product]))
  for (const [at, { items }] of bundles.entries())
    for (const [place, { productId, variantId }] of items.entries()) {
      const product = found.get(productId)
      const field = ['bundles', at, 'items', place]
      if (!product) throw notFound(`The product of ${describeField(field)}`)
      if (variantId === null ? product.variants.length > 0 : !product.variants.some(({ id }) => id === variantId))
        throw catalogErrors[variantId === null ? 'variantMissing' : 'variantUnknown']({ field: [...field, 'variantId'] })
    }
  return [...bundles]
}

const initialQuantity = (quantity: number | undefined, field: FieldPath) =>
  quantity === undefined ? 0 : decimalNumber(parseAmount(quantity, field, 4))

/** Posts the initial stock of new items to the inventory ledger. Posts nothing where all quantities are zero. */
export async function receiveInitialStock(tx: Tx, store: Store, productId: string, stock: readonly { key: string; quantity: number }[]) {
  const namespace = inventoryNamespaceOf(store)
  const legs = stock.filter(({ quantity }) => quantity > 0).map((leg) => ({ namespace, ...leg }))
  if (legs.length > 0) await postOperation(tx, store.projectId, { type: 'receive', note: 'First stock', reference: productId, legs })
}
