import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../../context.ts'
import { storeIdOf } from '../../../data/project-ids.ts'
import { readKeysetPage } from '../../../http/resource/page.ts'
import { tagOperations } from '../../../http/route.ts'
import { Data, Id, List, pageQuery } from '../../../http/schema.ts'
import { notFound } from '../../../lib/errors/domain-error.ts'
import { invariant } from '../../../lib/invariant.ts'
import { findStore } from '../../../shop/stores/stores.queries.ts'
import { decidePaymentOutcome } from '../../payments/decide-payment.ts'
import { receiptForm } from '../../payments/pages.ts'
import { receiveReceipt, showReceiptForm } from '../../payments/payer-pages.ts'
import type { PaymentRow } from '../../payments/payments.model.ts'
import { findPaymentOfKind, listPaymentsAwaitingReview } from '../../payments/payments.queries.ts'
import { PaymentDecision, PaymentProof } from '../../payments/receipts/proofs.model.ts'
import { listReceipts } from '../../payments/receipts/upload-receipt.ts'
import { billingErrors } from '../billing.errors.ts'
import { presentPayment } from '../present.ts'
import { SubscriptionPayment } from '../subscriptions.model.ts'

const describe = tagOperations('Subscriptions')
const ById = T.Object({ id: Id })
const kind = 'subscription'
const PAGE = { 200: { description: 'A page.', content: { 'text/html': { schema: { type: 'string' as const } } } } }

/** Routes of subscription payments with receipts: the payer's page, and the review by platform administrators. */
export function subscriptionProofs(context: Context) {
  const { sql } = context
  const paymentOf = async (id: string): Promise<PaymentRow> => {
    const payment = await findPaymentOfKind(sql, kind, id)
    if (!payment) throw notFound('The payment')
    return payment
  }
  return new Elysia({ name: 'subscription-proofs', prefix: '/v1' })
    .use(context.auth)
    .get('/subscription-payments/:id/proof', ({ params: { id } }) => showReceiptForm(context, { kind, id }), {
      open: true,
      params: ById,
      detail: {
        ...describe('Page with payment instructions for a plan, where a store sends the receipt', 'showSubscriptionProof'),
        responses: { ...PAGE, 303: { description: 'The payment has ended: redirect to the outcome.' } },
      },
    })
    .post(
      '/subscription-payments/:id/proof',
      ({ params: { id }, request, address }) => receiveReceipt(context, { kind, id }, request, address),
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
        const found = await readKeysetPage(query, (before, take) => listPaymentsAwaitingReview(sql, kind, before, take))
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
        return { data: await listReceipts(context, await paymentOf(params.id)), nextCursor: null }
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
        const store = await findStore(sql, storeIdOf(payment.projectId))
        if (store?.ownerId === person.id) throw billingErrors.ownPayment()
        await decidePaymentOutcome(context, payment, body)
        return { data: presentPayment(invariant(await findPaymentOfKind(sql, kind, payment.id), 'A payment whose outcome was recorded')) }
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
