import type { Queryable, Tx } from '../../../data/sql.ts'
import { newId } from '../../../lib/ids.ts'
import { fold } from '../../../platform/geo/names/fold.ts'
import { findProducts } from '../../../shop/catalog/products.queries.ts'
import { searchPatternsOf } from '../../../shop/catalog/search-text.ts'
import type { ExternalItem } from '../channels.model.ts'
import { findBySkus, findByWords, type GoodsRow, holdGoods, listMatched, renameGoods } from '../stock/goods.queries.ts'

/** One of our products, and which version of it. */
export interface Meant {
  readonly productId: string
  readonly variantId: string | null
}

export interface Matched {
  /** By the key of the goods. */
  readonly found: ReadonlyMap<string, Meant>
  /** Keys of goods that somebody has to match. */
  readonly missing: readonly string[]
}

const CANDIDATES_MAX = 50
const SKU = 's:'
const VERSION = 'v:'
const NAME = 'n:'

/** What goods are remembered by: their sku, and their version where one is told, since it may be all versions' sku; else their name and version. */
export const keyOf = ({ sku, name, variant = '' }: ExternalItem): string => {
  if (sku === undefined) return `${NAME}${fold(name)}|${fold(variant)}`
  const version = fold(variant) || variant.trim()
  return version === '' ? `${SKU}${sku}` : `${VERSION}${version}|${sku}`
}

/** Finds goods among what is on sale, by sku, else by name. Nothing is remembered of those that are missing. */
export async function matchOnSale(tx: Tx, storeId: string, items: readonly ExternalItem[]): Promise<Matched> {
  const goods = new Map(items.map((item) => [keyOf(item), item]))
  const found = new Map<string, Meant>(await bySku(tx, storeId, goods))
  for (const [key, item] of without(goods, found)) {
    const meant = item.sku === undefined ? await byName(tx, storeId, item) : undefined
    if (meant) found.set(key, meant)
  }
  return { found, missing: [...without(goods, found).keys()] }
}

interface Of {
  readonly connectionId: string
  readonly storeId: string
}

/**
 * What a shop's goods are here: as a person said, else by sku, else by name. Goods that nobody knows are written down, and held: whoever says
 * meanwhile what one is waits until what waits for it is written.
 */
export async function matchGoods(tx: Tx, { connectionId, storeId }: Of, items: readonly ExternalItem[]): Promise<Matched> {
  const goods = new Map(items.map((item) => [keyOf(item), item]))
  const found = new Map<string, Meant>()
  await renameOld(tx, connectionId, goods)
  for (const row of await listMatched(tx, connectionId, [...goods.keys()])) take(found, row)
  for (const [key, meant] of await bySku(tx, storeId, without(goods, found))) found.set(key, meant)
  for (const [key, item] of without(goods, found)) {
    const meant = await byName(tx, storeId, item)
    if (meant) found.set(key, meant)
  }
  const unknown = [...without(goods, found)].map(([key, { sku = null, name, variant = null }]) => ({
    connectionId,
    storeId,
    key,
    id: newId('cgd'),
    sku,
    name,
    variant,
  }))
  for (const row of await holdGoods(tx, unknown)) take(found, row)
  return { found, missing: [...without(goods, found).keys()] }
}

type Goods = ReadonlyMap<string, ExternalItem>

const without = (goods: Goods, found: ReadonlyMap<string, Meant>): Goods => new Map([...goods].filter(([key]) => !found.has(key)))

/** What is not on sale any more is to be said anew. */
function take(found: Map<string, Meant>, { key, stands, productId, variantId }: GoodsRow) {
  if (stands && productId !== null) found.set(key, { productId, variantId })
}

/** All versions went by their one sku once: what was said of it then holds for the version that it was said of. */
async function renameOld(tx: Tx, connectionId: string, goods: Goods): Promise<void> {
  const renamed = [...goods].flatMap(([key, { sku, variant }]) =>
    sku === undefined || variant === undefined || !key.startsWith(VERSION) ? [] : [{ key, before: `${SKU}${sku}`, variant }],
  )
  if (renamed.length > 0) await renameGoods(tx, connectionId, renamed)
}

type Product = Awaited<ReturnType<typeof findProducts>>[number]

async function bySku(sql: Queryable, storeId: string, goods: Goods): Promise<[string, Meant][]> {
  const items = [...goods].flatMap(([key, item]) => (item.sku === undefined ? [] : [{ key, item, sku: item.sku }]))
  if (items.length === 0) return []
  const named = new Map(
    (
      await findBySkus(
        sql,
        storeId,
        items.map(({ sku }) => sku),
      )
    ).map((row) => [row.sku, row]),
  )
  const products = await onSale(
    sql,
    storeId,
    [...named.values()].map(({ productId }) => productId),
  )
  return items.flatMap(({ key, item, sku }) => {
    const row = named.get(sku)
    const product = products.find(({ id }) => id === row?.productId)
    if (!row || !product) return []
    const meant = row.variantId === null ? versionOf(product, item.variant ?? '') : { productId: product.id, variantId: row.variantId }
    return meant ? [[key, meant] as [string, Meant]] : []
  })
}

async function byName(sql: Queryable, storeId: string, { name, variant = '' }: ExternalItem): Promise<Meant | undefined> {
  const patterns = searchPatternsOf(name)
  if (patterns.length === 0) return undefined
  const likely = await findByWords(sql, storeId, patterns, CANDIDATES_MAX)
  const products = await onSale(
    sql,
    storeId,
    likely.map(({ id }) => id),
  )
  const whole = fold(`${name} ${variant}`)
  const all = products.flatMap((product) => {
    if (fold(product.name) === fold(name)) return versionOf(product, variant) ?? []
    const version = product.variants.find((one) => fold(`${product.name} ${one.name}`) === whole)
    return version ? { productId: product.id, variantId: version.id } : []
  })
  const [only, another] = all
  // Two that are called alike are a person's choice.
  return another ? undefined : only
}

const onSale = async (sql: Queryable, storeId: string, ids: readonly string[]): Promise<Product[]> =>
  ids.length === 0 ? [] : (await findProducts(sql, storeId, [...new Set(ids)])).filter(({ status }) => status === 'active')

/** Undefined where the product has versions, and none of them is called so. */
function versionOf({ id, variants }: Product, variant: string): Meant | undefined {
  if (variants.length === 0) return { productId: id, variantId: null }
  const version = variants.find(({ name }) => fold(name) === fold(variant))
  return version && { productId: id, variantId: version.id }
}
