import { storeIdOf } from '../../data/project-ids.ts'
import type { PaymentRow } from '../payments/payments.model.ts'
import { isUnderWay } from '../payments/statuses.ts'
import type { Invoice, Subscription, SubscriptionPayment } from './subscriptions.model.ts'
import type { InvoiceRow, PlanRow, SubscriptionRow } from './subscriptions.queries.ts'

/** Presents a subscription in the API format. `plan` is the plan in force. */
export const presentSubscription = (row: SubscriptionRow, plan: PlanRow): Subscription => ({
  storeId: row.storeId,
  plan: plan.code,
  status: row.status,
  periodStart: row.periodStart,
  periodEnd: row.periodEnd,
  nextPlan: row.nextPlan,
  cancels: row.cancels,
  limits: plan.limits,
})

/** Presents an invoice in the API format. */
export const presentInvoice = (row: InvoiceRow): Invoice => ({
  id: row.id,
  storeId: row.storeId,
  reason: row.reason,
  plan: row.plan,
  status: row.status,
  currency: row.currency,
  total: Number(row.total),
  lines: row.lines,
  periodStart: row.periodStart,
  periodEnd: row.periodEnd,
  dueAt: row.dueAt,
  paidAt: row.paidAt,
  createdAt: row.createdAt,
})

/** Presents a payment of a subscription in the API format. */
export const presentPayment = (row: PaymentRow): SubscriptionPayment => ({
  id: row.id,
  storeId: storeIdOf(row.projectId),
  gateway: row.gateway,
  status: row.status,
  amount: Number(row.amount),
  currency: row.currency,
  paid: row.paid === null ? null : Number(row.paid),
  refunded: Number(row.refunded),
  message: row.message,
  checkoutUrl: isUnderWay(row.status) ? row.checkoutUrl : null,
  expiresAt: row.expiresAt,
  paidAt: row.paidAt,
  createdAt: row.createdAt,
})
