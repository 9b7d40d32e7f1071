import { type Static, Type as T } from '@sinclair/typebox'
import { t } from 'elysia'
import type { Direction } from '../../../plugins/payment/model.ts'
import { type Concern, type PaymentStatus, paymentStatuses } from '../../../plugins/payment/payments.model.ts'
import { defineList, type ListQuery } from '../../http/resource/list.ts'
import { exact, Maybe, named, oneOf, Text } from '../../http/schema.ts'

/** Kind of thing that payments pay for. */
export type PayableKind = 'order' | 'subscription'

/** Row of `payments`: payment of an order or of a subscription through a gateway. `numeric` columns come as text. */
export interface PaymentRow {
  /** Project of the order, or of the store whose subscription it pays. The platform receives the money for a subscription. */
  readonly projectId: string
  readonly id: string
  readonly payableKind: PayableKind
  /** Id of the order, or of the store whose subscription it pays. */
  readonly payableId: string
  readonly connectionId: string
  readonly gateway: string
  readonly status: PaymentStatus
  readonly amount: string
  readonly currency: string
  /** Number of decimals of its amounts at the gateway. */
  readonly decimals: number
  readonly paid: string | null
  readonly fee: string | null
  readonly refunded: string
  readonly method: string | null
  /** True when the paid amount counts for the payable. */
  readonly accepted: boolean
  readonly concern: Concern | null
  readonly concernSince: string | null
  /** Amount of refunds that the gateway no longer reports, as last shown for review. */
  readonly missing: string
  /** True when a chargeback was raised for review. */
  readonly takenBack: boolean
  /** Concern that a user accepted; the same concern is not raised again. */
  readonly acceptedAs: string | null
  readonly message: string | null
  readonly externalId: string | null
  readonly checkoutUrl: string | null
  readonly returnTo: string | null
  /** Payment instructions that our page shows, for gateways without a checkout page. */
  readonly directions: readonly Direction[] | null
  readonly language: 'ar' | 'fr' | 'en'
  readonly expiresAt: string | null
  readonly paidAt: string | null
  readonly askingUntil: string | null
  /** Time of the next poll; null when polling has ended. */
  readonly readAt: string | null
  readonly reads: number
  readonly createdAt: string
  readonly updatedAt: string
}
/** Reference to what a payment pays for. */
export type PayableRef = Pick<PaymentRow, 'payableKind' | 'payableId' | 'projectId'>
/** Reference to a payment and to what it pays for. */
export type PaymentRef = PayableRef & Pick<PaymentRow, 'id'>

/** Primary key of a payment. */
export type PaymentKey = Pick<PaymentRow, 'projectId' | 'id'>

/** Columns of a payment that can be written. */
export type PaymentChange = Partial<Omit<PaymentRow, 'projectId' | 'id' | 'createdAt' | 'updatedAt'>>

/** Row of `payment_refunds`. `numeric` columns come as text. */
export interface RefundRow {
  readonly projectId: string
  readonly paymentId: string
  readonly id: string
  readonly amount: string
  readonly status: 'pending' | 'done' | 'failed' | 'unknown'
  readonly reason: string
  readonly byHand: boolean
  readonly externalId: string | null
  readonly message: string | null
  readonly askedAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** Request body that refunds a payment, fully or partially. */
export const NewRefund = named(
  'NewRefund',
  exact({
    amount: Maybe(
      T.Number({ exclusiveMinimum: 0, maximum: 1e11, description: 'in the major unit; defaults to the whole remaining amount' }),
    ),
    reason: Maybe(Text(200)),
    byHand: Maybe(T.Boolean({ description: 'true if it was refunded in the dashboard of the gateway and is only recorded here' })),
  }),
)
/** Type of {@link NewRefund}. */
export type NewRefund = Static<typeof NewRefund>

/** Request body that records the outcome of a refund. */
export const RefundOutcome = named(
  'RefundOutcome',
  exact({
    status: oneOf(['done', 'failed'], {
      description: 'outcome of a refund that is `unknown`, or of one that is done while its payment waits as `refund_failed`',
    }),
  }),
)

/** Filters of the list of payments. */
export const paymentList = defineList({
  sorts: null,
  filters: { status: oneOf(paymentStatuses), waiting: t.Boolean({ description: 'whether the payment waits for review' }) },
})
/** Query of a page of payments. */
export type PaymentsQuery = ListQuery<typeof paymentList.filters>
