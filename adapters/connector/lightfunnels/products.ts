import {
  AdapterError,
  money,
  type PublicProduct,
  type PublicProducts,
  present,
  printed,
  type Row,
  readable,
  rows,
  text,
  typed,
  webAddress,
} from 'serai/connector'
import { graphql, pageIn } from './api.ts'
import type { Context } from './fields.ts'

const PAGE = 50
const LIST = `query ($query: String!, $first: Int!, $after: String) { products(query: $query, first: $first, after: $after) {
  edges { node { id title description price compare_at_price sku thumbnail { path } variants { id title price sku } } } pageInfo { hasNextPage endCursor } } }`
const cursorOf = (page: number) => `products:${page}`

/** Lists the products of the signed-in account by page number. The cursor of each page is stored, because the platform pages by cursor. */
export async function ownProducts(context: Context, { page }: { page: number }): Promise<PublicProducts> {
  const after = page === 1 ? null : await context.storage.get(cursorOf(page))
  if (after === undefined) throw new AdapterError('refused', 'Pages are read one after another: ask for the page before.')
  const { products } = await graphql(context, LIST, { query: 'order_by:id order_dir:desc', first: PAGE, after }, { readsOnly: true })
  const { found, cursor } = pageIn(products, 'products')
  if (cursor !== null) await context.storage.set(cursorOf(page + 1), cursor)
  return { products: readable(context, found, productIn), nextPage: cursor === null ? null : page + 1 }
}

function productIn(said: Row): PublicProduct | undefined {
  const [externalId, name, price] = [text(said.id), printed(said.title, 500), money(said.price)]
  if (externalId === undefined || name === undefined) return undefined
  return {
    externalId,
    name,
    price: price ?? null,
    images: rows([said.thumbnail]).flatMap(({ path }) => webAddress(path) ?? []),
    variants: rows(said.variants)
      .flatMap((one) => {
        const id = text(one.id)
        const words = printed(one.title, 300) ?? ''
        return id === undefined
          ? []
          : [{ externalId: id, name: words, price: money(one.price) ?? null, ...present({ sku: printed(one.sku, 80) }) }]
      })
      .slice(0, 250),
    ...present({
      description: typed(said.description, 50_000) || undefined,
      sku: printed(said.sku, 80),
      compareAtPrice: money(said.compare_at_price),
    }),
  }
}
