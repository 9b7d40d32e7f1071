import { type Static, Type as T } from '@sinclair/typebox'
import { documentedAs, exact, Maybe, Nullable, namedSchema, oneOf } from '../schema.ts'
import { Currency, languages } from './model.ts'

/** Statuses of a payment in the API. */
export const paymentStatuses = [
  'created',
  'open',
  'processing',
  'authorized',
  'paid',
  'partially_refunded',
  'refunded',
  'failed',
  'cancelled',
  'expired',
] as const
/** One of {@link paymentStatuses}. */
export type PaymentStatus = (typeof paymentStatuses)[number]

/** Reasons why a person must check a payment. */
export const concerns = [
  'paid_twice',
  'paid_less',
  'paid_more',
  'paid_late',
  'other_currency',
  'order_ended',
  'outcome_unknown',
  'refund_unknown',
  'refund_failed',
  'taken_back',
] as const
/** One of {@link concerns}. */
export type Concern = (typeof concerns)[number]

const Money = T.Number({ minimum: 0, description: 'in the major unit of the currency' })
const Timestamp = T.String({ format: 'date-time' })

/** A refund in the API. */
const Refund = namedSchema(
  'Refund',
  T.Object({
    id: T.String(),
    amount: Money,
    status: oneOf(['pending', 'done', 'failed', 'unknown']),
    reason: T.String(),
    byHand: T.Boolean({ description: 'made in the dashboard of the gateway and recorded here' }),
    message: Nullable(T.String()),
    createdAt: Timestamp,
  }),
)

/** A payment in the API. */
export const Payment = namedSchema(
  'Payment',
  T.Object({
    id: T.String(),
    orderId: T.String(),
    storeId: T.String(),
    gateway: T.String({ description: "the adapter's slug" }),
    status: oneOf(paymentStatuses),
    amount: T.Number({ minimum: 0, description: 'requested: the unpaid amount of the order when the payment was initiated' }),
    currency: Currency,
    paid: Nullable(Money, { description: 'amount that the customer paid' }),
    refunded: Money,
    fee: Nullable(Money, { description: 'fee of the gateway' }),
    method: Nullable(T.String()),
    concern: Nullable(oneOf(concerns), {
      description: 'why a member must decide about it; null if nothing is wrong',
    }),
    concernSince: Nullable(Timestamp),
    message: Nullable(T.String()),
    externalId: Nullable(T.String({ description: "the gateway's id of it" })),
    checkoutUrl: Nullable(T.String({ description: 'page on which the payer pays; null once it is closed' })),
    expiresAt: Nullable(Timestamp),
    paidAt: Nullable(Timestamp),
    refunds: T.Array(Refund),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
)
/** Type of {@link Payment}. */
export type Payment = Static<typeof Payment>

/** Payment as the caller who initiates it sees it. Customers need no account for that. */
export const BegunPayment = namedSchema(
  'BegunPayment',
  T.Pick(Payment, ['id', 'orderId', 'gateway', 'status', 'amount', 'currency', 'checkoutUrl', 'expiresAt']),
)
/** Type of {@link BegunPayment}. */
export type BegunPayment = Static<typeof BegunPayment>

/** Request to initiate the payment of an order. */
export const NewCheckout = namedSchema(
  'NewCheckout',
  exact({
    language: Maybe(oneOf(languages, { default: 'ar' })),
    returnTo: Maybe(
      documentedAs(
        T.String({
          maxLength: 1000,
          pattern: '^https?://[^\\s]+$',
          description: 'page of the shop to which the payer returns; only for members and API keys',
        }),
        { format: 'uri' },
      ),
    ),
  }),
)
/** Type of {@link NewCheckout}. */
export type NewCheckout = Static<typeof NewCheckout>
