import { type Static, Type as T } from '@sinclair/typebox'
import { t } from 'elysia'
import type { Direction } from '../../../plugins/payment/model.ts'
import { type PaymentStatus, paymentStatuses } from '../../../plugins/payment/payments.model.ts'
import { defineList, type ListQuery } from '../../http/resource/list.ts'
import { exact, Maybe, named, oneOf, Text } from '../../http/schema.ts'

/** Payment through a gateway, whether of an order or of a subscription. Amounts are `numeric` text. */
export interface GatewayPayment {
  readonly storeId: string
  readonly id: string
  readonly connectionId: string
  readonly gateway: string
  readonly status: PaymentStatus
  readonly amount: string
  readonly currency: string
  /** Number of decimals of its amounts at the gateway. */
  readonly decimals: number
  readonly paid: string | null
  readonly refunded: string
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
