import { isRow, type Row, type StockLevel, text, unreadable, word } from 'serai/connector'
import { call, LABEL } from './api.ts'
import type { Context } from './fields.ts'

const PAGE = 100

/** Sets the stock of goods that the shop knows by these SKUs, where it has another. What it does not know is left alone. */
export async function pushStock(context: Context, levels: readonly StockLevel[]): Promise<void> {
  // The shop parts SKUs by commas.
  const wanted = new Map(levels.filter(({ sku }) => !sku.includes(',')).map(({ sku, available }) => [sku, available]))
  if (wanted.size === 0) return
  const { value } = await call(context, 'GET', 'products', { query: { sku: [...wanted.keys()].join(','), per_page: PAGE } })
  if (!Array.isArray(value)) throw unreadable(LABEL, 'no list of products')
  const found = value.filter(isRow).filter((one) => wanted.has(text(one.sku) ?? '') && one.type !== 'variable')
  const changed = found.flatMap((one) => {
    const available = wanted.get(text(one.sku) ?? '')
    return one.manage_stock === true && one.stock_quantity === available ? [] : [{ one, available }]
  })
  const versions = changed.filter(({ one }) => one.type === 'variation')
  for (const { one, available } of versions)
    await call(context, 'PUT', `products/${word(one.parent_id)}/variations/${word(one.id)}`, { json: stockOf(available) })
  const update = changed.filter(({ one }) => one.type !== 'variation').map(({ one, available }) => ({ id: one.id, ...stockOf(available) }))
  if (update.length > 0) await call(context, 'POST', 'products/batch', { json: { update } })
}

const stockOf = (available: number | undefined): Row => ({ manage_stock: true, stock_quantity: available ?? 0 })
