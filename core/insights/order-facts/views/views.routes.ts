import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../../context.ts'
import { Data, Id } from '../../../http/schema.ts'
import { networkOf } from '../../../lib/net/addresses.ts'
import { CountedView, NewView } from '../analytics.model.ts'
import { createViewCounter, recordView } from './count-views.ts'

/** Route on which storefronts report the pages that visitors view. */
export const viewRoutes = (context: Context) => {
  const count = createViewCounter(context.sql)
  return new Elysia({ name: 'views', prefix: '/v1/stores' }).use(context.authority).post(
    '/:storeId/views',
    async ({ store, audience, address, body }) => {
      await recordView(context, count, store, body, audience === 'public' ? networkOf(address) : null)
      return { data: { counted: true } }
    },
    {
      storefront: ['agent', 'orders:write'],
      params: T.Object({ storeId: Id }),
      body: NewView,
      response: Data(CountedView),
      detail: {
        tags: ['Analytics'],
        summary: 'Report that a visitor viewed the store, one of its products or a landing page',
        operationId: 'countView',
      },
    },
  )
}
