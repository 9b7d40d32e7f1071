import type { Posting } from './posting.ts'

/** Ledger entry to insert: its kind, what it is about, and the amounts that it posts. */
export interface NewEntry {
  readonly projectId: string
  readonly connectionId: string
  readonly kind: 'delivered' | 'remittance' | 'deduction' | 'charge' | 'payment' | 'refund' | 'payout'
  readonly parcelId: string | null
  readonly remittanceId: string | null
  /** Entry of the remittance that a deduction cancels. */
  readonly takesBackId?: number | null
  /** Payment at a gateway, and its refund. */
  readonly paymentId?: string
  readonly refundId?: string
  /** Gateway payout, and its line. */
  readonly payoutId?: string
  readonly payoutLineId?: string
  readonly at: string
  readonly posting: Posting
}

/** Entry that was undone by an opposite entry. */
export interface UndoneEntry {
  readonly kind: string
  readonly parcelId: string | null
  readonly takesBackId: number | null
}

/** Amounts that an entry posts on each account. `numeric` columns come as text. */
export interface EntryAmounts {
  readonly carrier: string
  readonly sales: string
  readonly fees: string
  readonly bank: string
}

/** Remittance that posts entries. Its id is the carrier's own and is unique only within the connection. */
export interface RemittanceRef {
  readonly projectId: string
  readonly connectionId: string
  readonly id: string
}
