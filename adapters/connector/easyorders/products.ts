import {
  isRow,
  money,
  type PublicProduct,
  type PublicProducts,
  present,
  printed,
  readable,
  rows,
  typed,
  unreadable,
  webAddress,
  word,
} from 'serai/connector'
import { call, LABEL, rowsIn } from './api.ts'
import type { Context } from './fields.ts'

const PAGE = 50

/** Lists the products of the key's own shop, which the platform does not publish. */
export async function ownProducts(context: Context, { page }: { page: number }): Promise<PublicProducts> {
  const query = { join: 'Variations.Props,Variants.VariationProps', limit: PAGE, page }
  const { value } = await call(context, 'GET', 'products', { query })
  const found = rowsIn(value)
  if (!found) throw unreadable(LABEL, 'no list of products')
  return { products: readable(context, found, (one) => productIn(context, one)), nextPage: found.length < PAGE ? null : page + 1 }
}

function productIn({ settings }: Context, said: unknown): PublicProduct | undefined {
  if (!isRow(said)) return undefined
  const [externalId, name] = [word(said.id), printed(said.name, 500)]
  if (externalId === undefined || name === undefined) return undefined
  const { price, before } = pricesOf(said)
  const pictures = Array.isArray(said.images) ? (said.images as unknown[]) : []
  return {
    externalId,
    name,
    price,
    currency: settings.currency,
    images: [said.thumb, ...pictures].flatMap((address) => webAddress(address) ?? []).slice(0, 50),
    variants: rows(said.variants)
      .flatMap((one) => {
        const id = word(one.id)
        const props = rows(one.variation_props).map(({ variation_prop: value }) => printed(value, 60))
        return id === undefined
          ? []
          : [{ externalId: id, name: props.filter(Boolean).join(' / ').slice(0, 300), price: pricesOf(one).price }]
      })
      .slice(0, 250),
    ...present({
      description: typed(said.description, 50_000) || undefined,
      sku: printed(said.sku, 80),
      compareAtPrice: before,
      inStock: said.track_stock === true && typeof said.quantity === 'number' ? said.quantity > 0 : undefined,
    }),
  }
}

/** Returns the prices: the sale price is charged if there is one. */
function pricesOf({ price, sale_price: sale }: Readonly<Record<string, unknown>>) {
  const [full, reduced] = [money(price), money(sale)]
  const isSale = reduced !== undefined && reduced !== '0' && full !== undefined && Number(reduced) < Number(full)
  return isSale ? { price: reduced, before: full } : { price: full ?? null, before: undefined }
}
