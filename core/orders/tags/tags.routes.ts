import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { readKeysetPage } from '../../http/resource/page.ts'
import { tagOperations } from '../../http/route.ts'
import { Data, Id, List, pageQuery } from '../../http/schema.ts'
import { changeTags, readTags } from './change-tags.ts'
import { OrderTagChange, OrderTags, StoreTag } from './tags.model.ts'
import { listStoreTags } from './tags.queries.ts'

const describe = tagOperations('Orders')
const ByOrder = T.Object({ storeId: Id, orderId: Id })

/** Routes of the tags of orders. */
export const tagRoutes = (context: Context) =>
  new Elysia({ name: 'order-tags', prefix: '/v1/stores/:storeId' })
    .use(context.authority)
    .get(
      '/order-tags',
      ({ store, query }) =>
        readKeysetPage(
          query,
          (after, take) => listStoreTags(context.sql, store.projectId, after, take),
          ({ tag }) => tag,
        ),
      {
        store: ['viewer', 'orders:read'],
        params: T.Object({ storeId: Id }),
        query: T.Object(pageQuery),
        response: List(StoreTag),
        detail: describe('List the different tags that orders of a store have', 'listStoreTags'),
      },
    )
    .get('/orders/:orderId/tags', async ({ store, params }) => ({ data: await readTags(context, store, params.orderId) }), {
      store: ['viewer', 'orders:read'],
      params: ByOrder,
      response: Data(OrderTags),
      detail: describe('Read the tags of an order', 'readOrderTags'),
    })
    .patch('/orders/:orderId/tags', async ({ store, params, body }) => ({ data: await changeTags(context, store, params.orderId, body) }), {
      store: ['agent', 'orders:write'],
      params: ByOrder,
      body: OrderTagChange,
      response: Data(OrderTags),
      detail: describe('Add and remove tags of an order', 'changeOrderTags'),
    })
