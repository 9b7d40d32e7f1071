import type { Context } from '../../../context.ts'
import { type Tx, transaction } from '../../../data/sql.ts'
import { recordScan } from '../../../logistics/parcels/change/record-scan.ts'
import { listScanMarks, type ScanStep } from '../../../logistics/parcels/change/scans.queries.ts'
import { lockParcels, type ParcelRow } from '../../../logistics/parcels/parcels.queries.ts'
import { findCarrierConnection } from '../find-carrier-connection.ts'
import { findCodedParcels } from './find-coded.ts'
import { type JudgedScan, judgeParcel, judgeScans, presentScanned } from './judge-scan.ts'
import type { ScanRequest, ScanResult } from './scans.model.ts'

const timeOf = { packed: 'packedAt', handed_over: 'handedOverAt' } as const

/**
 * Records that the parcels of scanned codes were packed, or handed over to their carrier. Returns a result for each code, in order. A parcel
 * that has the step keeps its first time and actor.
 */
export async function scanParcels(
  context: Context,
  projectId: string,
  request: ScanRequest,
  step: Exclude<ScanStep, 'returned'>,
): Promise<ScanResult[]> {
  const { codes, connectionId = null } = request
  if (connectionId !== null) await findCarrierConnection(context.sql, { projectId, id: connectionId })
  return transaction(context.sql, async (tx) => {
    const matches = await findCodedParcels(tx, projectId, codes, connectionId)
    const parcels = await lockMatched(tx, projectId, matches)
    const judged = judgeScans(codes, matches, parcels, (parcel, { isTracking }) =>
      judgeParcel(parcel, { connectionId, isTracking, isDone: parcel[timeOf[step]] !== null }),
    )
    await recordScan(tx, projectId, parcelsDone(judged), step)
    return presentScans(tx, projectId, judged, step)
  })
}

/** Locks the parcels that codes name, and returns them by id. */
export async function lockMatched(
  tx: Tx,
  projectId: string,
  matches: Awaited<ReturnType<typeof findCodedParcels>>,
): Promise<ReadonlyMap<string, ParcelRow>> {
  const ids = matches.flatMap((match) => ('parcelId' in match ? match.parcelId : []))
  return new Map((await lockParcels(tx, projectId, ids)).map((parcel) => [parcel.id, parcel]))
}

/** Parcels for which a scan is recorded now. */
export const parcelsDone = (judged: readonly JudgedScan[]): ParcelRow[] =>
  judged.flatMap(({ outcome, parcel }) => (outcome === 'done' && parcel ? parcel : []))

/** Results as the API shows them, with the time and the actor of what is recorded. */
export async function presentScans(tx: Tx, projectId: string, judged: readonly JudgedScan[], step: ScanStep): Promise<ScanResult[]> {
  const ids = judged.flatMap(({ outcome, parcel }) => (outcome !== 'refused' && parcel ? parcel.id : []))
  const marks = new Map((await listScanMarks(tx, projectId, ids, step)).map((mark) => [mark.id, mark]))
  return judged.map(({ parcel, ...rest }) => {
    const mark = rest.outcome === 'refused' || !parcel ? undefined : marks.get(parcel.id)
    return { ...rest, parcel: parcel && presentScanned(parcel), at: mark?.at ?? null, by: mark?.by ?? null }
  })
}
