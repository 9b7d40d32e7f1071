import { type Static, Type as T } from '@sinclair/typebox'
import { exact, Maybe, Nullable, named, oneOf, Printed, stated, Written } from '../schema.ts'

/** In the gateway's own unit: see `unit` of the definition. */
export const Amount = T.Integer({ minimum: 0, maximum: 1e13 })
export const Currency = T.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217' })
const Time = T.String({ maxLength: 40, description: 'ISO 8601' })
/** The gateway's own name of a checkout, or of a refund. */
export const ExternalId = Written(200, 1)

/** What a gateway can say of a checkout. */
export const checkoutStatuses = ['open', 'processing', 'authorized', 'paid', 'failed', 'cancelled', 'expired'] as const
export type CheckoutStatus = (typeof checkoutStatuses)[number]

export const languages = ['ar', 'fr', 'en'] as const

/** What a payer is asked for. The amount was taken from the order, or is what a store owes for its plan; no caller said it. */
export const Checkout = T.Object({
  /** Ours: 1 to 64 characters, the same when it is asked again, never another payment's. */
  paymentId: Written(64, 1),
  /** What the customer knows the order by. */
  reference: Written(64, 1),
  amount: T.Integer({ minimum: 1, maximum: 1e13 }),
  currency: Currency,
  description: Written(200),
  customer: T.Object({ name: Written(200), phone: Written(40), email: Nullable(Written(254)) }),
  language: oneOf(languages),
  /** Where the payer's browser goes when it is done, and when the payer gives up. */
  returnUrl: T.String(),
  cancelUrl: T.String(),
  /** Where the gateway tells its news. */
  webhookUrl: T.String(),
  /** A page of ours that shows `directions` and takes the payer's receipt, for a gateway without a page. */
  proofUrl: T.String(),
})
export type Checkout = Static<typeof Checkout>

const Direction = T.Object({ name: Printed(80, 1), value: Printed(500, 1) })
export type Direction = Static<typeof Direction>

export const CheckoutMade = T.Object({
  externalId: ExternalId,
  /** The page on which the payer pays. */
  url: T.String({ pattern: '^https?://[^\\s]{1,2000}$' }),
  /** Until when it can be paid, where the gateway says so. */
  expiresAt: Maybe(Time),
  /** What the payer has to know where there is no page but ours: an account, a place. */
  directions: Maybe(T.Array(Direction, { maxItems: 10 })),
})
export type CheckoutMade = Static<typeof CheckoutMade>

/** What became of a checkout, as the gateway has it. One of the two names is there. */
export const PaymentNews = T.Object({
  externalId: Maybe(ExternalId),
  /** Ours, where the gateway gives it back. */
  paymentId: Maybe(Written(64, 1)),
  status: oneOf(checkoutStatuses),
  /** What was paid, where it is paid. */
  amount: Maybe(Amount),
  currency: Maybe(Currency),
  /** What the gateway keeps of it from the shop. */
  fee: Maybe(Amount),
  /** How much of it was given back so far. */
  refunded: Maybe(Amount),
  /** A bank, or the gateway, took it from the shop again, and no refund says how much of it: a person looks at it. */
  takenBack: Maybe(T.Boolean()),
  at: Maybe(Time),
  /** With what it was paid: a card, a wallet. */
  method: Maybe(Printed(60)),
  /** The gateway's own words, for a person. */
  message: Maybe(Printed(500)),
})
export type PaymentNews = Static<typeof PaymentNews>

/** What people say of money that no gateway sees. */
export const Settlement = T.Object({
  externalId: ExternalId,
  /** A receipt came, the money is there, or it is not. */
  status: oneOf(['processing', 'paid', 'failed']),
  /** What is there, where it is paid. */
  amount: Maybe(Amount),
})
export type Settlement = Static<typeof Settlement>

export const RefundAsked = T.Object({
  externalId: ExternalId,
  /** Ours: the same when it is asked again, never another refund's. */
  refundId: Written(64, 1),
  amount: T.Integer({ minimum: 1, maximum: 1e13 }),
  /** Whether that is all that was paid. */
  whole: T.Boolean(),
  currency: Currency,
  reason: Written(200),
})
export type RefundAsked = Static<typeof RefundAsked>

export const Refunded = T.Object({
  externalId: ExternalId,
  status: oneOf(['pending', 'done', 'failed']),
  message: Maybe(Printed(500)),
})
export type Refunded = Static<typeof Refunded>

/** What becomes of money on its way to the shop's bank. */
export const payoutStatuses = ['pending', 'in_transit', 'paid', 'failed', 'cancelled'] as const
export type PayoutStatus = (typeof payoutStatuses)[number]

/** When the lines of a payout can be told. `never`: the gateway keeps none for it. */
export const payoutDetails = ['ready', 'later', 'never'] as const

/** In the gateway's own unit; below nothing, what the shop owes. */
const Signed = T.Integer({ minimum: -1e13, maximum: 1e13 })
/** Where the next page begins, in the gateway's own words. */
const Cursor = Nullable(Written(500, 1))

export const PayoutsAsked = T.Object({
  /** Those that were made since; older ones may be among the answer. */
  since: Time,
  cursor: Cursor,
})
export type PayoutsAsked = Static<typeof PayoutsAsked>

/** Money that a gateway sends to the shop's bank. */
export const ToldPayout = T.Object({
  externalId: ExternalId,
  status: oneOf(payoutStatuses),
  amount: Signed,
  currency: Currency,
  madeAt: Time,
  /** When it is in the bank, or is expected to be. */
  arrivesAt: Maybe(Time),
  lines: oneOf(payoutDetails),
  /** Why it failed, in the gateway's own words. */
  message: Maybe(Printed(500)),
})
export type ToldPayout = Static<typeof ToldPayout>

const PAYOUTS_PAGE = 100
export const PayoutPage = T.Object({ payouts: T.Array(ToldPayout, { maxItems: PAYOUTS_PAGE }), cursor: Cursor })
export type PayoutPage = Static<typeof PayoutPage>

/** What a line of a payout is. `returned`: the money of a payout that failed. */
export const payoutLineKinds = ['payment', 'refund', 'fee', 'dispute', 'adjustment', 'returned'] as const
export type PayoutLineKind = (typeof payoutLineKinds)[number]

export const PayoutLinesAsked = T.Object({ externalId: ExternalId, cursor: Cursor })
export type PayoutLinesAsked = Static<typeof PayoutLinesAsked>

/** One thing that a payout is made of. What is given back, and what is taken, is below nothing. */
export const ToldPayoutLine = T.Object({
  /** The gateway's own name of the line, never another's. */
  externalId: ExternalId,
  kind: oneOf(payoutLineKinds),
  /** Before the fee; `net` is what is left of it. */
  gross: Signed,
  fee: Signed,
  net: Signed,
  currency: Currency,
  at: Maybe(Time),
  /** The gateway's name of the checkout, and ours of the payment. */
  checkoutId: Maybe(ExternalId),
  paymentId: Maybe(Written(64, 1)),
  /** The gateway's name of the refund, and ours. */
  refundExternalId: Maybe(ExternalId),
  refundId: Maybe(Written(64, 1)),
  /** The payout that is `returned`. */
  payoutId: Maybe(ExternalId),
  message: Maybe(Printed(500)),
})
export type ToldPayoutLine = Static<typeof ToldPayoutLine>

export const PayoutLinePage = T.Object({ lines: T.Array(ToldPayoutLine, { maxItems: PAYOUTS_PAGE }), cursor: Cursor })
export type PayoutLinePage = Static<typeof PayoutLinePage>

/** The life of a payment, as callers see it. */
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
export type PaymentStatus = (typeof paymentStatuses)[number]

/** Why a payment waits for a person. */
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
export type Concern = (typeof concerns)[number]

const Money = T.Number({ minimum: 0, description: 'in the major unit of the currency' })
const Timestamp = T.String({ format: 'date-time' })

export const Refund = named(
  'Refund',
  T.Object({
    id: T.String(),
    amount: Money,
    status: oneOf(['pending', 'done', 'failed', 'unknown'], {
      description: '`unknown`: whether the gateway did it, a person has to look up',
    }),
    reason: T.String(),
    byHand: T.Boolean({ description: 'made in the dashboard of the gateway, and only written down here' }),
    message: Nullable(T.String()),
    createdAt: Timestamp,
  }),
)

export const Payment = named(
  'Payment',
  T.Object({
    id: T.String(),
    orderId: T.String(),
    storeId: T.String(),
    gateway: T.String({ description: "the adapter's slug" }),
    status: oneOf(paymentStatuses),
    amount: T.Number({ minimum: 0, description: 'asked for: what the order lacked when it was initiated' }),
    currency: Currency,
    paid: Nullable(Money, { description: 'what the gateway took' }),
    refunded: Money,
    fee: Nullable(Money, { description: 'what the gateway keeps' }),
    method: Nullable(T.String()),
    concern: Nullable(oneOf(concerns), {
      description:
        'why it waits for a person; `outcome_unknown`: its gateway does not say what became of it; `refund_failed`: the gateway has given back less than its refunds come to; `taken_back`: it was taken from the shop again',
    }),
    concernSince: Nullable(Timestamp),
    message: Nullable(T.String()),
    externalId: Nullable(T.String({ description: "the gateway's own name of it" })),
    checkoutUrl: Nullable(T.String({ description: 'where the payer pays; null when that is over' })),
    expiresAt: Nullable(Timestamp),
    paidAt: Nullable(Timestamp),
    refunds: T.Array(Refund),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
)
export type Payment = Static<typeof Payment>

/** What whoever begins to pay an order is told; customers do without an account. */
export const BegunPayment = named(
  'BegunPayment',
  T.Pick(Payment, ['id', 'orderId', 'gateway', 'status', 'amount', 'currency', 'checkoutUrl', 'expiresAt']),
)
export type BegunPayment = Static<typeof BegunPayment>

export const NewCheckout = named(
  'NewCheckout',
  exact({
    language: Maybe(oneOf(languages, { default: 'ar' })),
    returnTo: Maybe(
      stated(
        T.String({
          maxLength: 1000,
          pattern: '^https?://[^\\s]+$',
          description: 'the page of the shop that the payer goes on to; of members and keys alone',
        }),
        { format: 'uri' },
      ),
    ),
  }),
)
export type NewCheckout = Static<typeof NewCheckout>
