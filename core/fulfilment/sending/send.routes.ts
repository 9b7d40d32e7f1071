import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { SendRowResult } from '../../../plugins/carrier/rows.model.ts'
import { SendOptions } from '../../../plugins/carrier/segments.model.ts'
import type { Context } from '../../context.ts'
import { Data, exact, Id } from '../../http/schema.ts'
import { sendOrders } from './send-order.ts'

const Row = exact({ orderId: Id, ...SendOptions.properties })

/** Route that sends orders of a store with a carrier named in the body. */
export const sendRoutes = (context: Context) =>
  new Elysia({ name: 'sending', prefix: '/v1/orders' })
    .use(context.authority)
    .post('/send', async ({ store, body }) => ({ data: await sendOrders(context, store.id, body.carrierCode, body.orders) }), {
      store: ['agent', 'orders:write', 'parcels'],
      body: exact({
        storeId: T.Optional(Id),
        carrierCode: T.String({ maxLength: 60, description: "the carrier's slug" }),
        orders: T.Array(Row, { minItems: 1, maxItems: 500 }),
      }),
      response: Data(T.Array(SendRowResult)),
      detail: {
        tags: ['Sending'],
        summary: 'Send up to 500 orders with a carrier; the response has a result for each',
        description: 'The route to use for many orders with one carrier. Read the `outcome` of each row: `sent`, `pending` or `refused`.',
        operationId: 'sendOrders',
      },
    })
