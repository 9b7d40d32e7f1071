import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../../context.ts'
import { createOnceExternally } from '../../../http/idempotency.ts'
import { readKeysetPage } from '../../../http/resource/page.ts'
import { tagOperations } from '../../../http/route.ts'
import { Data, Id, List, Nullable, pageQuery } from '../../../http/schema.ts'
import { readInboundRequest, toResponse } from '../../../integrations/webhook-intake/inbound-request.ts'
import { showOutcome } from '../../payments/payer-pages.ts'
import { listPaymentPage } from '../../payments/payments.queries.ts'
import { billingErrors } from '../billing.errors.ts'
import { presentPayment } from '../present.ts'
import { readSubscription } from '../report.ts'
import { CheckedOut, DuePayment, NewSubscriptionCheckout, SubscriptionPayment } from '../subscriptions.model.ts'
import { beginPayment } from './begin-payment.ts'
import { checkOutPlan } from './check-out.ts'
import { receiveCallback } from './receive.ts'
import { subscriptionRef } from './subscription-payable.ts'

const describe = tagOperations('Subscriptions')
const ByStore = T.Object({ storeId: Id })

/** Routes of payments of stores' subscriptions, at the gateways of the operator of this server. */
export function subscriptionPayments(context: Context) {
  const { sql } = context
  const handleWebhook = async ({ request, params }: { request: Request; params: { key: string } }) =>
    toResponse(await receiveCallback(context, params.key, await readInboundRequest(context, request)))
  const webhookOptions = (operationId: string) => ({
    parse: 'none' as const,
    params: T.Object({ key: T.String({ maxLength: 60 }) }),
    detail: { ...describe("Webhook of the platform's own gateway, verified on the exact bytes", operationId), 'x-callback': true as const },
  })
  return new Elysia({ name: 'subscription-payments', prefix: '/v1' })
    .use(context.authority)
    .post(
      '/stores/:storeId/subscription/checkout',
      ({ store, body, request, caller, set }) =>
        createOnceExternally(context, { body, request, caller, set }, async () => {
          const payment = await checkOutPlan(context, store, body)
          const { shown } = await readSubscription(sql, store.id)
          return { data: { subscription: shown, payment: payment && presentPayment(payment) } }
        }),
      {
        member: 'owner',
        params: ByStore,
        body: NewSubscriptionCheckout,
        response: { 201: Data(CheckedOut) },
        detail: describe(
          'Choose a plan and start its payment: returns the checkout page; a repeated call returns the same page',
          'checkoutSubscription',
        ),
      },
    )
    .post(
      '/stores/:storeId/subscription/payDue',
      ({ store, body, request, caller, set }) =>
        createOnceExternally(context, { body, request, caller, set }, async () => {
          const payment = await beginPayment(context, store, body ?? {})
          if (!payment) throw billingErrors.alreadyPaid()
          return { data: presentPayment(payment) }
        }),
      {
        member: 'owner',
        params: ByStore,
        body: T.Optional(Nullable(DuePayment)),
        response: { 201: Data(SubscriptionPayment) },
        detail: describe(
          'Start a payment of all open invoices: returns the checkout page; a repeated call returns the same page',
          'payDue',
        ),
      },
    )
    .get(
      '/stores/:storeId/subscription/payments',
      async ({ store, query }) => {
        const found = await readKeysetPage(query, (before, take) => listPaymentPage(sql, subscriptionRef(store.id), before, take))
        return { ...found, data: found.data.map(presentPayment) }
      },
      {
        store: ['viewer', 'stores:read'],
        params: ByStore,
        query: T.Object(pageQuery),
        response: List(SubscriptionPayment),
        detail: describe('List payments of a store for its subscription, newest first', 'listSubscriptionPayments'),
      },
    )
    .get('/subscription-payments/:id/return', ({ params }) => showOutcome(context, { kind: 'subscription', id: params.id }), {
      open: true,
      params: T.Object({ id: Id }),
      detail: {
        ...describe(
          'Page to which a payer returns: redirects to the page that was set, or shows the outcome',
          'returnFromSubscriptionPayment',
        ),
        responses: {
          200: { description: 'The outcome.', content: { 'text/html': { schema: { type: 'string' } } } },
          303: { description: 'Redirect to the page that was set.' },
        },
      },
    })
    .get('/platform/integrations/:key/webhook', handleWebhook, webhookOptions('platformWebhook.GET'))
    .post('/platform/integrations/:key/webhook', handleWebhook, webhookOptions('platformWebhook.POST'))
}
