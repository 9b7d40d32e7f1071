import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { createOnce } from '../../http/idempotency.ts'
import { readKeysetPage } from '../../http/resource/page.ts'
import { tagOperations } from '../../http/route.ts'
import { Data, Id, List, pageQuery } from '../../http/schema.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { findOrder } from '../orders.queries.ts'
import { NewOrderComment, OrderComment } from './comments.model.ts'
import { listComments } from './comments.queries.ts'
import { removeComment, writeComment } from './write-comment.ts'

const describe = tagOperations('Orders')
const ByOrder = T.Object({ storeId: Id, orderId: Id })

/** Routes of the comments that members of a store write on orders. */
export const commentRoutes = (context: Context) =>
  new Elysia({ name: 'order-comments', prefix: '/v1/stores/:storeId/orders/:orderId/comments' })
    .use(context.authority)
    .get(
      '',
      async ({ store, params: { orderId }, query }) => {
        if (!(await findOrder(context.sql, { storeId: store.id, id: orderId }))) throw notFound('The order')
        const key = { projectId: store.projectId, id: orderId }
        return readKeysetPage(query, (before, take) => listComments(context.sql, key, before, take))
      },
      {
        member: ['viewer', 'orders:read'],
        params: ByOrder,
        query: T.Object(pageQuery),
        response: List(OrderComment),
        detail: describe('List the comments on an order, newest first', 'listOrderComments'),
      },
    )
    .post(
      '',
      (creation) =>
        createOnce(context, creation, async (tx) => ({
          data: await writeComment(context, tx, creation.store, creation.params.orderId, creation.person, creation.body),
        })),
      {
        member: ['agent', 'orders:write'],
        params: ByOrder,
        body: NewOrderComment,
        response: { 201: Data(OrderComment) },
        detail: describe('Comment on an order; the members whom the comment mentions are notified', 'commentOnOrder'),
      },
    )
    .delete(
      '/:commentId',
      async ({ store, person, params: { orderId, commentId }, set }) => {
        await removeComment(context, store, orderId, commentId, person)
        set.status = 204
      },
      {
        member: ['agent', 'orders:write'],
        params: T.Object({ storeId: Id, orderId: Id, commentId: Id }),
        response: { 204: T.Void() },
        detail: describe('Delete your comment on an order; admins may delete those of others', 'deleteOrderComment'),
      },
    )
