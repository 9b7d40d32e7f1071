import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { tagOperations } from '../../http/route.ts'
import { Data, Id } from '../../http/schema.ts'
import { searchStore } from './search-store.ts'
import { GROUP_MAX, StoreSearch, StoreSearchQuery } from './store-search.model.ts'

const describe = tagOperations('Stores')

/** Route of the search over everything that a store has. */
export const storeSearchRoutes = (context: Context) =>
  new Elysia({ name: 'store-search', prefix: '/v1/stores/:storeId/search' }).use(context.auth).get(
    '',
    async ({ person, params: { storeId }, query: { q }, request: { signal } }) => ({
      data: await searchStore(context.sql, person, storeId, q, signal),
    }),
    {
      user: true,
      params: T.Object({ storeId: Id }),
      query: StoreSearchQuery,
      response: Data(StoreSearch),
      detail: {
        ...describe('Search the orders, parcels, customers, products and members of a store', 'findInStore'),
        description: `Returns up to ${GROUP_MAX} of each. Groups that your role or permissions do not show are empty. Parcels are found by their exact tracking number or reference.`,
      },
    },
  )
