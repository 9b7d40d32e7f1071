import { type Static, Type as T } from '@sinclair/typebox'
import { Maybe, Nullable, oneOf, PrintableText, StorableText } from '../schema.ts'
import { Currency, ExternalId, Time } from './model.ts'

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
