import {
  type AdapterContext,
  AdapterError,
  ask,
  fromMinor,
  isRow,
  number,
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
import { LABEL, pagesOf } from './api.ts'

const PAGE = 100

/** Lists the products of the public storefront. Needs no keys; a shop may disable it. */
export async function publicProducts(context: AdapterContext, { shop, page }: ProductsAsked): Promise<PublicProducts> {
  const answer = await ask(context, LABEL, `https://${shop}/wp-json/wc/store/v1/products`, {
    query: { per_page: PAGE, page },
    followRedirects: true,
  })
  if (answer.status === 401 || answer.status === 403 || answer.status === 404)
    throw new AdapterError('not_found', `${shop} shows no products of ${LABEL} to the public.`)
  if (!answer.ok) throw problemOf(context, LABEL, answer)
  if (!Array.isArray(answer.value)) throw new AdapterError('not_found', `${shop} shows no products of ${LABEL} to the public.`)
  const products = readable(context, answer.value as unknown[], productIn)
  return { products, nextPage: answer.value.length > 0 && page < pagesOf(answer) ? page + 1 : null }
}

function productIn(row: unknown): PublicProduct | undefined {
  if (!isRow(row)) return undefined
  const [externalId, name] = [word(row.id), printed(row.name, 500)]
  if (externalId === undefined || name === undefined) return undefined
  const prices = isRow(row.prices) ? row.prices : {}
  const digits = number(prices.currency_minor_unit) ?? 2
  const currency = text(prices.currency_code)
  const [price, regular] = [fromMinor(prices.price, digits), fromMinor(prices.regular_price, digits)]
  return {
    externalId,
    name,
    price: price ?? null,
    images: rows(row.images)
      .flatMap(({ src }) => webAddress(src) ?? [])
      .slice(0, 50),
    variants: rows(row.variations)
      .flatMap((one) => variantIn(one) ?? [])
      .slice(0, 250),
    ...present({
      description: typed(row.description, 50_000) || undefined,
      url: webAddress(row.permalink),
      sku: printed(row.sku, 80),
      compareAtPrice: regular === price ? undefined : regular,
      currency: currency !== undefined && /^[A-Z]{3}$/.test(currency) ? currency : undefined,
      inStock: typeof row.is_in_stock === 'boolean' ? row.is_in_stock : undefined,
    }),
  }
}

/** Presents a variant. Its own price is not in this list. */
function variantIn(row: Row): PublicProduct['variants'][number] | undefined {
  const externalId = word(row.id)
  const name = rows(row.attributes)
    .map(({ value }) => printed(value, 60))
    .filter(Boolean)
    .join(' / ')
  return externalId === undefined ? undefined : { externalId, name: name.slice(0, 300), price: null }
}
