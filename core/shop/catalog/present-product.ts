import { storeIdOf } from '../../data/project-ids.ts'
import { expectOne, type Queryable } from '../../data/sql.ts'
import { decimal, decimalNumber } from '../../lib/money/decimal.ts'
import { findStockLevels } from '../inventory/find-stock-levels.ts'
import type { Store } from '../stores/stores.model.ts'
import type { Product, PublicProduct } from './products.model.ts'
import type { Stock, StoredVariant } from './products.parts.model.ts'
import type { ProductRow, StockScope } from './products.queries.ts'

/** Inventory namespace of stores that set none. */
export const DEFAULT_INVENTORY_NAMESPACE = 'main'
/** Returns the inventory namespace that orders of a store take stock from. */
export const inventoryNamespaceOf = (store: Store) => store.settings.inventoryNamespace ?? DEFAULT_INVENTORY_NAMESPACE
/** Returns the keys by which the stock of a store's products is found. */
export const stockScopeOf = (store: Store): StockScope => ({
  projectId: store.projectId,
  namespace: inventoryNamespaceOf(store),
})

/** Returns the inventory keys of the items that a product sells: those of its variants, or its own where it has none. */
export const stockKeysOf = ({ inventoryKey, variants }: Pick<ProductRow, 'inventoryKey'> & { variants: readonly StoredVariant[] }) =>
  variants.length > 0 ? variants.map((variant) => variant.inventoryKey) : [inventoryKey]

type StockLookup = (key: string) => Stock

/** Reads the stock of all items that these products sell, in one query. Items without movements have zeros. */
async function readStocks(sql: Queryable, store: Store, rows: readonly ProductRow[]): Promise<StockLookup> {
  const namespace = inventoryNamespaceOf(store)
  const keys = rows.filter((row) => row.stockKeeping).flatMap(stockKeysOf)
  const stocks =
    keys.length > 0
      ? await findStockLevels(
          sql,
          store.projectId,
          keys.map((key) => ({ namespace, key })),
        )
      : null
  return (key) => ({ namespace, ...(stocks?.get(`${namespace}/${key}`) ?? { onHand: 0, reserved: 0, available: 0 }) })
}

const sumOf = (all: readonly Stock[], of: 'onHand' | 'reserved' | 'available') =>
  decimalNumber(all.reduce((total, each) => total + decimal(each[of]), 0n))

function stockOfRow(row: ProductRow, stock: StockLookup): Stock | null {
  if (!row.stockKeeping) return null
  const all = stockKeysOf(row).map(stock)
  const first = expectOne(all)
  if (all.length === 1) return first
  const { namespace } = first
  return { namespace, onHand: sumOf(all, 'onHand'), reserved: sumOf(all, 'reserved'), available: sumOf(all, 'available') }
}

const numberOrNull = (value: string | null) => (value === null ? null : Number(value))

/** Builds the fields that members and the public both see. */
const publicFields = (row: ProductRow, stock: Stock | null) => ({
  id: row.id,
  storeId: storeIdOf(row.projectId),
  name: row.name,
  slug: row.slug,
  description: row.description,
  sku: row.sku,
  price: Number(row.price),
  compareAtPrice: numberOrNull(row.compareAtPrice),
  weightKg: Number(row.weightKg),
  categoryId: row.categoryId,
  tags: row.tags,
  vendor: row.vendor,
  seo: { title: row.seo.title ?? '', description: row.seo.description ?? '' },
  options: row.options,
  media: row.media,
  tiers: row.tiers,
  bundles: row.bundles,
  shipping: row.shipping,
  inStock: stock === null || stock.available > 0,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
})

/** Presents products for members and API keys of the store, with cost and stock. */
export async function presentProducts(sql: Queryable, store: Store, rows: readonly ProductRow[]): Promise<Product[]> {
  const stock = await readStocks(sql, store, rows)
  return rows.map((row) => {
    const own = stockOfRow(row, stock)
    return {
      ...publicFields(row, own),
      status: row.status,
      cost: numberOrNull(row.cost),
      stockKeeping: row.stockKeeping,
      showStock: row.showStock,
      inventoryKey: row.inventoryKey,
      stock: own,
      variants: row.variants.map((variant) => ({
        ...variant,
        media: [...variant.media],
        stock: row.stockKeeping ? stock(variant.inventoryKey) : null,
      })),
      metadata: row.metadata,
    }
  })
}

/** Presents one product for members and API keys of the store. */
export const presentProduct = async (sql: Queryable, store: Store, row: ProductRow) => expectOne(await presentProducts(sql, store, [row]))

/** Presents products for the public: no cost or metadata, and stock only where the store shows it. The caller selects active products. */
export async function presentPublicProducts(sql: Queryable, store: Store, rows: readonly ProductRow[]): Promise<PublicProduct[]> {
  const stock = await readStocks(sql, store, rows)
  return rows.map((row) => {
    const own = stockOfRow(row, stock)
    const publicStock = (of: Stock | null) => ({
      inStock: of === null || of.available > 0,
      available: row.showStock && of !== null ? of.available : null,
    })
    return {
      ...publicFields(row, own),
      ...publicStock(own),
      currencyCode: store.currencyCode,
      variants: row.variants.map(({ inventoryKey, cost: _, ...variant }) => ({
        ...variant,
        media: [...variant.media],
        ...publicStock(row.stockKeeping ? stock(inventoryKey) : null),
      })),
    }
  })
}
