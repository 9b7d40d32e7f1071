import { number, type StockProduct, text } from 'serai/carrier'
import { all } from './api.ts'
import type { Context } from './fields.ts'

/**
 * Lists products in stock. Their fields are not documented: a product without a readable quantity is left out, and its field names are
 * logged.
 */
export async function stockProducts(context: Context): Promise<StockProduct[]> {
  const field = context.settings.stockQuantityField
  const found = await all(context, 'products')
  const products = found.flatMap((row) => {
    const [id, name, sku, quantity] = [
      text(row.id),
      text(row.name) ?? text(row.productName),
      text(row.sku) ?? text(row.productSku),
      number(row[field]),
    ]
    return id && name && quantity !== undefined ? [{ id, name, quantity, ...(sku !== undefined && { sku }) }] : []
  })
  if (products.length < found.length) {
    const fields = Object.keys(found[0] ?? {})
    context.log('left out products; set stockQuantityField to the field with the quantity', {
      rows: found.length - products.length,
      fields,
    })
  }
  return products
}
