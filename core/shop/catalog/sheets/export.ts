import type { Sql } from '../../../data/sql.ts'
import { guarded } from '../../../http/table/formula-guard.ts'
import { stockOf } from '../../inventory/stock.ts'
import type { Store } from '../../stores/stores.model.ts'
import { namespaceOf, stockKeysOf } from '../present.ts'
import type { KeptVariant } from '../products.parts.model.ts'
import { type ProductRow, productsAfter } from '../products.queries.ts'
import { categorySlugs } from './categories.queries.ts'
import { type Cells, columns, joined, SEVERAL } from './columns.ts'

/** Products read at once. */
const PRODUCTS_PER_CHUNK = 200
const BOM = '\ufeff'
const QUOTED = /[",\r\n]/

const csvLine = (cells: readonly string[]) =>
  `${cells.map((cell) => (QUOTED.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`
const productLine = (cells: Cells) => csvLine(columns.map((column) => guarded(cells[column] ?? '')))

/**
 * Streams all products of a store as CSV, oldest first, with a row per product and per variant. Reads one chunk at a time, as the client
 * consumes it.
 */
export function exportProducts(sql: Sql, store: Store): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let after = ''
  return new ReadableStream({
    start: (out) => out.enqueue(encoder.encode(BOM + csvLine(columns))),
    async pull(out) {
      const rows = await productsAfter(sql, store.id, after, PRODUCTS_PER_CHUNK)
      if (rows.length > 0) out.enqueue(encoder.encode(await csvChunk(sql, store, rows)))
      after = rows.at(-1)?.id ?? after
      if (rows.length < PRODUCTS_PER_CHUNK && rows.at(-1)?.isCut !== true) out.close()
    },
  })
}

async function csvChunk(sql: Sql, store: Store, rows: readonly ProductRow[]): Promise<string> {
  const namespace = namespaceOf(store)
  const keys = rows.filter((row) => row.stockKeeping).flatMap(stockKeysOf)
  const [stocks, slugs] = await Promise.all([
    stockOf(
      sql,
      store.projectId,
      keys.map((key) => ({ namespace, key })),
    ),
    categorySlugs(
      sql,
      store.id,
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
const imageUrls = (media: ProductRow['media'] | KeptVariant['media']) => joined(media.map(({ url }) => url))

/** Joins the alternative texts in the order of the images. Empty where no image has one. */
const imageTexts = (media: ProductRow['media'] | KeptVariant['media']) =>
  media.some(({ alt }) => alt !== '') ? joined(media.map(({ alt }) => alt)) : ''

const productCells = (row: ProductRow, category: string): Cells => ({
  slug: row.slug,
  sku: row.sku ?? '',
  name: row.name,
  price: numberText(row.price),
  compareAtPrice: numberText(row.compareAtPrice),
  cost: numberText(row.cost),
  weightKg: numberText(row.weightKg),
  status: row.status,
  category,
  tags: joined(row.tags),
  vendor: row.vendor ?? '',
  description: row.description,
  images: imageUrls(row.media),
  seoTitle: row.seo.title ?? '',
  seoDescription: row.seo.description ?? '',
  imageTexts: imageTexts(row.media),
  tiers: row.tiers.map(({ from, price }) => `${from}=${numberText(price)}`).join(SEVERAL),
  shippingHome: numberText(row.shipping?.home ?? null),
  shippingPickup: numberText(row.shipping?.pickup ?? null),
  shippingByState: Object.entries(row.shipping?.byState ?? {})
    .map(([state, { home, pickup }]) => `${state}=${numberText(home ?? null)}${pickup === undefined ? '' : `/${numberText(pickup)}`}`)
    .join(SEVERAL),
  stockKeeping: row.stockKeeping ? 'yes' : 'no',
  showStock: row.showStock ? 'yes' : 'no',
  metadata: Object.keys(row.metadata).length > 0 ? JSON.stringify(row.metadata) : '',
})

const variantCells = ({ slug }: ProductRow, variant: KeptVariant): Cells => ({
  slug,
  sku: variant.sku ?? '',
  variant: variant.id,
  name: variant.name,
  options: joined(Object.entries(variant.options).map(([name, value]) => `${name}=${value}`)),
  price: numberText(variant.price),
  compareAtPrice: numberText(variant.compareAtPrice),
  cost: numberText(variant.cost),
  weightKg: numberText(variant.weightKg),
  images: imageUrls(variant.media),
  imageTexts: imageTexts(variant.media),
})
