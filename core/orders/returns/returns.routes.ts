import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { type Tx, transaction } from '../../data/sql.ts'
import { createOnce } from '../../http/idempotency.ts'
import { tagOperations } from '../../http/route.ts'
import { Data, Id } from '../../http/schema.ts'
import { storeItemMacro } from '../../shop/stores/authority.ts'
import { findOrderById, type OrderRow } from '../orders.queries.ts'
import { cancelReturn, receiveReturn } from './receive-return.ts'
import { printReturnLabel } from './return-label.ts'
import { returnOrder } from './return-order.ts'
import { NewReturn, OrderReturn, ReturnReceipt, StoredReturn } from './returns.model.ts'

const describe = tagOperations('Orders')
const ByReturn = T.Object({ id: Id, returnId: Id })
const keyOf = ({ storeId, id: orderId }: OrderRow, id: string) => ({ storeId, orderId, id })

/** Routes for returns and exchanges of delivered goods. */
export function returnRoutes(context: Context) {
  const { sql } = context
  return new Elysia({ name: 'order-returns', prefix: '/v1/orders' })
    .use(context.authority)
    .macro(
      'order',
      storeItemMacro(context, 'order', (id) => findOrderById(sql, id)),
    )
    .post(
      '/return',
      (creation) => createOnce(context, creation, async (tx: Tx) => ({ data: await returnOrder(tx, creation.store, creation.body) })),
      {
        store: ['agent', 'orders:write'],
        body: NewReturn,
        response: { 201: Data(OrderReturn) },
        detail: describe(
          'Return delivered goods, by line, received now or awaited; with `exchange`, send other goods instead',
          'returnOrder',
        ),
      },
    )
    .post(
      '/:id/returns/:returnId/receive',
      async ({ order, store, params, body }) => ({
        data: await transaction(sql, (tx) => receiveReturn(tx, store, keyOf(order, params.returnId), body)),
      }),
      {
        order: ['agent', 'orders:write'],
        params: ByReturn,
        body: ReturnReceipt,
        response: Data(OrderReturn),
        detail: describe('Receive an awaited return and put its goods into stock', 'receiveReturn'),
      },
    )
    .post(
      '/:id/returns/:returnId/cancel',
      async ({ order, store, params }) => ({
        data: await transaction(sql, (tx) => cancelReturn(tx, store, keyOf(order, params.returnId))),
      }),
      {
        order: ['agent', 'orders:write'],
        params: ByReturn,
        response: Data(StoredReturn),
        detail: describe('Cancel an awaited return; its goods stay with the customer', 'cancelReturn'),
      },
    )
    .get(
      '/:id/returns/:returnId/label',
      ({ order, store, params, request: { signal } }) => printReturnLabel(sql, store, order, { returnId: params.returnId, signal }),
      {
        order: ['agent', 'orders:read'],
        params: ByReturn,
        detail: {
          ...describe(
            'Print the label of an awaited return, addressed to the store, with its id as a barcode and a QR code',
            'printReturnLabel',
          ),
          responses: {
            200: { description: 'An A6 page.', content: { 'application/pdf': { schema: { type: 'string', format: 'binary' } } } },
          },
        },
      },
    )
}
