import type { Concern } from '../../../../plugins/payment/payments.model.ts'
import type { Context } from '../../../context.ts'
import { projectIdOf, storeIdOf } from '../../../data/project-ids.ts'
import { type Tx, transaction } from '../../../data/sql.ts'
import { findPublicUser } from '../../../identity/auth/account.ts'
import { newId } from '../../../lib/ids.ts'
import { type Decimal, decimal, decimalText } from '../../../lib/money/decimal.ts'
import { findStore } from '../../../shop/stores/stores.queries.ts'
import { findManualGateway } from '../../payments/decide-payment.ts'
import { applyGatewayEvent } from '../../payments/events/apply-gateway-event.ts'
import { roundUp } from '../../payments/gateway/amounts.ts'
import type { LockedPayable, Payable } from '../../payments/payable.ts'
import { setPaymentMessage } from '../../payments/payment-message.ts'
import type { PaymentRow } from '../../payments/payments.model.ts'
import { billingErrors } from '../billing.errors.ts'
import { emailWaitingReceipt } from '../periods/notify.ts'
import { payDueInvoices } from '../periods/pay-invoices.ts'
import { insertCredit, lockSubscription } from '../subscriptions.queries.ts'
import { findAmountDue } from './due.ts'

const DESCRIPTION_MAX = 200
const START_LIMIT = { most: 50, hours: 24 } as const

/**
 * Subscriptions as payables: a paid amount becomes credit of the store once and pays open invoices; an excess remains as credit. No user can
 * accept a payment of a subscription, so that all money counts, and the operator is told of concerns.
 */
export const subscriptionPayable: Payable = {
  kind: 'subscription',
  idPrefix: 'spy',
  path: 'subscription-payments',
  titles: { ar: 'اشتراك', fr: 'Abonnement', en: 'Subscription' },
  // The excess becomes credit of the store.
  roundsUp: true,
  hasFees: false,
  // Refunds are made in the gateway's dashboard only, so that its total is right.
  revertsRefunds: true,
  startLimit: START_LIMIT,
  errors: {
    outcomeUnknown: billingErrors.paymentOutcomeUnknown,
    tooManyPayments: () => billingErrors.tooManyPayments({ most: START_LIMIT.most }),
  },
  async describe(sql, { projectId }) {
    const store = await findStore(sql, storeIdOf(projectId))
    const owner = store && (await findPublicUser(sql, store.ownerId))
    const label = store?.name ?? ''
    const customer = { name: owner?.name ?? label, phone: store?.phone ?? '', email: owner?.email ?? null }
    return { label, reference: store?.slug ?? '', description: label.slice(0, DESCRIPTION_MAX), customer }
  },
  exists: async (sql, { projectId }) => (await findStore(sql, storeIdOf(projectId))) !== undefined,
  async isDue(sql, { projectId, amount, currency }, step) {
    const due = await findAmountDue(sql, storeIdOf(projectId), Date.now())
    return due?.currency === currency && decimal(amount) <= roundUp(due.amount, step)
  },
  async lock(context, tx, { projectId }) {
    await lockSubscription(tx, storeIdOf(projectId))
    return lockedSubscription(context, tx)
  },
  onOutcomeOverdue: noteUnknownOutcome,
}

/** Returns the reference of a store's subscription as a payable. */
export const subscriptionRef = (storeId: string) => ({
  payableKind: 'subscription' as const,
  payableId: storeId,
  projectId: projectIdOf(storeId),
})

const lockedSubscription = (context: Context, tx: Tx): LockedPayable => ({
  async onPaid(payment, money) {
    // Only an administrator can decide the value of another currency and add it as credit.
    if (money) await addCredit(tx, payment, 'payment', money.amount)
  },
  // What was paid with a refunded amount is owed again.
  onRefunded: (payment, { amount }) => addCredit(tx, payment, 'refund', -amount),
  onRefundReverted: (payment, { amount }) => addCredit(tx, payment, 'refund', amount),
  flagConcern(payment, concern, change) {
    context.log.error({ paymentId: payment.id, gateway: payment.gateway }, `a payment of a subscription needs attention: ${concern}`)
    return setPaymentMessage(tx, payment, concernMessages[concern] ?? OUTCOME_UNKNOWN, change)
  },
  async onReceipt(before, payment) {
    if (before.status !== 'processing') await emailWaitingReceipt(context, tx, payment)
  },
  async onChange({ projectId, createdAt }, income) {
    if (income === null) return
    const [now, sub] = [Date.now(), await lockSubscription(tx, storeIdOf(projectId))]
    // A payment pays offers that were valid when it was started, however long it took.
    await payDueInvoices(tx, sub, now, income === 'paid' ? Date.parse(createdAt) : now)
  },
})

async function addCredit(tx: Tx, { projectId, id, currency }: PaymentRow, kind: 'payment' | 'refund', amount: Decimal): Promise<void> {
  await insertCredit(tx, { storeId: storeIdOf(projectId), id: newId('scr'), kind, amount: decimalText(amount), currency, about: id })
}

const OUTCOME_UNKNOWN =
  'The gateway does not say whether this payment was paid. Check it there; an administrator adds a paid amount to the credit of the store.'

const AWAITING_REVIEW = 'This receipt has not been verified yet: an administrator does that.'

const concernMessages: Partial<Record<Concern, string>> = {
  taken_back:
    'A bank took money of this payment back, and no refund states the amount. Check the gateway; an administrator deducts the amount from the credit of the store.',
}

/**
 * Notes in the payment's message that its outcome is overdue, and logs an error for the operator. Expires it if it is no longer polled,
 * unless a receipt waits for review. Later gateway events still count.
 */
async function noteUnknownOutcome(context: Context, payment: PaymentRow): Promise<void> {
  const { sql, log } = context
  const { id: paymentId, gateway, readAt, status } = payment
  const waitsForPerson = status === 'processing' && (await findManualGateway(context, payment)) !== null
  log.error({ paymentId, gateway }, 'the outcome of a payment of a subscription is unknown')
  await setPaymentMessage(sql, payment, waitsForPerson ? AWAITING_REVIEW : OUTCOME_UNKNOWN)
  if (readAt === null && !waitsForPerson) await transaction(sql, (tx) => applyGatewayEvent(context, tx, payment, { status: 'expired' }))
}
