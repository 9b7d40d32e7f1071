import { AdapterError, isRow, type Row, rows, type StockLevel, text, unreadable, word, wordsIn } from 'serai/connector'
import { call, LABEL } from './api.ts'
import type { Context } from './fields.ts'

const PAGE = 100

/**
 * Sets the stock of products with these SKUs, if it differs. Unknown SKUs are ignored. Throws `refused` with the rejected SKUs after all
 * others are set.
 */
export async function pushStock(context: Context, levels: readonly StockLevel[]): Promise<void> {
  // The shop separates SKUs by commas.
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
  const refused: string[] = []
  for (const { one, available } of versions) {
    const problem = await problemOfVersion(context, one, stockOf(available))
    if (problem !== undefined) refused.push(`${one.sku}: ${problem}`)
  }
  const products = changed.filter(({ one }) => one.type !== 'variation')
  refused.push(...(await problemsOfProducts(context, products)))
  if (refused.length > 0)
    throw new AdapterError('refused', `${LABEL} refused the stock of ${refused.length} goods (${refused.join('; ').slice(0, 500)}).`)
}

/** Sets the stock of a variant. Returns the refusal; undefined on success. */
async function problemOfVersion(context: Context, one: Row, json: Row): Promise<string | undefined> {
  try {
    await call(context, 'PUT', `products/${word(one.parent_id)}/variations/${word(one.id)}`, { json })
    return undefined
  } catch (error) {
    if (error instanceof AdapterError && (error.reason === 'refused' || error.reason === 'not_found')) return error.message
    throw error
  }
}

/** Sets the stock of products in one call, which succeeds even when some are refused. Returns the refusals. */
async function problemsOfProducts(context: Context, products: readonly { one: Row; available: number | undefined }[]): Promise<string[]> {
  if (products.length === 0) return []
  const update = products.map(({ one, available }) => ({ id: one.id, ...stockOf(available) }))
  const { value } = await call(context, 'POST', 'products/batch', { json: { update } })
  if (!isRow(value)) throw unreadable(LABEL, 'no answer to a change of stock')
  const skus = new Map(products.map(({ one }) => [word(one.id), word(one.sku)]))
  return rows(value.update).flatMap(({ id, error }) =>
    isRow(error) ? [`${skus.get(word(id)) ?? id}: ${wordsIn({ error }) ?? 'refused'}`] : [],
  )
}

const stockOf = (available: number | undefined): Row => ({ manage_stock: true, stock_quantity: available ?? 0 })
