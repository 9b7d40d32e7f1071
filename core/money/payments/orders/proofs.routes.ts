import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { Payment } from '../../../../plugins/payment/payments.model.ts'
import type { Context } from '../../../context.ts'
import { preferredLanguage } from '../../../http/pages/language.ts'
import { tagOperations } from '../../../http/route.ts'
import { Data, Id, List } from '../../../http/schema.ts'
import { findOrderById } from '../../../orders/orders.queries.ts'
import { storeItemMacro } from '../../../shop/stores/authority.ts'
import { decidePaymentOutcome } from '../decide-payment.ts'
import { receiptForm } from '../pages.ts'
import { type PayerPage, receiveReceipt, showReceiptForm } from '../payer-pages.ts'
import { PaymentDecision, PaymentProof } from '../receipts/proofs.model.ts'
import { listReceipts } from '../receipts/upload-receipt.ts'
import { listRefunds } from '../refunds/refunds.queries.ts'
import { findPaymentOfOrder } from './order-payment.ts'
import { presentPayment } from './present.ts'

const describe = tagOperations('Payments')
const ById = T.Object({ id: Id })
const ByPayment = T.Object({ id: Id, paymentId: Id })
const PAGE = { 200: { description: 'A page.', content: { 'text/html': { schema: { type: 'string' as const } } } } }

/** Routes of payments whose outcome users record: the payer's receipt page, uploads, receipts and the decision. */
export function proofs(context: Context) {
  const { sql } = context
  const pageOf = (id: string, request: Request): PayerPage => ({ kind: 'order', id, language: preferredLanguage(request) })
  return new Elysia({ name: 'payment-proofs', prefix: '/v1' })
    .use(context.authority)
    .macro(
      'order',
      storeItemMacro(context, 'order', (id) => findOrderById(sql, id)),
    )
    .get('/payments/:id/proof', ({ params, request }) => showReceiptForm(context, pageOf(params.id, request)), {
      open: true,
      params: ById,
      detail: {
        ...describe('Page with payment instructions, where a payer sends the receipt', 'showPaymentProof'),
        responses: { ...PAGE, 303: { description: 'The payment has ended: redirect to the outcome.' } },
      },
    })
    .post('/payments/:id/proof', ({ params, request, address }) => receiveReceipt(context, pageOf(params.id, request), request, address), {
      open: true,
      params: ById,
      detail: {
        ...describe('Send the receipt of a payment, which then waits for review; used by the receipt page', 'sendPaymentProof'),
        requestBody: receiptForm,
        responses: PAGE,
      },
    })
    .get(
      '/orders/:id/payments/:paymentId/proofs',
      async ({ order, params }) => {
        const payment = await findPaymentOfOrder(sql, order, params.paymentId)
        return { data: await listReceipts(context, payment), nextCursor: null }
      },
      {
        order: ['viewer', 'orders:read'],
        params: ByPayment,
        response: List(PaymentProof),
        detail: describe('List receipts that the payer sent, newest first', 'listPaymentProofs'),
      },
    )
    .post(
      '/orders/:id/payments/:paymentId/settle',
      async ({ order, params, body }) => {
        const payment = await findPaymentOfOrder(sql, order, params.paymentId)
        await decidePaymentOutcome(context, payment, body)
        const settled = await findPaymentOfOrder(sql, order, payment.id)
        return { data: presentPayment(settled, await listRefunds(sql, payment.projectId, [payment.id])) }
      },
      {
        order: ['admin', 'orders:write'],
        params: ByPayment,
        body: PaymentDecision,
        response: Data(Payment),
        detail: describe('Record whether a payment was paid that the gateway cannot see or does not report', 'settlePayment'),
      },
    )
}
