import { keepPreviousData, useQuery } from '@tanstack/preact-query'
import { api, type Schemas } from './client.ts'
import { unwrap } from './errors.ts'
import { queries } from './queries.ts'

/** Product as members of the store see it. */
export type Product = Schemas['Product']
const FOUND_MAX = 12
const keyOf = (id: string) => ['product', id]

/** Searches the products that are on sale; without a text, returns the newest. */
export const useProductSearch = (storeId: string, q: string) =>
  useQuery({
    queryKey: ['products', 'search', storeId, q],
    placeholderData: keepPreviousData,
    queryFn: async () => {
      const query = { storeId, limit: FOUND_MAX, status: 'active' as const, ...(q !== '' && { q }) }
      const { data } = await unwrap(api.GET('/v1/products', { params: { query } }))
      // Members of the store get whole products; the public gets others.
      const products = data as readonly Product[]
      for (const product of products) queries.setQueryData(keyOf(product.id), product)
      return products
    },
  })

/** Reads a product. */
export const useProduct = (id: string) => useQuery({ queryKey: keyOf(id), staleTime: 60_000, queryFn: () => readProduct(id) })

/** Reads a product, outside a component. */
export async function readProduct(id: string): Promise<Product> {
  const { data } = await unwrap(api.GET('/v1/products/{id}', { params: { path: { id } } }))
  return data as Product
}
