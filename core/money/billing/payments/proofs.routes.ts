import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../../context.ts'
import { redirectTo } from '../../../http/pages/notice-page.ts'
import { readKeysetPage } from '../../../http/resource/page.ts'
import { tagOperations } from '../../../http/route.ts'
import { Data, Id, List, pageQuery } from '../../../http/schema.ts'
import { notFound } from '../../../lib/errors/domain-error.ts'
import { invariant } from '../../../lib/invariant.ts'
import { findStore } from '../../../shop/stores/stores.queries.ts'
import { decidePaymentOutcome } from '../../payments/decide-payment.ts'
import { receiptForm, receiptPage, receiptUploadedPage } from '../../payments/pages.ts'
import { PaymentDecision, PaymentProof } from '../../payments/receipts/proofs.model.ts'
import { canUploadReceipt, findReceiptPayment, listReceipts, uploadReceipt } from '../../payments/receipts/upload-receipt.ts'
import { billingErrors } from '../billing.errors.ts'
import { presentPayment } from '../present.ts'
import { SubscriptionPayment } from '../subscriptions.model.ts'
import { applyGatewayEvent } from './apply-gateway-event.ts'
import { findPayment, listPaymentsAwaitingReview, type PaymentRow } from './payments.queries.ts'
import { paymentSubjectOf, subscriptionReceipts } from './subscription-receipts.ts'

const describe = tagOperations('Subscriptions')
const ById = T.Object({ id: Id })
const PAGE = { 200: { description: 'A page.', content: { 'text/html': { schema: { type: 'string' as const } } } } }

/** Routes of subscription payments with receipts: the payer's page, and the review by platform administrators. */
export function subscriptionProofs(context: Context) {
  const { sql } = context
  const paymentOf = async (id: string): Promise<PaymentRow> => {
    const payment = await findPayment(sql, id)
    if (!payment) throw notFound('The payment')
    return payment
  }
  return new Elysia({ name: 'subscription-proofs', prefix: '/v1' })
    .use(context.auth)
    .get(
      '/subscription-payments/:id/proof',
      async ({ params }) => {
        const payment = await findReceiptPayment(context, subscriptionReceipts, params.id)
        const at = `/v1/subscription-payments/${payment.id}`
        if (!canUploadReceipt(payment)) return redirectTo(`${at}/return`)
        return receiptPage(payment, await paymentSubjectOf(context, payment), `${at}/proof`)
      },
      {
        open: true,
        params: ById,
        detail: {
          ...describe('Page with payment instructions for a plan, where a store sends the receipt', 'showSubscriptionProof'),
          responses: { ...PAGE, 303: { description: 'The payment has ended: redirect to the outcome.' } },
        },
      },
    )
    .post(
      '/subscription-payments/:id/proof',
      async ({ params, request, address }) => {
        const payment = await uploadReceipt(context, subscriptionReceipts, params.id, request, address)
        return receiptUploadedPage(payment, await paymentSubjectOf(context, payment))
      },
      {
        open: true,
        params: ById,
        detail: {
          ...describe(
            'Send the receipt of a payment, which then waits for an administrator; used by the receipt page',
            'sendSubscriptionProof',
          ),
          requestBody: receiptForm,
          responses: PAGE,
        },
      },
    )
    .get(
      '/platform/subscription-payments',
      async ({ query }) => {
        const found = await readKeysetPage(query, (before, take) => listPaymentsAwaitingReview(sql, before, take))
        return { ...found, data: found.data.map(presentPayment) }
      },
      {
        user: 'admin',
        query: T.Object(pageQuery),
        response: List(SubscriptionPayment),
        detail: describe('List payments with receipts that wait for an administrator, newest first', 'listWaitingSubscriptionPayments'),
      },
    )
    .get(
      '/platform/subscription-payments/:id/proofs',
      async ({ params }) => {
        const { id } = await paymentOf(params.id)
        return { data: await listReceipts(context, id), nextCursor: null }
      },
      {
        user: 'admin',
        params: ById,
        response: List(PaymentProof),
        detail: describe('List receipts of a payment of a store, newest first', 'listSubscriptionProofs'),
      },
    )
    .post(
      '/platform/subscription-payments/:id/settle',
      async ({ person, params, body }) => {
        const payment = await paymentOf(params.id)
        const store = await findStore(sql, payment.storeId)
        if (store?.ownerId === person.id) throw billingErrors.ownPayment()
        await decidePaymentOutcome(context, payment, body, { apply: (tx, event) => applyGatewayEvent(tx, payment, event) })
        return { data: presentPayment(invariant(await findPayment(sql, payment.id), 'A payment whose outcome was recorded')) }
      },
      {
        user: 'admin',
        params: ById,
        body: PaymentDecision,
        response: Data(SubscriptionPayment),
        detail: describe(
          'Record whether a payment was paid that the gateway cannot see; it then pays open invoices',
          'settleSubscriptionPayment',
        ),
      },
    )
}
