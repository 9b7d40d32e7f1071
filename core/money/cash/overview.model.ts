import { type Static, Type as T } from '@sinclair/typebox'
import { Id, Nullable, named, oneOf, Sum, Timestamp } from '../../http/schema.ts'

/** Kinds of connections that hold a store's money. */
export const holderKinds = ['carrier', 'payment'] as const

/** Carrier or gateway with the money of a store that it holds. */
export const CashHolder = named(
  'CashHolder',
  T.Object({
    connectionId: Id,
    kind: oneOf(holderKinds, { description: 'a carrier, or a payment gateway' }),
    key: T.String({ description: "the adapter's slug" }),
    name: T.String({ description: 'distinguishes several connections to one adapter; empty if there is one' }),
    enabled: T.Boolean({ description: 'whether the connection is in use; one that is not can still owe money' }),
    removed: T.Boolean({ description: 'whether the connection was removed; its payouts can be read, and no longer imported or confirmed' }),
    currency: T.String({ description: 'ISO 4217' }),
    owed: Sum('balance of the ledger: what it owes until the arrival is confirmed; negative if it paid for returned parcels'),
    unpaid: T.Integer({ description: 'parcels, or payments at a gateway, that no confirmed payout includes' }),
    since: Nullable(Timestamp, { description: 'delivery or payment of the oldest of them' }),
    agedUnpaid: T.Integer({ description: 'the part of unpaid that is older than agedDays' }),
    aged: Sum('the part of owed that is older than agedDays'),
    waitingPayouts: T.Integer({ description: 'payouts of a carrier to confirm, or of a gateway with lines to review' }),
    lastPayoutAt: Nullable(Timestamp, { description: 'arrival of the last payout, as it was confirmed or posted' }),
  }),
)
/** Type of {@link CashHolder}. */
export type CashHolder = Static<typeof CashHolder>
