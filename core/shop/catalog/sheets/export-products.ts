import type { Sql } from '../../../data/sql.ts'
import { escapeFormula } from '../../../http/table/formula-guard.ts'
import { findStockLevels } from '../../inventory/find-stock-levels.ts'
import type { Store } from '../../stores/stores.model.ts'
import { inventoryNamespaceOf, stockKeysOf } from '../present-product.ts'
import type { StoredVariant } from '../products.parts.model.ts'
import { listProductsAfter, type ProductRow } from '../products.queries.ts'
import { findCategorySlugs } from './categories.queries.ts'
import { joinValues, type ProductCells, productColumns, VALUE_SEPARATOR } from './columns.ts'

/** Products read at once. */
const PRODUCTS_PER_CHUNK = 200
const BOM = '\ufeff'
const QUOTED = /[",\r\n]/

const csvLine = (cells: readonly string[]) =>
  `${cells.map((cell) => (QUOTED.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`
const productLine = (cells: ProductCells) => csvLine(productColumns.map((column) => escapeFormula(cells[column] ?? '')))

/**
 * Streams all products of a store as CSV, oldest first, with a row per product and per variant. Reads one chunk at a time, as the client
 * consumes it.
 */
export function exportProducts(sql: Sql, store: Store): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let after = ''
  return new ReadableStream({
    start: (out) => out.enqueue(encoder.encode(BOM + csvLine(productColumns))),
    async pull(out) {
      const rows = await listProductsAfter(sql, store.projectId, after, PRODUCTS_PER_CHUNK)
      if (rows.length > 0) out.enqueue(encoder.encode(await csvChunk(sql, store, rows)))
      after = rows.at(-1)?.id ?? after
      if (rows.length < PRODUCTS_PER_CHUNK && rows.at(-1)?.isCut !== true) out.close()
    },
  })
}

async function csvChunk(sql: Sql, store: Store, rows: readonly ProductRow[]): Promise<string> {
  const namespace = inventoryNamespaceOf(store)
  const keys = rows.filter((row) => row.stockKeeping).flatMap(stockKeysOf)
  const [stocks, slugs] = await Promise.all([
    findStockLevels(
      sql,
      store.projectId,
      keys.map((key) => ({ namespace, key })),
    ),
    findCategorySlugs(
      sql,
      store.projectId,
      rows.flatMap(({ categoryId }) => categoryId ?? []),
    ),
  ])
  const stock = (row: ProductRow, key: string) =>
    row.stockKeeping ? { stock: numberText(stocks.get(`${namespace}/${key}`)?.onHand ?? 0) } : {}
  return rows
    .flatMap((row) => [
      {
        ...productCells(row, slugs.get(row.categoryId ?? '') ?? ''),
        ...(row.variants.length === 0 && stock(row, row.inventoryKey)),
      },
      ...row.variants.map((variant) => ({ ...variantCells(row, variant), ...stock(row, variant.inventoryKey) })),
    ])
    .map(productLine)
    .join('')
}

/** Formats a number so that an import reads it back unchanged. A fourth decimal is added to three, which could be read as thousands. */
const numberText = (value: string | number | null) => (value === null ? '' : String(Number(value)).replace(/\.\d{3}$/, '$&0'))
const imageUrls = (media: ProductRow['media'] | StoredVariant['media']) => joinValues(media.map(({ url }) => url))

/** Joins the alternative texts in the order of the images. Empty where no image has one. */
const imageTexts = (media: ProductRow['media'] | StoredVariant['media']) =>
  media.some(({ alt }) => alt !== '') ? joinValues(media.map(({ alt }) => alt)) : ''

const productCells = (row: ProductRow, category: string): ProductCells => ({
  slug: row.slug,
  sku: row.sku ?? '',
  name: row.name,
  price: numberText(row.price),
  compareAtPrice: numberText(row.compareAtPrice),
  cost: numberText(row.cost),
  weightKg: numberText(row.weightKg),
  status: row.status,
  category,
  tags: joinValues(row.tags),
  vendor: row.vendor ?? '',
  description: row.description,
  images: imageUrls(row.media),
  seoTitle: row.seo.title ?? '',
  seoDescription: row.seo.description ?? '',
  imageTexts: imageTexts(row.media),
  tiers: row.tiers.map(({ from, price }) => `${from}=${numberText(price)}`).join(VALUE_SEPARATOR),
  shippingHome: numberText(row.shipping?.home ?? null),
  shippingPickup: numberText(row.shipping?.pickup ?? null),
  shippingByState: Object.entries(row.shipping?.byState ?? {})
    .map(([state, { home, pickup }]) => `${state}=${numberText(home ?? null)}${pickup === undefined ? '' : `/${numberText(pickup)}`}`)
    .join(VALUE_SEPARATOR),
  stockKeeping: row.stockKeeping ? 'yes' : 'no',
  showStock: row.showStock ? 'yes' : 'no',
  metadata: Object.keys(row.metadata).length > 0 ? JSON.stringify(row.metadata) : '',
})

const variantCells = ({ slug }: ProductRow, variant: StoredVariant): ProductCells => ({
  slug,
  sku: variant.sku ?? '',
  variant: variant.id,
  name: variant.name,
  options: joinValues(Object.entries(variant.options).map(([name, value]) => `${name}=${value}`)),
  price: numberText(variant.price),
  compareAtPrice: numberText(variant.compareAtPrice),
  cost: numberText(variant.cost),
  weightKg: numberText(variant.weightKg),
  images: imageUrls(variant.media),
  imageTexts: imageTexts(variant.media),
})
