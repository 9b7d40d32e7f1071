import type { PaymentStatus } from '../../../plugins/payment/payments.model.ts'

/** Statuses of payments under way, which the payer or the gateway can still change. */
export const underWayStatuses = ['created', 'open', 'processing', 'authorized'] as const satisfies readonly PaymentStatus[]
/** Statuses of payments with money left. */
export const paidStatuses: readonly PaymentStatus[] = ['paid', 'partially_refunded']
/** Statuses of payments that were paid, even if refunded since. */
export const everPaidStatuses: readonly PaymentStatus[] = [...paidStatuses, 'refunded']

const ends = ['paid', 'failed', 'cancelled', 'expired'] as const
/** Statuses that a payment can reach after it failed, because some gateways allow another attempt or a late payment. */
const revived = ['processing', 'authorized', 'paid'] as const

/** Status transitions that a gateway event can cause. Refunds are computed from amounts instead. */
export const transitions: Readonly<Record<PaymentStatus, readonly PaymentStatus[]>> = {
  created: ['open', 'processing', 'authorized', ...ends],
  open: ['processing', 'authorized', ...ends],
  processing: ['authorized', ...ends],
  authorized: ends,
  paid: [],
  partially_refunded: [],
  refunded: [],
  failed: revived,
  cancelled: revived,
  expired: revived,
}

/** Returns whether the payer or the gateway can still change the payment. */
export const isUnderWay = (status: PaymentStatus): boolean => (underWayStatuses as readonly PaymentStatus[]).includes(status)

/**
 * Returns whether an event could be older than the payment's current status, so that the gateway must be polled instead. Events that report
 * `paid` are never too old.
 */
export const mayBeOutdated = (
  payment: { readonly status: PaymentStatus } | undefined,
  event: { readonly status: PaymentStatus },
): boolean =>
  payment !== undefined &&
  payment.status !== 'created' &&
  payment.status !== 'open' &&
  event.status !== 'paid' &&
  transitions[payment.status].includes(event.status)
