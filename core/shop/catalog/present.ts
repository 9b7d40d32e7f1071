import { expectOne, type Queryable } from '../../data/sql.ts'
import { decimal, decimalNumber } from '../../lib/money/decimal.ts'
import { stockOf } from '../inventory/stock.ts'
import type { Store } from '../stores/stores.model.ts'
import type { Product, PublicProduct } from './products.model.ts'
import type { KeptVariant, Stock } from './products.parts.model.ts'
import type { ProductRow, Shelf } from './products.queries.ts'

export const DEFAULT_NAMESPACE = 'main'
export const namespaceOf = (store: Store) => store.settings.inventoryNamespace ?? DEFAULT_NAMESPACE
export const shelfOf = (store: Store): Shelf => ({ storeId: store.id, projectId: store.projectId, namespace: namespaceOf(store) })

/** Ledger keys of what can be sold of it: its variants', else its own. */
export const stockKeysOf = ({ inventoryKey, variants }: Pick<ProductRow, 'inventoryKey'> & { variants: readonly KeptVariant[] }) =>
  variants.length > 0 ? variants.map((variant) => variant.inventoryKey) : [inventoryKey]

type StockBy = (key: string) => Stock

/** Stock of all that these rows sell, read in one query. */
async function stocksOf(sql: Queryable, store: Store, rows: readonly ProductRow[]): Promise<StockBy> {
  const namespace = namespaceOf(store)
  const keys = rows.filter((row) => row.stockKeeping).flatMap(stockKeysOf)
  const stocks =
    keys.length > 0
      ? await stockOf(
          sql,
          store.projectId,
          keys.map((key) => ({ namespace, key })),
        )
      : null
  return (key) => ({ namespace, ...(stocks?.get(`${namespace}/${key}`) ?? { onHand: 0, reserved: 0, available: 0 }) })
}

const sum = (all: readonly Stock[], of: 'onHand' | 'reserved' | 'available') =>
  decimalNumber(all.reduce((total, each) => total + decimal(each[of]), 0n))

function stockOfRow(row: ProductRow, stock: StockBy): Stock | null {
  if (!row.stockKeeping) return null
  const all = stockKeysOf(row).map(stock)
  const { namespace } = expectOne(all)
  return { namespace, onHand: sum(all, 'onHand'), reserved: sum(all, 'reserved'), available: sum(all, 'available') }
}

const numberOrNull = (value: string | null) => (value === null ? null : Number(value))

/** What members and strangers see alike. */
const shown = (row: ProductRow, stock: Stock | null) => ({
  id: row.id,
  storeId: row.storeId,
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

/** Rows to answers for members. */
export async function presentAll(sql: Queryable, store: Store, rows: readonly ProductRow[]): Promise<Product[]> {
  const stock = await stocksOf(sql, store, rows)
  return rows.map((row) => {
    const own = stockOfRow(row, stock)
    return {
      ...shown(row, own),
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

export const present = async (sql: Queryable, store: Store, row: ProductRow) => expectOne(await presentAll(sql, store, [row]))

/** Rows to answers for anybody: what is active, and of that what a storefront shows. */
export async function presentPublic(sql: Queryable, store: Store, rows: readonly ProductRow[]): Promise<PublicProduct[]> {
  const stock = await stocksOf(sql, store, rows)
  return rows.map((row) => {
    const own = stockOfRow(row, stock)
    const told = (of: Stock | null) => ({
      inStock: of === null || of.available > 0,
      available: row.showStock && of !== null ? of.available : null,
    })
    return {
      ...shown(row, own),
      ...told(own),
      currencyCode: store.currencyCode,
      variants: row.variants.map(({ inventoryKey, cost: _, ...variant }) => ({
        ...variant,
        media: [...variant.media],
        ...told(row.stockKeeping ? stock(inventoryKey) : null),
      })),
    }
  })
}
