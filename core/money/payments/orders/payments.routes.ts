import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { Payment } from '../../../../plugins/payment/payments.model.ts'
import type { Context } from '../../../context.ts'
import { projectIdOf } from '../../../data/project-ids.ts'
import { type Tx, transaction } from '../../../data/sql.ts'
import { createOnce } from '../../../http/idempotency.ts'
import { preferredLanguage } from '../../../http/pages/language.ts'
import { readList } from '../../../http/resource/list.ts'
import { readKeysetPage } from '../../../http/resource/page.ts'
import { tagOperations } from '../../../http/route.ts'
import { Data, Id, List, Nullable, pageQuery } from '../../../http/schema.ts'
import { csvResponse, exportCsv, exportQuery } from '../../../http/table/csv-export.ts'
import { notFound } from '../../../lib/errors/domain-error.ts'
import { findOrderById } from '../../../orders/orders.queries.ts'
import { storeItemMacro } from '../../../shop/stores/authority.ts'
import { pollPayment } from '../events/poll-payment.ts'
import { showOutcome } from '../payer-pages.ts'
import { NewRefund, type PaymentRow, paymentList, RefundOutcome } from '../payments.model.ts'
import { listPaymentPage } from '../payments.queries.ts'
import { createRefund } from '../refunds/create-refund.ts'
import { recordRefundOutcome } from '../refunds/record-refund-outcome.ts'
import { findRefund, listRefunds } from '../refunds/refunds.queries.ts'
import { submitRefund } from '../refunds/submit-refund.ts'
import { acceptPayment } from './accept-payment.ts'
import { paymentColumns } from './export-payments.ts'
import { findPaymentOfOrder } from './order-payment.ts'
import { listPaymentsOfStore } from './order-payments.queries.ts'
import { presentPayment } from './present.ts'

const describe = tagOperations('Payments')
const ById = T.Object({ id: Id })
const ByPayment = T.Object({ id: Id, paymentId: Id })
const ByRefund = T.Object({ id: Id, paymentId: Id, refundId: Id })

/** Routes of payments: lists, export, poll, acceptance, refunds, and the page to which payers return. */
export function payments(context: Context) {
  const { sql } = context
  return new Elysia({ name: 'payments', prefix: '/v1' })
    .use(context.authority)
    .macro(
      'order',
      storeItemMacro(context, 'order', (id) => findOrderById(sql, id)),
    )
    .get(
      '/stores/:storeId/payments/export.csv',
      ({ store, query, request }) =>
        exportCsv({ request, query, ownerId: store.id, name: 'payments' }, paymentColumns, async (asked) => {
          const found = await readList(sql, paymentList, asked, (reader, wanted) => listPaymentsOfStore(reader, store.projectId, wanted))
          return { ...found, data: await withRefunds(context, found.data) }
        }),
      {
        store: ['viewer', 'orders:read'],
        params: T.Object({ storeId: Id }),
        query: exportQuery(paymentList.query),
        detail: { ...describe('Export payments as CSV, with the filters of the list', 'exportPayments'), ...csvResponse },
      },
    )
    .get(
      '/stores/:storeId/payments',
      async ({ store, query }) => {
        const found = await readList(sql, paymentList, query, (reader, asked) => listPaymentsOfStore(reader, store.projectId, asked))
        return { ...found, data: await withRefunds(context, found.data) }
      },
      {
        store: ['viewer', 'orders:read'],
        params: T.Object({ storeId: Id }),
        query: paymentList.query,
        response: List(Payment),
        detail: describe('List payments of a store, newest first; waiting=true selects those that wait for review', 'listStorePayments'),
      },
    )
    .get(
      '/orders/:id/payments',
      async ({ order, query }) => {
        const found = await readKeysetPage(query, (before, take) =>
          listPaymentPage(sql, { projectId: projectIdOf(order.storeId), payableKind: 'order', payableId: order.id }, before, take),
        )
        return { ...found, data: await withRefunds(context, found.data) }
      },
      {
        order: ['viewer', 'orders:read'],
        params: ById,
        query: T.Object(pageQuery),
        response: List(Payment),
        detail: describe('List payments of an order, newest first', 'listPayments'),
      },
    )
    .get(
      '/orders/:id/payments/:paymentId',
      async ({ order, params }) => presented(context, await findPaymentOfOrder(sql, order, params.paymentId)),
      {
        order: ['viewer', 'orders:read'],
        params: ByPayment,
        response: Data(Payment),
        detail: describe('Read a payment', 'readPayment'),
      },
    )
    .post(
      '/orders/:id/payments/:paymentId/sync',
      async ({ order, params }) => {
        const { id } = await findPaymentOfOrder(sql, order, params.paymentId)
        await pollPayment(context, id)
        return presented(context, await findPaymentOfOrder(sql, order, id))
      },
      {
        order: ['agent', 'orders:write'],
        params: ByPayment,
        response: Data(Payment),
        detail: describe('Sync a payment with its gateway', 'syncPayment'),
      },
    )
    .post(
      '/orders/:id/payments/:paymentId/accept',
      async ({ order, params }) => {
        const payment = await findPaymentOfOrder(sql, order, params.paymentId)
        return presented(context, await transaction(sql, (tx) => acceptPayment(tx, payment)))
      },
      {
        order: ['admin', 'orders:write'],
        params: ByPayment,
        response: Data(Payment),
        detail: describe('Accept a payment that waits for review, so that it counts for its order', 'acceptPayment'),
      },
    )
    .post(
      '/orders/:id/payments/:paymentId/refund',
      async (creation) => {
        const payment = await findPaymentOfOrder(sql, creation.order, creation.params.paymentId)
        const begin = async (tx: Tx) => ({
          refundId: (await createRefund(context, tx, payment, creation.body ?? {})).id,
        })
        const { refundId } = await createOnce(context, creation, begin)
        await submitRefund(context, refundId).catch((error) => context.log.warn({ err: error, refundId }, 'a refund failed and is retried'))
        return presented(context, await findPaymentOfOrder(sql, creation.order, payment.id))
      },
      {
        order: ['admin', 'orders:write'],
        params: ByPayment,
        body: T.Optional(Nullable(NewRefund)),
        response: { 201: Data(Payment) },
        detail: describe('Refund a payment, fully or partially; its refunds show the outcome', 'refundPayment'),
      },
    )
    .patch(
      '/orders/:id/payments/:paymentId/refunds/:refundId',
      async ({ order, params, body }) => {
        const payment = await findPaymentOfOrder(sql, order, params.paymentId)
        const refund = await findRefund(sql, { projectId: payment.projectId, id: params.refundId })
        if (refund?.paymentId !== payment.id) throw notFound('The refund')
        await transaction(sql, (tx) => recordRefundOutcome(context, tx, payment, refund.id, body.status))
        return presented(context, await findPaymentOfOrder(sql, order, payment.id))
      },
      {
        order: ['admin', 'orders:write'],
        params: ByRefund,
        body: RefundOutcome,
        response: Data(Payment),
        detail: describe('Record the outcome of a refund that is unknown or that failed after it was done', 'sayRefund'),
      },
    )
    .get(
      '/payments/:id/return',
      ({ params, request }) => showOutcome(context, { kind: 'order', id: params.id, language: preferredLanguage(request) }),
      {
        open: true,
        params: ById,
        detail: {
          ...describe('Page to which a payer returns: redirects to the shop, or shows the outcome', 'returnFromPayment'),
          responses: {
            200: { description: 'The outcome.', content: { 'text/html': { schema: { type: 'string' } } } },
            303: { description: 'Redirect to the page of the shop.' },
          },
        },
      },
    )
}

/** Presents payments of one project with their refunds. */
async function withRefunds({ sql }: Context, rows: readonly PaymentRow[]) {
  const refunds = await listRefunds(
    sql,
    rows[0]?.projectId ?? '',
    rows.map(({ id }) => id),
  )
  return rows.map((row) => presentPayment(row, refunds))
}

const presented = async ({ sql }: Context, payment: PaymentRow) => ({
  data: presentPayment(payment, await listRefunds(sql, payment.projectId, [payment.id])),
})
