import { isRow, number, type Row, type StockProduct, text, unreadable } from 'serai/carrier'
import { call } from './api.ts'
import type { Account } from './fields.ts'
import { listIn } from './geography.ts'

/** Pages of 15 products. More pages would use up the minute's quota. */
const PAGES_MAX = 40

/**
 * Lists the free stock in the company's warehouse. The page count is not documented: reading stops at the first page without new products.
 */
export async function stockProducts(account: Account): Promise<StockProduct[]> {
  const found = new Map<string, StockProduct>()
  for (let page = 1; page <= PAGES_MAX; page++) {
    const answer = await call(account, 'get/products/list', { query: { page } })
    if (!isRow(answer)) throw unreadable(account.company.label, 'no list of products')
    const before = found.size
    for (const product of listIn(account, answer.products, 'products').flatMap(productIn)) found.set(product.id, product)
    if (found.size === before) return [...found.values()]
  }
  account.context.log('a list was longer than is read', { path: 'get/products/list', products: found.size })
  return [...found.values()]
}

function productIn(row: Row): StockProduct[] {
  const [sku, barcode, quantity] = [text(row.reference), text(row.barcode), number(row.stock_disponible)]
  const id = barcode ?? sku
  if (id === undefined || quantity === undefined) return []
  return [{ id, name: text(row.title) ?? id, quantity, ...(sku !== undefined && { sku }) }]
}
