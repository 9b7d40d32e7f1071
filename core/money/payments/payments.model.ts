import { type Static, Type as T } from '@sinclair/typebox'
import { t } from 'elysia'
import { type Direction, type PaymentStatus, paymentStatuses } from '../../../plugins/payment/model.ts'
import { type Asked, listing } from '../../http/resource/list.ts'
import { exact, Maybe, named, oneOf, Text } from '../../http/schema.ts'

/** A payment that a gateway takes, as it is kept, whatever it is for. */
export interface AtGateway {
  readonly storeId: string
  readonly id: string
  readonly connectionId: string
  readonly gateway: string
  readonly status: PaymentStatus
  readonly amount: string
  readonly currency: string
  /** Of its amounts at the gateway. */
  readonly decimals: number
  readonly paid: string | null
  readonly refunded: string
  readonly message: string | null
  readonly externalId: string | null
  readonly checkoutUrl: string | null
  readonly returnTo: string | null
  /** What the page of ours shows to the payer, where the gateway has none. */
  readonly directions: readonly Direction[] | null
  readonly language: 'ar' | 'fr' | 'en'
  readonly expiresAt: string | null
  readonly paidAt: string | null
  readonly askingUntil: string | null
  /** When the gateway is asked next; null where there is nothing more to ask. */
  readonly readAt: string | null
  readonly reads: number
  readonly createdAt: string
  readonly updatedAt: string
}

export const NewRefund = named(
  'NewRefund',
  exact({
    amount: Maybe(T.Number({ exclusiveMinimum: 0, maximum: 1e11, description: 'in the major unit; all that is left, unless said' })),
    reason: Maybe(Text(200)),
    byHand: Maybe(T.Boolean({ description: 'it was given back in the dashboard of the gateway, and is only written down' })),
  }),
)
export type NewRefund = Static<typeof NewRefund>

export const RefundOutcome = named(
  'RefundOutcome',
  exact({
    status: oneOf(['done', 'failed'], {
      description:
        'what a person found out of a refund that is `unknown`, or of one that is done while its payment waits as `refund_failed`',
    }),
  }),
)

export const paymentList = listing({
  sorts: null,
  filters: { status: oneOf(paymentStatuses), waiting: t.Boolean({ description: 'for a person' }) },
})
export type AskedPayments = Asked<typeof paymentList.filters>
