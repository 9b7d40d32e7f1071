import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { Data, Id } from '../../http/schema.ts'
import { networkOf } from '../../lib/net/addresses.ts'
import { NewView, View } from './analytics.model.ts'
import { countingViews, viewed } from './count-views.ts'

/** Storefronts tell what their visitors look at. */
export const views = (context: Context) => {
  const count = countingViews(context.sql)
  return new Elysia({ name: 'views', prefix: '/v1/stores' }).use(context.authority).post(
    '/:storeId/views',
    async ({ store, standing, address, body }) => {
      await viewed(context, count, store, body, standing === 'public' ? networkOf(address) : null)
      return { data: { counted: true } }
    },
    {
      storefront: ['agent', 'orders:write'],
      params: T.Object({ storeId: Id }),
      body: NewView,
      response: Data(View),
      detail: {
        tags: ['Analytics'],
        summary: 'Tell that a visitor looked at the store, at one of its products or at a landing page',
        operationId: 'countView',
      },
    },
  )
}
