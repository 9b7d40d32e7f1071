import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { Data } from '../../http/schema.ts'
import { Order } from '../orders.model.ts'
import { Assignment, Assignments } from './assign.model.ts'
import { assignOrder, assignOrders } from './assign.ts'
import { OrderChanges, OrderRowResult } from './batch-update.model.ts'
import { changeOrders } from './batch-update.ts'

const describe = (summary: string, operationId: string) => ({ tags: ['Orders'], summary, operationId })

/** What a store's people do with orders, one and many. */
export const orderWork = (context: Context) =>
  new Elysia({ name: 'order-work' })
    .use(context.authority)
    .post('/v1/orders:batchUpdate', async ({ store, body }) => ({ data: await changeOrders(context.sql, store, body) }), {
      store: ['agent', 'orders:write'],
      // It stands where a router sees a parameter.
      params: T.Object({ batchUpdate: T.Literal(':batchUpdate') }),
      body: OrderChanges,
      response: Data(T.Array(OrderRowResult)),
      detail: describe('Change up to 100 orders, each for itself; answers row by row', 'changeOrders'),
    })
    .post('/v1/orders/assign', async ({ store, body }) => ({ data: await assignOrder(context.sql, store, body) }), {
      store: ['agent', 'orders:write'],
      body: Assignment,
      response: Data(Order),
      detail: describe("Give an order to one of the store's people, or to nobody", 'assignOrder'),
    })
    .post('/v1/orders/assignMany', async ({ store, body }) => ({ data: await assignOrders(context.sql, store, body) }), {
      store: ['agent', 'orders:write'],
      body: Assignments,
      response: Data(T.Array(OrderRowResult)),
      detail: describe("Give up to 500 orders to the store's people in turn; answers row by row", 'assignOrders'),
    })
