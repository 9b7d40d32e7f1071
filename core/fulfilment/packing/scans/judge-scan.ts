import type { ParcelStatus } from '../../../../plugins/carrier/model.ts'
import type { ParcelRow } from '../../../logistics/parcels/parcels.queries.ts'
import type { CodeMatch } from './find-coded.ts'
import type { ScannedParcel, ScanRefusal, ScanResult } from './scans.model.ts'

const unsent: readonly ParcelStatus[] = ['created', 'submitting']
const ended: readonly ParcelStatus[] = ['delivered', 'returning', 'returned', 'lost']

/** Conditions of a scan. */
export interface ScanRule {
  /** Connection whose parcels are expected; null for any. */
  readonly connectionId: string | null
  /** True if the code was a tracking number: then a label exists, wherever it was printed. */
  readonly isTracking: boolean
  /** True if the step was recorded before. */
  readonly isDone: boolean
}

/** Judgement of a parcel: recorded before, refused for a reason, or to be recorded now. */
export type ScanJudgement = 'done_before' | ScanRefusal | null

/** Judges whether a parcel can be packed or handed over now. A cancelled or foreign one is refused even if the step was recorded before. */
export function judgeParcel(parcel: ParcelRow, { connectionId, isTracking, isDone }: ScanRule): ScanJudgement {
  if (parcel.status === 'cancelled') return 'cancelled'
  if (connectionId !== null && parcel.carrierAccountId !== connectionId) return 'other_carrier'
  if (isDone) return 'done_before'
  if (unsent.includes(parcel.status)) return 'not_sent'
  if (ended.includes(parcel.status)) return 'ended'
  const isLabelled = isTracking || parcel.printedAt !== null || parcel.packedAt !== null
  return isLabelled ? null : 'not_printed'
}

/** Parcel as the result of a scan shows it. */
export const presentScanned = (parcel: ParcelRow): ScannedParcel => ({
  id: parcel.id,
  orderId: parcel.orderId,
  reference: parcel.reference,
  trackingId: parcel.trackingId,
  status: parcel.status === 'created' && parcel.submitAt !== null ? 'submitting' : parcel.status,
  connectionId: parcel.carrierAccountId,
  carrier: parcel.courierId,
  recipientName: parcel.recipient.name,
  cityName: parcel.destination.cityName,
  codAmount: Number(parcel.codAmount),
})

/** Code with its parcel and its result, before the time and the actor are known. */
export type JudgedScan = Pick<ScanResult, 'code' | 'outcome' | 'reason'> & { readonly parcel: ParcelRow | null }

/** Judges the codes of one request in their order. A parcel that two codes name is recorded by the first. */
export function judgeScans(
  codes: readonly string[],
  matches: readonly CodeMatch[],
  parcels: ReadonlyMap<string, ParcelRow>,
  judge: (parcel: ParcelRow, match: { readonly isTracking: boolean }, recorded: number) => ScanJudgement,
): JudgedScan[] {
  const done = new Set<string>()
  return codes.map((code, at): JudgedScan => {
    const match = matches[at] ?? { refusal: 'unknown' }
    if ('refusal' in match) return { code, outcome: 'refused', reason: match.refusal, parcel: null }
    const parcel = parcels.get(match.parcelId)
    if (!parcel) return { code, outcome: 'refused', reason: 'unknown', parcel: null }
    const judgement = done.has(parcel.id) ? 'done_before' : judge(parcel, match, done.size)
    if (judgement === 'done_before') return { code, outcome: judgement, reason: null, parcel }
    if (judgement !== null) return { code, outcome: 'refused', reason: judgement, parcel }
    done.add(parcel.id)
    return { code, outcome: 'done', reason: null, parcel }
  })
}
