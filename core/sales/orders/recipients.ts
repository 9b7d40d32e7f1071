import type { Tx } from '../../data/sql.ts'
import type { ParcelMove } from '../../logistics/parcels/move.ts'
import { type Ending, upsertOutcomes } from './recipients.queries.ts'

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
