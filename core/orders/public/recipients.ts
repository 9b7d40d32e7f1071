import type { Queryable, Tx } from '../../data/sql.ts'
import type { ParcelMove } from '../../logistics/parcels/lifecycle/move.ts'
import type { RecipientRecord } from '../details/details.model.ts'
import type { OrderKey } from '../orders.queries.ts'
import { countOutcomesOf, type Ending, upsertOutcomes } from './recipients.queries.ts'

const ENDINGS: Partial<Record<ParcelMove['to'], Ending['outcome']>> = { delivered: 'delivered', returning: 'back', returned: 'back' }

/** Keeps what became of parcels at their recipients' doors, so that whoever sells to a phone number next knows how often it took what it ordered. */
export async function followRecipients(tx: Tx, moves: readonly ParcelMove[]): Promise<void> {
  const last = new Map<string, Ending>()
  for (const { parcel, to } of moves) {
    const outcome = ENDINGS[to]
    const { id: parcelId, projectId, recipient } = parcel
    if (outcome) last.set(parcelId, { projectId, parcelId, phone: recipient.phone, outcome })
  }
  if (last.size > 0) await upsertOutcomes(tx, [...last.values()])
}

/** How reliable whoever ordered was until now. */
export const recipientOf = (sql: Queryable, order: OrderKey): Promise<RecipientRecord> => countOutcomesOf(sql, order)
