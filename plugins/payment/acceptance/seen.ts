import type { SeenCall } from '../../acceptance/calls.ts'
import type { CheckoutStatus } from '../model.ts'
import type { PayoutStatus, ToldPayout, ToldPayoutLine } from '../payouts.model.ts'

/**
 * A checkout as the simulator recorded it from the requests, independent of the adapter's results. Null for a property that the gateway
 * does not have.
 */
export interface SeenCheckout {
  readonly externalId: string
  /** Our id of the payment, if the gateway stores it. */
  readonly paymentId: string | null
  readonly reference: string | null
  readonly description: string | null
  /** Amount as received, and its unit. */
  readonly amount: number
  readonly unit: 'major' | 'minor'
  readonly currency: string
  readonly language: string | null
  readonly returnUrl: string | null
  readonly cancelUrl: string | null
  readonly webhookUrl: string | null
  readonly status: CheckoutStatus
  /** Amount paid and its fee, in the same unit; null if nothing is paid, or no fee is shown. */
  readonly paid: number | null
  readonly fee: number | null
}

/** A refund as the simulator recorded it. */
export interface SeenRefund {
  /** Id of the checkout. */
  readonly externalId: string
  readonly amount: number
  readonly currency: string
  /** `done` by default. A failed refund returned no money. */
  readonly status?: 'pending' | 'done' | 'failed'
}

/** A payout as the simulator recorded it. Null for a property that the gateway does not have. */
export interface SeenPayout extends Pick<ToldPayout, 'externalId' | 'amount' | 'currency' | 'lines'> {
  readonly status: PayoutStatus
  /** ISO 8601. */
  readonly arrivesAt: string | null
}

/** A line of a payout, with the checkout and our refund that it belongs to. */
export interface SeenPayoutLine extends Pick<ToldPayoutLine, 'externalId' | 'kind' | 'gross' | 'fee' | 'net' | 'currency'> {
  readonly checkoutId: string | null
  readonly refundId: string | null
  readonly payoutId: string | null
}

/** The simulator's records of a payment. */
export interface Seen {
  readonly checkouts: readonly SeenCheckout[]
  /** Refunds of these checkouts. */
  readonly refunds: readonly SeenRefund[]
  /** Every call that the simulator received, oldest first. */
  readonly calls: readonly SeenCall[]
}
