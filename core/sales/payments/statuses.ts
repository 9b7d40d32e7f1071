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
