import { type Static, Type as T } from '@sinclair/typebox'
import { Maybe, Nullable, oneOf, PrintableText, StorableText } from '../schema.ts'

/** Amount in the gateway's own unit: see `unit` of the definition. */
export const Amount = T.Integer({ minimum: 0, maximum: 1e13 })
/** Currency code of ISO 4217. */
export const Currency = T.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217' })
/** Moment as the gateway writes it. */
export const Time = T.String({ maxLength: 40, description: 'ISO 8601' })
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
export const GatewayEvent = T.Object({
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
/** Type of {@link GatewayEvent}. */
export type GatewayEvent = Static<typeof GatewayEvent>

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
