import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { Payment } from '../../../../plugins/payment/payments.model.ts'
import type { Context } from '../../../context.ts'
import { preferredLanguage } from '../../../http/pages/language.ts'
import { redirectTo } from '../../../http/pages/notice-page.ts'
import { tagOperations } from '../../../http/route.ts'
import { Data, Id, List } from '../../../http/schema.ts'
import { notFound } from '../../../lib/errors/domain-error.ts'
import { invariant } from '../../../lib/invariant.ts'
import { findOrderById, type OrderRow } from '../../../orders/orders.queries.ts'
import { storeItemMacro } from '../../../shop/stores/authority.ts'
import { decidePaymentOutcome } from '../decide-payment.ts'
import { applyGatewayEvent } from '../events/apply-gateway-event.ts'
import { receiptForm, receiptPage, receiptUploadedPage } from '../pages.ts'
import { findOrderReference, findPayment, listRefunds, type PaymentRow } from '../payments.queries.ts'
import { presentPayment } from '../present.ts'
import { orderReceipts } from './order-receipts.ts'
import { PaymentDecision, PaymentProof } from './proofs.model.ts'
import { canUploadReceipt, findReceiptPayment, listReceipts, uploadReceipt } from './upload-receipt.ts'

const describe = tagOperations('Payments')
const ById = T.Object({ id: Id })
const ByPayment = T.Object({ id: Id, paymentId: Id })
const PAGE = { 200: { description: 'A page.', content: { 'text/html': { schema: { type: 'string' as const } } } } }

/** Routes of payments whose outcome users record: the payer's receipt page, uploads, receipts and the decision. */
export function proofs(context: Context) {
  const { sql } = context
  const paidFor = async (payment: PaymentRow) => ({
    what: 'order' as const,
    named: invariant(await findOrderReference(sql, payment), 'The order of a payment'),
  })
  return new Elysia({ name: 'payment-proofs', prefix: '/v1' })
    .use(context.authority)
    .macro(
      'order',
      storeItemMacro(context, 'order', (id) => findOrderById(sql, id)),
    )
    .get(
      '/payments/:id/proof',
      async ({ params, request }) => {
        const payment = await findReceiptPayment(context, orderReceipts, params.id)
        if (!canUploadReceipt(payment)) return redirectTo(`/v1/payments/${payment.id}/return`)
        return receiptPage(payment, await paidFor(payment), `/v1/payments/${payment.id}/proof`, preferredLanguage(request))
      },
      {
        open: true,
        params: ById,
        detail: {
          ...describe('Page with payment instructions, where a payer sends the receipt', 'showPaymentProof'),
          responses: { ...PAGE, 303: { description: 'The payment has ended: redirect to the outcome.' } },
        },
      },
    )
    .post(
      '/payments/:id/proof',
      async ({ params, request, address }) => {
        const payment = await uploadReceipt(context, orderReceipts, params.id, request, address)
        return receiptUploadedPage(payment, await paidFor(payment), preferredLanguage(request))
      },
      {
        open: true,
        params: ById,
        detail: {
          ...describe('Send the receipt of a payment, which then waits for review; used by the receipt page', 'sendPaymentProof'),
          requestBody: receiptForm,
          responses: PAGE,
        },
      },
    )
    .get(
      '/orders/:id/payments/:paymentId/proofs',
      async ({ order, params }) => {
        const { id } = await paymentOf(context, order, params.paymentId)
        return { data: await listReceipts(context, id), nextCursor: null }
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
        const payment = await paymentOf(context, order, params.paymentId)
        await decidePaymentOutcome(context, payment, body, {
          isUnknown: payment.concern === 'outcome_unknown',
          apply: (tx, event) => applyGatewayEvent(tx, payment, event),
        })
        const settled = await paymentOf(context, order, payment.id)
        return { data: presentPayment(settled, await listRefunds(sql, [payment.id])) }
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

async function paymentOf({ sql }: Context, order: OrderRow, id: string): Promise<PaymentRow> {
  const payment = await findPayment(sql, id)
  if (payment?.orderId !== order.id) throw notFound('The payment')
  return payment
}
