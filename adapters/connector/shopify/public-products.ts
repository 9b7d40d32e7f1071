import {
  type AdapterContext,
  AdapterError,
  ask,
  isRow,
  money,
  type ProductsAsked,
  type PublicProduct,
  type PublicProducts,
  present,
  printed,
  problemOf,
  type Row,
  readable,
  rows,
  text,
  typed,
  webAddress,
  word,
} from 'serai/connector'
import { LABEL } from './api.ts'

const PAGE = 250

/** Lists the products of the public storefront, also under its own domain. Needs no keys; a shop may disable it or require a password. */
export async function publicProducts(context: AdapterContext, { shop, page }: ProductsAsked): Promise<PublicProducts> {
  const answer = await ask(context, LABEL, `https://${shop}/products.json`, { query: { limit: PAGE, page }, followRedirects: true })
  const found = isRow(answer.value) && Array.isArray(answer.value.products) ? answer.value.products : undefined
  if (answer.status === 429 || answer.status >= 500) throw problemOf(context, LABEL, answer)
  if (!answer.ok || !found) throw new AdapterError('not_found', `${shop} shows no products of ${LABEL} to the public.`)
  const products = readable(context, found as unknown[], (row) => productIn(shop, row))
  return { products, nextPage: found.length === PAGE ? page + 1 : null }
}

function productIn(shop: string, row: unknown): PublicProduct | undefined {
  if (!isRow(row)) return undefined
  const [externalId, name, handle] = [word(row.id), printed(row.title, 500), text(row.handle)]
  if (externalId === undefined || name === undefined) return undefined
  const variants = rows(row.variants)
  const [first] = variants
  const compareAt = money(first?.compare_at_price)
  const available = variants.map((variant) => variant.available).filter((is) => typeof is === 'boolean')
  return {
    externalId,
    name,
    price: money(first?.price) ?? null,
    images: rows(row.images)
      .flatMap(({ src }) => webAddress(src) ?? [])
      .slice(0, 50),
    variants: variants.flatMap((variant) => variantIn(variant) ?? []).slice(0, 250),
    ...present({
      description: typed(row.body_html, 50_000) || undefined,
      url: handle === undefined ? undefined : `https://${shop}/products/${encodeURIComponent(handle)}`,
      sku: printed(first?.sku, 80),
      compareAtPrice: compareAt,
      inStock: available.length > 0 ? available.includes(true) : undefined,
    }),
  }
}

function variantIn(row: Row): PublicProduct['variants'][number] | undefined {
  const externalId = word(row.id)
  if (externalId === undefined) return undefined
  const inStock = typeof row.available === 'boolean' ? row.available : undefined
  return {
    externalId,
    name: printed(row.title, 300) ?? '',
    price: money(row.price) ?? null,
    ...present({ sku: printed(row.sku, 80), inStock }),
  }
}
