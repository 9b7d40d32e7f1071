import type { Queryable, Tx } from '../../../data/sql.ts'
import type { ConnectionRef } from '../../../integrations/connections/connections.model.ts'
import { newId } from '../../../lib/ids.ts'
import { fold } from '../../../platform/geo/names/fold.ts'
import { findProducts } from '../../../shop/catalog/products.queries.ts'
import { searchPatternsOf } from '../../../shop/catalog/search-text.ts'
import type { ExternalItem } from '../connectors.model.ts'
import {
  findProductsByNamePatterns,
  findProductsBySkus,
  type GoodsRow,
  insertAndLockGoods,
  listMatchedGoods,
  updateGoodsKeys,
} from '../stock/goods.queries.ts'

/** Product of the store, and its variant. */
export interface MatchedProduct {
  readonly productId: string
  readonly variantId: string | null
}

/** Result of matching items with products. */
export interface MatchResult {
  /** Matched products, by the key of the item. */
  readonly found: ReadonlyMap<string, MatchedProduct>
  /** Keys of items that a user has to match. */
  readonly missing: readonly string[]
}

const CANDIDATES_MAX = 50
const SKU = 's:'
const SKU_WITH_VARIANT = 'v:'
const NAME = 'n:'

/**
 * Returns the key under which an item's match is stored: SKU, with the variant if there is one, since variants may share a SKU; else name
 * and variant.
 */
export const goodsKeyOf = ({ sku, name, variant = '' }: ExternalItem): string => {
  if (sku === undefined) return `${NAME}${fold(name)}|${fold(variant)}`
  const version = fold(variant) || variant.trim()
  return version === '' ? `${SKU}${sku}` : `${SKU_WITH_VARIANT}${version}|${sku}`
}

/** Matches items with products on sale, by SKU or else by name. Stores nothing. */
export async function matchProductsOnSale(tx: Tx, projectId: string, items: readonly ExternalItem[]): Promise<MatchResult> {
  const goods = new Map(items.map((item) => [goodsKeyOf(item), item]))
  const found = new Map<string, MatchedProduct>(await matchBySku(tx, projectId, goods))
  for (const [key, item] of without(goods, found)) {
    const match = item.sku === undefined ? await matchByName(tx, projectId, item) : undefined
    if (match) found.set(key, match)
  }
  return { found, missing: [...without(goods, found).keys()] }
}

/**
 * Matches the items of a shop's order: by a user's choice, else by SKU, else by name. Stores unmatched items and locks them, so that a
 * user's choice waits until this order is written.
 */
export async function matchShopGoods(tx: Tx, connection: ConnectionRef, items: readonly ExternalItem[]): Promise<MatchResult> {
  const { projectId, id: connectionId } = connection
  const goods = new Map(items.map((item) => [goodsKeyOf(item), item]))
  const found = new Map<string, MatchedProduct>()
  await migrateKeys(tx, connection, goods)
  for (const row of await listMatchedGoods(tx, connection, [...goods.keys()])) addChosen(found, row)
  for (const [key, match] of await matchBySku(tx, projectId, without(goods, found))) found.set(key, match)
  for (const [key, item] of without(goods, found)) {
    const match = await matchByName(tx, projectId, item)
    if (match) found.set(key, match)
  }
  const unknown = [...without(goods, found)].map(([key, { sku = null, name, variant = null }]) => ({
    projectId,
    connectionId,
    key,
    id: newId('cgd'),
    sku,
    name,
    variant,
  }))
  for (const row of await insertAndLockGoods(tx, unknown)) addChosen(found, row)
  return { found, missing: [...without(goods, found).keys()] }
}

type Goods = ReadonlyMap<string, ExternalItem>

const without = (goods: Goods, found: ReadonlyMap<string, MatchedProduct>): Goods => new Map([...goods].filter(([key]) => !found.has(key)))

/** Adds a user's choice, if that product is still on sale. */
function addChosen(found: Map<string, MatchedProduct>, { key, stands, productId, variantId }: GoodsRow) {
  if (stands && productId !== null) found.set(key, { productId, variantId })
}

/** Moves matches from the former key without variant to the present one. A match counts for the variant that it was made for. */
async function migrateKeys(tx: Tx, connection: ConnectionRef, goods: Goods): Promise<void> {
  const changedKeys = [...goods].flatMap(([key, { sku, variant }]) =>
    sku === undefined || variant === undefined || !key.startsWith(SKU_WITH_VARIANT) ? [] : [{ key, before: `${SKU}${sku}`, variant }],
  )
  if (changedKeys.length > 0) await updateGoodsKeys(tx, connection, changedKeys)
}

type Product = Awaited<ReturnType<typeof findProducts>>[number]

async function matchBySku(sql: Queryable, projectId: string, goods: Goods): Promise<[string, MatchedProduct][]> {
  const items = [...goods].flatMap(([key, item]) => (item.sku === undefined ? [] : [{ key, item, sku: item.sku }]))
  if (items.length === 0) return []
  const named = new Map(
    (
      await findProductsBySkus(
        sql,
        projectId,
        items.map(({ sku }) => sku),
      )
    ).map((row) => [row.sku, row]),
  )
  const products = await onSale(
    sql,
    projectId,
    [...named.values()].map(({ productId }) => productId),
  )
  return items.flatMap(({ key, item, sku }) => {
    const row = named.get(sku)
    const product = products.find(({ id }) => id === row?.productId)
    if (!row || !product) return []
    const match = row.variantId === null ? variantOf(product, item.variant ?? '') : { productId: product.id, variantId: row.variantId }
    return match ? [[key, match] as [string, MatchedProduct]] : []
  })
}

async function matchByName(sql: Queryable, projectId: string, { name, variant = '' }: ExternalItem): Promise<MatchedProduct | undefined> {
  const patterns = searchPatternsOf(name)
  if (patterns.length === 0) return undefined
  const likely = await findProductsByNamePatterns(sql, projectId, patterns, CANDIDATES_MAX)
  const products = await onSale(
    sql,
    projectId,
    likely.map(({ id }) => id),
  )
  const fullName = fold(`${name} ${variant}`)
  const all = products.flatMap((product) => {
    if (fold(product.name) === fold(name)) return variantOf(product, variant) ?? []
    const version = product.variants.find((one) => fold(`${product.name} ${one.name}`) === fullName)
    return version ? { productId: product.id, variantId: version.id } : []
  })
  const [only, another] = all
  // Several products with the same name are left to the user.
  return another ? undefined : only
}

const onSale = async (sql: Queryable, projectId: string, ids: readonly string[]): Promise<Product[]> =>
  ids.length === 0 ? [] : (await findProducts(sql, projectId, [...new Set(ids)])).filter(({ status }) => status === 'active')

/** Returns the variant with the name; undefined if the product has variants, but none with the name. */
function variantOf({ id, variants }: Product, variant: string): MatchedProduct | undefined {
  if (variants.length === 0) return { productId: id, variantId: null }
  const version = variants.find(({ name }) => fold(name) === fold(variant))
  return version && { productId: id, variantId: version.id }
}
