import type { Context } from '../../../context.ts'
import { expectOne, type Tx, transaction } from '../../../data/sql.ts'
import { receiveReturnedParcel } from '../../../logistics/parcels/change/receive-returned.ts'
import type { ParcelRow } from '../../../logistics/parcels/parcels.queries.ts'
import { findCodedParcels } from '../scans/find-coded.ts'
import { judgeScans, type ScanJudgement } from '../scans/judge-scan.ts'
import { lockMatched, parcelsDone, presentScans } from '../scans/scan-parcels.ts'
import type { ScanResult } from '../scans/scans.model.ts'
import type { ReturnScan } from './returns.model.ts'

/**
 * Records that the parcels of scanned codes came back. Returns a result for each code, in order. Each parcel has a transaction of its own,
 * because its goods may go back to stock, and stock is locked in one sequence over all orders.
 */
export async function receiveReturns(
  context: Context,
  projectId: string,
  { codes, condition = 'good' }: ReturnScan,
): Promise<ScanResult[]> {
  const results: ScanResult[] = []
  for (const code of codes) results.push(await transaction(context.sql, (tx) => receiveOne(tx, projectId, code, condition)))
  return results
}

async function receiveOne(tx: Tx, projectId: string, code: string, condition: NonNullable<ReturnScan['condition']>): Promise<ScanResult> {
  const matches = await findCodedParcels(tx, projectId, [code], null)
  const judged = judgeScans([code], matches, await lockMatched(tx, projectId, matches), judgeReturn)
  for (const parcel of parcelsDone(judged)) await receiveReturnedParcel(tx, parcel, condition)
  return expectOne(await presentScans(tx, projectId, judged, 'returned'))
}

/** Judges whether the goods of a parcel can come back now. */
function judgeReturn({ status, returnReceivedAt }: ParcelRow): ScanJudgement {
  if (returnReceivedAt !== null) return 'done_before'
  if (status === 'cancelled') return 'cancelled'
  if (status === 'created' || status === 'submitting') return 'not_sent'
  return status === 'returning' || status === 'returned' ? null : 'not_returning'
}
