import type { Checkout, GatewayEvent } from '../../../plugins/payment/model.ts'
import type { Concern } from '../../../plugins/payment/payments.model.ts'
import type { Context } from '../../context.ts'
import type { Queryable, Tx } from '../../data/sql.ts'
import type { DomainError } from '../../lib/errors/domain-error.ts'
import { invariant } from '../../lib/invariant.ts'
import type { Decimal } from '../../lib/money/decimal.ts'
import type { PayableKind, PayableRef, PaymentChange, PaymentRow } from './payments.model.ts'

declare module '../../context.ts' {
  interface Provided {
    /** Everything that payments can pay for. Gathered from all features by `process.ts`. */
    readonly payables: PayableRegistry
  }
}

/** Description of a payable for its payer and for the gateway. */
export interface PayableDescription {
  /** Name that the payer knows; empty if the payable was deleted. */
  readonly label: string
  readonly reference: string
  readonly description: string
  readonly customer: Checkout['customer']
}

/** Amount that arrived with a payment, in its currency. */
export interface ArrivedMoney {
  readonly amount: Decimal
  readonly fee: Decimal
  /** Time of the payment. */
  readonly at: string
}

/** Amount of one refund. `refundId` is unique among all entries of the payment. */
export interface RefundedMoney {
  readonly refundId: string
  readonly amount: Decimal
}

/** Change of a payment's money: it was paid, or a refund was reverted. */
export type Income = 'paid' | 'refund_reverted'

/** Locked payable in one transaction. The engine reports to it what becomes of its payments. */
export interface LockedPayable {
  /** Returns the concern that makes arriving money wait for review. Without this member, money always counts. */
  concernOf?(payment: PaymentRow, paid: Decimal, event: GatewayEvent): Promise<Concern | null>
  /** Accounts for money that arrived. `money` is null if it came in another currency, so that only a user can decide its value. */
  onPaid(payment: PaymentRow, money: ArrivedMoney | null): Promise<void>
  /** Accounts for a refund. */
  onRefunded(payment: PaymentRow, refund: RefundedMoney): Promise<void>
  /** Accounts for a refund that failed after it was done. */
  onRefundReverted(payment: PaymentRow, refund: RefundedMoney): Promise<void>
  /** Makes a payment wait for review, or notes for the operator why. Also writes `change`. */
  flagConcern(payment: PaymentRow, concern: Concern, change?: PaymentChange): Promise<PaymentRow>
  /** Reports a payment that ended unpaid. */
  onUnpaid?(payment: PaymentRow): Promise<void>
  /** Accounts for a fee that became known after the payment. */
  onFee?(payment: PaymentRow, fee: Decimal): Promise<void>
  /** Reports a receipt to the reviewers. `before` is the payment as it was. */
  onReceipt(before: PaymentRow, payment: PaymentRow): Promise<void>
  /** Updates the payable, once a change of a payment and its amounts is complete. */
  onChange?(payment: PaymentRow, income: Income | null): Promise<void>
}

/**
 * Thing that payments pay for. Its domain declares its rules; the payment engine starts, polls, refunds and expires all payments alike, and
 * knows no rule of a domain.
 */
export interface Payable {
  readonly kind: PayableKind
  /** Prefix of the ids of its payments. */
  readonly idPrefix: string
  /** Path of the public pages of its payments, below `/v1`. */
  readonly path: string
  /** Word for the payable in the title of its payers' pages. */
  readonly titles: Readonly<Record<PaymentRow['language'], string>>
  /** Query parameter with the payable's id, on the page to which payers return. */
  readonly idParameter?: string
  /** True if an amount is rounded up to the gateway's step; otherwise such an amount is refused. */
  readonly roundsUp: boolean
  /** True if gateways report fees of its payments, which may become known later. */
  readonly hasFees: boolean
  /** True if a gateway's lower total of refunds reverts refunds; otherwise the missing amount waits for review. */
  readonly revertsRefunds: boolean
  /** Maximum number of payments that can be started: of the payable, or within `hours`. Each creates a checkout at a gateway. */
  readonly startLimit: { readonly most: number; readonly hours: number | null }
  readonly errors: {
    outcomeUnknown(): DomainError
    tooManyPayments(started: number): DomainError
  }
  /** Describes the payable, even if it was deleted. */
  describe(sql: Queryable, payment: PaymentRow): Promise<PayableDescription>
  /** Returns whether the payable exists and is not deleted. */
  exists(sql: Queryable, payment: PaymentRow): Promise<boolean>
  /** Returns whether the amount of a payment is still due, so that it may be captured. Amounts at its gateway have steps of `step`. */
  isDue(sql: Queryable, payment: PaymentRow, step: Decimal): Promise<boolean>
  /** Locks the payable, even if it was deleted, because payments may still arrive for it. */
  lock(context: Context, tx: Tx, ref: PayableRef): Promise<LockedPayable>
  /** Handles a payment whose outcome is overdue. Called after each poll until the payment waits for review or has ended. */
  onOutcomeOverdue(context: Context, payment: PaymentRow): Promise<void>
}

/** Payables of all features. */
export interface PayableRegistry {
  of(kind: PayableKind): Payable
}

/** Gathers the payables of all features. Throws if a kind is declared twice. */
export function gatherPayables(features: readonly { readonly payables?: readonly Payable[] }[]): PayableRegistry {
  const all = features.flatMap(({ payables = [] }) => payables)
  const byKind = new Map(all.map((payable) => [payable.kind, payable]))
  if (byKind.size < all.length) throw new Error('A kind of payable is declared twice.')
  return { of: (kind) => invariant(byKind.get(kind), `The payable ${kind}`) }
}
