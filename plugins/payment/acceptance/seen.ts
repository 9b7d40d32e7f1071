import type { SeenCall } from '../../acceptance/calls.ts'
import type { CheckoutStatus, PayoutStatus, ToldPayout, ToldPayoutLine } from '../model.ts'

/** A checkout in the gateway's own books, read from what arrived there, never from what the adapter says. Null where it has no place for it. */
export interface SeenCheckout {
  readonly externalId: string
  /** Ours, where the gateway keeps it. */
  readonly paymentId: string | null
  readonly reference: string | null
  readonly description: string | null
  /** As it arrived, and what an amount of 1 is there. */
  readonly amount: number
  readonly unit: 'major' | 'minor'
  readonly currency: string
  readonly language: string | null
  readonly returnUrl: string | null
  readonly cancelUrl: string | null
  readonly webhookUrl: string | null
  readonly status: CheckoutStatus
  /** What was paid, and what is kept of it, in the same unit; null where nothing is paid, or no fee is shown. */
  readonly paid: number | null
  readonly fee: number | null
}

export interface SeenRefund {
  /** The checkout's. */
  readonly externalId: string
  readonly amount: number
  readonly currency: string
  /** Done unless said. What failed was not given back. */
  readonly status?: 'pending' | 'done' | 'failed'
}

/** A payout in the gateway's own books. Null where it has no place for it. */
export interface SeenPayout extends Pick<ToldPayout, 'externalId' | 'amount' | 'currency' | 'lines'> {
  readonly status: PayoutStatus
  /** ISO 8601. */
  readonly arrivesAt: string | null
}

/** A line of it, and the checkout and the refund of ours that it is of. */
export interface SeenPayoutLine extends Pick<ToldPayoutLine, 'externalId' | 'kind' | 'gross' | 'fee' | 'net' | 'currency'> {
  readonly checkoutId: string | null
  readonly refundId: string | null
  readonly payoutId: string | null
}

export interface Seen {
  readonly checkouts: readonly SeenCheckout[]
  /** What was given back of them. */
  readonly refunds: readonly SeenRefund[]
  /** Every call that the other side got, oldest first. */
  readonly calls: readonly SeenCall[]
}
