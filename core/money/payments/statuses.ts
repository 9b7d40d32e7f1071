import type { PaymentStatus } from '../../../plugins/payment/model.ts'

/** The payer, or the gateway, may still do something. */
export const underWay = ['created', 'open', 'processing', 'authorized'] as const satisfies readonly PaymentStatus[]
/** Money is there. */
export const holdsMoney: readonly PaymentStatus[] = ['paid', 'partially_refunded']
/** It was there, whatever became of it. */
export const wasPaid: readonly PaymentStatus[] = [...holdsMoney, 'refunded']

const ends = ['paid', 'failed', 'cancelled', 'expired'] as const
/** Some gateways let a payer try again, and some payers are late: money may still come of what had ended. */
const revived = ['processing', 'authorized', 'paid'] as const

/** What a gateway's word can make of a payment. Refunds are counted, and not told as a status. */
export const moves: Readonly<Record<PaymentStatus, readonly PaymentStatus[]>> = {
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

export const isUnderWay = (status: PaymentStatus): boolean => (underWay as readonly PaymentStatus[]).includes(status)

/**
 * Whether news change what was told of a payment before, and may be older than that: only when it is asked a gateway says how it is now. What was
 * paid stays paid, so that is no question.
 */
export const mayBeLate = (payment: { readonly status: PaymentStatus } | undefined, news: { readonly status: PaymentStatus }): boolean =>
  payment !== undefined &&
  payment.status !== 'created' &&
  payment.status !== 'open' &&
  news.status !== 'paid' &&
  moves[payment.status].includes(news.status)
