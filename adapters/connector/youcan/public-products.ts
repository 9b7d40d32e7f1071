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
  typed,
  webAddress,
  word,
  yes,
} from 'serai/connector'
import { hasMore, LABEL, row } from './api.ts'

/** Lists the products of the public storefront, under its own domain or the platform's. Needs no token. */
export async function publicProducts(context: AdapterContext, { shop, page }: ProductsAsked): Promise<PublicProducts> {
  const query = { include: 'variants,categories,images', sort_field: 'created_at', page }
  const answer = await ask(context, LABEL, `https://${shop}/api/products`, { query, followRedirects: true })
  const shown = isRow(answer.value) ? answer.value : undefined
  if ([401, 403, 404].includes(answer.status) || (answer.ok && !Array.isArray(shown?.data)))
    throw new AdapterError('not_found', `${shop} shows no products of ${LABEL} to the public.`)
  if (!answer.ok || !shown) throw problemOf(context, LABEL, answer)
  const found = rows(shown.data)
  const products = readable(context, found.slice(0, 250), productIn)
  return { products, nextPage: found.length > 0 && hasMore(shown, page) ? page + 1 : null }
}

function productIn(said: Row): PublicProduct | undefined {
  const [externalId, name] = [word(said.id), printed(said.name, 500)]
  if (externalId === undefined || name === undefined) return undefined
  const [price, before] = [money(said.price), money(said.compare_at_price)]
  return {
    externalId,
    name,
    price: price ?? null,
    images: rows(said.images)
      .flatMap(({ url }) => webAddress(url) ?? [])
      .slice(0, 50),
    variants: rows(said.variants)
      .flatMap((one) => variantIn(one) ?? [])
      .slice(0, 250),
    ...present({
      description: typed(said.description, 50_000) || undefined,
      url: webAddress(said.public_url),
      compareAtPrice: before === price ? undefined : before,
    }),
  }
}

function variantIn(said: Row): PublicProduct['variants'][number] | undefined {
  const externalId = word(said.id)
  if (externalId === undefined) return undefined
  const name = Object.values(Array.isArray(said.values) ? said.values : row(said.variations))
    .map((value) => printed(value, 60))
    .filter(Boolean)
    .join(' / ')
  const tracked = yes(said.track_inventory) && typeof said.inventory === 'number'
  return {
    externalId,
    name: name.slice(0, 300),
    price: money(said.price) ?? null,
    ...present({ sku: printed(said.sku, 80), inStock: tracked ? Number(said.inventory) > 0 : undefined }),
  }
}
