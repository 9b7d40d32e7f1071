import { useQuery } from '@tanstack/preact-query'
import type { Schemas } from '../../../../api/client.ts'
import { readProduct } from '../../../../api/products.ts'
import { type LineValues, mergeSame } from './order-values.ts'

type Item = Schemas['OrderItem']

/** Reads the lines of an order as its form edits them: the lines of a bundle become one line that counts bundles. */
export const useOrderLines = ({ id, items }: { readonly id: string; readonly items: readonly Item[] }) =>
  useQuery({ queryKey: ['order-lines', id, items], staleTime: Number.POSITIVE_INFINITY, queryFn: () => readLines(items) })

async function readLines(items: readonly Item[]): Promise<readonly LineValues[]> {
  const lines: LineValues[] = []
  for (const item of items) {
    const line = item.offerId === null ? item : await bundleOf(item, item.offerId)
    if (line) lines.push(withoutTotal(line))
  }
  // An order may hold the same goods in several lines, such as at two prices. A change names them once.
  return mergeSame(lines)
}

const withoutTotal = ({ productId, variantId, offerId, name, unitPrice, quantity }: LineValues): LineValues => ({
  productId,
  variantId,
  offerId,
  name,
  unitPrice,
  quantity,
})

/** Returns the bundle of a line, by the product that sells it. The lines of its other goods have none: they come with it. */
async function bundleOf(item: Item, offerId: string): Promise<LineValues | undefined> {
  const product = await readProduct(item.productId)
  const bundle = product.bundles.find(({ id }) => id === offerId)
  if (!bundle) return undefined
  const quantity = Math.max(1, Math.round(item.quantity / bundle.quantity))
  return { ...item, variantId: null, offerId, name: `${product.name} – ${bundle.name}`, unitPrice: bundle.price, quantity }
}
