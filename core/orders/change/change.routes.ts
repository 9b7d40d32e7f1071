import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { tagOperations } from '../../http/route.ts'
import { Data } from '../../http/schema.ts'
import { Order } from '../orders.model.ts'
import { Assignment, Assignments } from './assign.model.ts'
import { assignOrder, assignOrders } from './assign.ts'
import { OrderChanges, OrderRowResult } from './batch-update.model.ts'
import { changeOrders } from './batch-update.ts'

const describe = tagOperations('Orders')

/** Routes that assign orders and change many orders at once. */
export const orderChangeRoutes = (context: Context) =>
  new Elysia({ name: 'order-work' })
    .use(context.authority)
    .post('/v1/orders:batchUpdate', async ({ store, body }) => ({ data: await changeOrders(context.sql, store, body) }), {
      store: ['agent', 'orders:write'],
      // The router reads the text after the colon as a parameter.
      params: T.Object({ batchUpdate: T.Literal(':batchUpdate') }),
      body: OrderChanges,
      response: Data(T.Array(OrderRowResult)),
      detail: describe('Change up to 100 orders independently; the response has a result for each', 'changeOrders'),
    })
    .post('/v1/orders/assign', async ({ store, body }) => ({ data: await assignOrder(context.sql, store, body) }), {
      store: ['agent', 'orders:write'],
      body: Assignment,
      response: Data(Order),
      detail: describe('Assign an order to a member of the store, or unassign it', 'assignOrder'),
    })
    .post('/v1/orders/assignMany', async ({ store, body }) => ({ data: await assignOrders(context.sql, store, body) }), {
      store: ['agent', 'orders:write'],
      body: Assignments,
      response: Data(T.Array(OrderRowResult)),
      detail: describe('Assign up to 500 orders to members of the store round robin; the response has a result for each', 'assignOrders'),
    })
