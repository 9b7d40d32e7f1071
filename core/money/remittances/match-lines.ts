import type { LineOutcome } from '../../../plugins/carrier/cash.model.ts'
import type { CashStatus, ParcelStatus } from '../../../plugins/carrier/model.ts'
import type { Queryable } from '../../data/sql.ts'
import { type Decimal, decimal } from '../../lib/money/decimal.ts'
import { claimOfEntry, paymentOfEntry } from '../ledger/entries/entry-amounts.ts'
import type { CarrierClaim, ParcelPayment } from '../ledger/entries/posting.ts'
import { type LineRow, listLines } from './lines.queries.ts'
import type { RemittanceKey } from './remittances.queries.ts'

/** Line of a remittance with its parcel and the parcel's current ledger state. */
export interface MatchedLine {
  readonly line: number
  readonly tracking: string | null
  readonly reference: string | null
  readonly amount: Decimal | null
  readonly fee: Decimal | null
  readonly net: Decimal | null
  readonly parcel: {
    readonly id: string
    readonly trackingId: string | null
    readonly status: ParcelStatus
    readonly cashStatus: CashStatus
  } | null
  /** Amount that the carrier owes for the parcel. */
  readonly claim: CarrierClaim | null
  /** Payment of the parcel by another remittance, unless it was deducted. */
  readonly payment: (ParcelPayment & { readonly id: number; readonly bank: Decimal }) | null
  /** True when another remittance deducted the parcel's payment, or charged for the parcel. */
  readonly isDeducted: boolean
  readonly isCharged: boolean
  /** True when an earlier line names the same parcel. */
  readonly isNamedBefore: boolean
  /** Outcome recorded when the remittance was confirmed. */
  readonly recorded: { readonly outcome: LineOutcome; readonly expected: Decimal } | null
}

/** Number of lines that one query reads, so that a large remittance does not block other work. */
const BATCH = 1000

/** Yields the lines of a remittance in batches, each with its parcel and the parcel's ledger state. */
export async function* matchLines(sql: Queryable, key: RemittanceKey): AsyncGenerator<MatchedLine[]> {
  const seen = new Set<string>()
  for (let after = 0; ; ) {
    const rows = await listLines(sql, key, { after, take: BATCH })
    yield rows.map((row) => {
      const isNamedBefore = row.parcelId !== null && seen.has(row.parcelId)
      if (row.parcelId !== null) seen.add(row.parcelId)
      return toLine(row, { isNamedBefore })
    })
    const last = rows.at(-1)
    if (!last || rows.length < BATCH) return
    after = last.line
  }
}

const number = (value: string | null) => (value === null ? null : decimal(value))

const toLine = (row: LineRow, { isNamedBefore }: { readonly isNamedBefore: boolean }): MatchedLine => ({
  line: row.line,
  tracking: row.tracking,
  reference: row.reference,
  amount: number(row.amount),
  fee: number(row.fee),
  net: number(row.net),
  parcel: row.parcelId === null ? null : { id: row.parcelId, trackingId: row.trackingId, status: row.status, cashStatus: row.cashStatus },
  claim: row.owed && claimOfEntry(row.owed),
  payment: row.paid && { ...paymentOfEntry(row.paid), id: row.paid.id, bank: decimal(row.paid.bank) },
  isDeducted: row.isDeducted,
  isCharged: row.isCharged,
  isNamedBefore,
  recorded: row.outcome === null ? null : { outcome: row.outcome, expected: decimal(row.expected ?? 0) },
})
