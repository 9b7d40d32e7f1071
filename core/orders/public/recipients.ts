import type { Queryable, Tx } from '../../data/sql.ts'
import type { ParcelMove } from '../../logistics/parcels/lifecycle/move-parcel.ts'
import { riskOf } from '../customers/risk.model.ts'
import type { RecipientRecord } from '../details/details.model.ts'
import type { OrderKey } from '../orders.queries.ts'
import {
  countOutcomesByOrder,
  countOutcomesByPhone,
  type OutcomeCounts,
  type RecipientOutcome,
  upsertRecipientOutcomes,
} from './recipients.queries.ts'

const OUTCOMES: Partial<Record<ParcelMove['to'], RecipientOutcome['outcome']>> = {
  delivered: 'delivered',
  returning: 'back',
  returned: 'back',
}

/** Records the outcomes of parcels at their recipients, so that all stores see how reliable a phone number is. */
export async function recordRecipientOutcomes(tx: Tx, moves: readonly ParcelMove[]): Promise<void> {
  const last = new Map<string, RecipientOutcome>()
  for (const { parcel, to } of moves) {
    const outcome = OUTCOMES[to]
    const { id: parcelId, projectId, recipient } = parcel
    if (outcome) last.set(parcelId, { projectId, parcelId, phone: recipient.phone, outcome })
  }
  if (last.size > 0) await upsertRecipientOutcomes(tx, [...last.values()])
}

/** Reads the delivery record of the customer of an order. */
export const readRecipientRecord = async (sql: Queryable, order: OrderKey): Promise<RecipientRecord> =>
  presentRecord(await countOutcomesByOrder(sql, order))

/** Reads the delivery record of a phone number (E.164). */
export const readRecordOfPhone = async (sql: Queryable, phone: string): Promise<RecipientRecord> =>
  presentRecord(await countOutcomesByPhone(sql, phone))

const presentRecord = ({ delivered, returned, refused }: OutcomeCounts): RecipientRecord => ({
  delivered,
  returned,
  refused,
  risk: riskOf(delivered, returned + refused),
})
