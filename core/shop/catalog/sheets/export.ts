import type { Sql } from '../../../data/sql.ts'
import { guarded } from '../../../http/table/formula-guard.ts'
import { stockOf } from '../../inventory/stock.ts'
import type { Store } from '../../stores/stores.model.ts'
import { namespaceOf, stockKeysOf } from '../present.ts'
import type { KeptVariant } from '../products.parts.model.ts'
import { type ProductRow, productsAfter } from '../products.queries.ts'
import { categorySlugs } from './categories.queries.ts'
import { type Cells, columns, joined, SEVERAL } from './columns.ts'

/** Products in memory at once. */
const PRODUCTS_A_PART = 200
const BOM = '\ufeff'
const QUOTED = /[",\r\n]/

const line = (cells: readonly string[]) =>
  `${cells.map((cell) => (QUOTED.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`
const lineOf = (cells: Cells) => line(columns.map((column) => guarded(cells[column] ?? '')))

/** All products of a store as CSV, oldest first, read as fast as it is taken: no more than a part is in memory. */
export function exportProducts(sql: Sql, store: Store): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let after = ''
  return new ReadableStream({
    start: (out) => out.enqueue(encoder.encode(BOM + line(columns))),
    async pull(out) {
      const rows = await productsAfter(sql, store.id, after, PRODUCTS_A_PART)
      if (rows.length > 0) out.enqueue(encoder.encode(await partOf(sql, store, rows)))
      after = rows.at(-1)?.id ?? after
      if (rows.length < PRODUCTS_A_PART && rows.at(-1)?.isCut !== true) out.close()
    },
  })
}

async function partOf(sql: Sql, store: Store, rows: readonly ProductRow[]): Promise<string> {
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
    row.stockKeeping ? { stock: textOf(stocks.get(`${namespace}/${key}`)?.onHand ?? 0) } : {}
  return rows
    .flatMap((row) => [
      {
        ...productCells(row, slugs.get(row.categoryId ?? '') ?? ''),
        ...(row.variants.length === 0 && stock(row, row.inventoryKey)),
      },
      ...row.variants.map((variant) => ({ ...variantCells(row, variant), ...stock(row, variant.inventoryKey) })),
    ])
    .map(lineOf)
    .join('')
}

/** Writes a number so that an import reads it as it is: three decimals could be thousands. */
const textOf = (value: string | number | null) => (value === null ? '' : String(Number(value)).replace(/\.\d{3}$/, '$&0'))
const imagesOf = (media: ProductRow['media'] | KeptVariant['media']) => joined(media.map(({ url }) => url))

/** In the order of the images. */
const textsOf = (media: ProductRow['media'] | KeptVariant['media']) =>
  media.some(({ alt }) => alt !== '') ? joined(media.map(({ alt }) => alt)) : ''

const productCells = (row: ProductRow, category: string): Cells => ({
  slug: row.slug,
  sku: row.sku ?? '',
  name: row.name,
  price: textOf(row.price),
  compareAtPrice: textOf(row.compareAtPrice),
  cost: textOf(row.cost),
  weightKg: textOf(row.weightKg),
  status: row.status,
  category,
  tags: joined(row.tags),
  vendor: row.vendor ?? '',
  description: row.description,
  images: imagesOf(row.media),
  seoTitle: row.seo.title ?? '',
  seoDescription: row.seo.description ?? '',
  imageTexts: textsOf(row.media),
  tiers: row.tiers.map(({ from, price }) => `${from}=${textOf(price)}`).join(SEVERAL),
  shippingHome: textOf(row.shipping?.home ?? null),
  shippingPickup: textOf(row.shipping?.pickup ?? null),
  shippingByState: Object.entries(row.shipping?.byState ?? {})
    .map(([state, { home, pickup }]) => `${state}=${textOf(home ?? null)}${pickup === undefined ? '' : `/${textOf(pickup)}`}`)
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
  price: textOf(variant.price),
  compareAtPrice: textOf(variant.compareAtPrice),
  cost: textOf(variant.cost),
  weightKg: textOf(variant.weightKg),
  images: imagesOf(variant.media),
  imageTexts: textsOf(variant.media),
})
