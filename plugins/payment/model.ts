import { type Static, Type as T } from '@sinclair/typebox'
import { documentedAs, exact, Maybe, Nullable, namedSchema, oneOf, PrintableText, StorableText } from '../schema.ts'

/** Amount in the gateway's own unit: see `unit` of the definition. */
export const Amount = T.Integer({ minimum: 0, maximum: 1e13 })
/** Currency code of ISO 4217. */
export const Currency = T.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217' })
const Time = T.String({ maxLength: 40, description: 'ISO 8601' })
/** The gateway's id of a checkout or a refund. */
export const ExternalId = StorableText(200, 1)

/** Statuses of a checkout at the gateway. */
export const checkoutStatuses = ['open', 'processing', 'authorized', 'paid', 'failed', 'cancelled', 'expired'] as const
/** One of {@link checkoutStatuses}. */
export type CheckoutStatus = (typeof checkoutStatuses)[number]

/** Languages of a checkout page. */
export const languages = ['ar', 'fr', 'en'] as const

/** Request for a checkout. The amount comes from the order or the tenant's plan, never from a caller. */
export const Checkout = T.Object({
  /**
   * Our id of the payment, 1 to 64 characters. It is repeated when the same checkout is requested again, and never used for another
   * payment.
   */
  paymentId: StorableText(64, 1),
  /** Reference of the order that the customer knows. */
  reference: StorableText(64, 1),
  amount: T.Integer({ minimum: 1, maximum: 1e13 }),
  currency: Currency,
  description: StorableText(200),
  customer: T.Object({ name: StorableText(200), phone: StorableText(40), email: Nullable(StorableText(254)) }),
  language: oneOf(languages),
  /** Pages for the payer's browser after the payment, and after a cancellation. */
  returnUrl: T.String(),
  cancelUrl: T.String(),
  /** Address for the gateway's callbacks. */
  webhookUrl: T.String(),
  /** Our page that shows `directions` and accepts the payer's receipt, for a gateway without a page of its own. */
  proofUrl: T.String(),
})
/** Type of {@link Checkout}. */
export type Checkout = Static<typeof Checkout>

const Direction = T.Object({ name: PrintableText(80, 1), value: PrintableText(500, 1) })
/** One line of payment instructions, such as an account number. */
export type Direction = Static<typeof Direction>

/** Checkout that the gateway created. */
export const CheckoutMade = T.Object({
  externalId: ExternalId,
  /** Page on which the payer pays. */
  url: T.String({ pattern: '^https?://[^\\s]{1,2000}$' }),
  /** Time when it expires, if the gateway states it. */
  expiresAt: Maybe(Time),
  /** Instructions for the payer if the only page is ours: an account, a place. */
  directions: Maybe(T.Array(Direction, { maxItems: 10 })),
})
/** Type of {@link CheckoutMade}. */
export type CheckoutMade = Static<typeof CheckoutMade>

/** State of a checkout at the gateway. At least one of the two ids is present. */
export const PaymentNews = T.Object({
  externalId: Maybe(ExternalId),
  /** Our id of the payment, if the gateway returns it. */
  paymentId: Maybe(StorableText(64, 1)),
  status: oneOf(checkoutStatuses),
  /** The amount paid, if the status is `paid`. */
  amount: Maybe(Amount),
  currency: Maybe(Currency),
  /** Fee that the gateway deducts from the shop. */
  fee: Maybe(Amount),
  /** Total refunded so far. */
  refunded: Maybe(Amount),
  /** True if a bank or the gateway took money back without a refund, so that its amount is unknown. A person must check the payment. */
  takenBack: Maybe(T.Boolean()),
  at: Maybe(Time),
  /** Payment method, such as a card or a wallet. */
  method: Maybe(PrintableText(60)),
  /** The gateway's message for a person. */
  message: Maybe(PrintableText(500)),
})
/** Type of {@link PaymentNews}. */
export type PaymentNews = Static<typeof PaymentNews>

/** Decision of a person about a payment that no gateway sees. */
export const Settlement = T.Object({
  externalId: ExternalId,
  /** A receipt was uploaded, the money arrived, or it did not. */
  status: oneOf(['processing', 'paid', 'failed']),
  /** The amount received, if the status is `paid`. */
  amount: Maybe(Amount),
})
/** Type of {@link Settlement}. */
export type Settlement = Static<typeof Settlement>

/** Request for a refund. */
export const RefundAsked = T.Object({
  externalId: ExternalId,
  /** Our id of the refund. It is repeated when the same refund is requested again, and never used for another one. */
  refundId: StorableText(64, 1),
  amount: T.Integer({ minimum: 1, maximum: 1e13 }),
  /** True if the refund covers everything that was paid. */
  whole: T.Boolean(),
  currency: Currency,
  reason: StorableText(200),
})
/** Type of {@link RefundAsked}. */
export type RefundAsked = Static<typeof RefundAsked>

/** State of a refund at the gateway. */
export const Refunded = T.Object({
  externalId: ExternalId,
  status: oneOf(['pending', 'done', 'failed']),
  message: Maybe(PrintableText(500)),
})
/** Type of {@link Refunded}. */
export type Refunded = Static<typeof Refunded>

/** Statuses of a payout to the shop's bank. */
export const payoutStatuses = ['pending', 'in_transit', 'paid', 'failed', 'cancelled'] as const
/** One of {@link payoutStatuses}. */
export type PayoutStatus = (typeof payoutStatuses)[number]

/** Availability of a payout's lines: now, later, or never because the gateway stores none. */
export const payoutDetails = ['ready', 'later', 'never'] as const

/** Amount in the gateway's own unit; negative if the shop owes it. */
const Signed = T.Integer({ minimum: -1e13, maximum: 1e13 })
/** The gateway's cursor of the next page; null if there is none. */
const Cursor = Nullable(StorableText(500, 1))

/** Request for payouts. */
export const PayoutsAsked = T.Object({
  /** Creation time of the oldest payout wanted. The result may include older ones. */
  since: Time,
  cursor: Cursor,
})
/** Type of {@link PayoutsAsked}. */
export type PayoutsAsked = Static<typeof PayoutsAsked>

/** One transfer of a gateway to the shop's bank. */
export const ToldPayout = T.Object({
  externalId: ExternalId,
  status: oneOf(payoutStatuses),
  amount: Signed,
  currency: Currency,
  madeAt: Time,
  /** Time of arrival at the bank, actual or expected. */
  arrivesAt: Maybe(Time),
  lines: oneOf(payoutDetails),
  /** The gateway's message about a failure. */
  message: Maybe(PrintableText(500)),
})
/** Type of {@link ToldPayout}. */
export type ToldPayout = Static<typeof ToldPayout>

const PAYOUTS_PAGE = 100
/** A page of payouts. */
export const PayoutPage = T.Object({ payouts: T.Array(ToldPayout, { maxItems: PAYOUTS_PAGE }), cursor: Cursor })
/** Type of {@link PayoutPage}. */
export type PayoutPage = Static<typeof PayoutPage>

/** Kinds of lines in a payout. `returned` is the money of a failed payout. */
export const payoutLineKinds = ['payment', 'refund', 'fee', 'dispute', 'adjustment', 'returned'] as const
/** One of {@link payoutLineKinds}. */
export type PayoutLineKind = (typeof payoutLineKinds)[number]

/** Request for the lines of a payout. */
export const PayoutLinesAsked = T.Object({ externalId: ExternalId, cursor: Cursor })
/** Type of {@link PayoutLinesAsked}. */
export type PayoutLinesAsked = Static<typeof PayoutLinesAsked>

/** One entry of a payout. Refunds and other deductions are negative. */
export const ToldPayoutLine = T.Object({
  /** The gateway's unique id of the line. */
  externalId: ExternalId,
  kind: oneOf(payoutLineKinds),
  /** Amount before the fee; `net` is the amount after it. */
  gross: Signed,
  fee: Signed,
  net: Signed,
  currency: Currency,
  at: Maybe(Time),
  /** The gateway's id of the checkout, and our id of the payment. */
  checkoutId: Maybe(ExternalId),
  paymentId: Maybe(StorableText(64, 1)),
  /** The gateway's id of the refund, and our id of it. */
  refundExternalId: Maybe(ExternalId),
  refundId: Maybe(StorableText(64, 1)),
  /** The failed payout whose money is `returned`. */
  payoutId: Maybe(ExternalId),
  message: Maybe(PrintableText(500)),
})
/** Type of {@link ToldPayoutLine}. */
export type ToldPayoutLine = Static<typeof ToldPayoutLine>

/** A page of a payout's lines. */
export const PayoutLinePage = T.Object({ lines: T.Array(ToldPayoutLine, { maxItems: PAYOUTS_PAGE }), cursor: Cursor })
/** Type of {@link PayoutLinePage}. */
export type PayoutLinePage = Static<typeof PayoutLinePage>

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
