import type { Queryable } from '../../../data/sql.ts'
import type { ScanRefusal } from './scans.model.ts'
import { type CodedParcel, listCodedParcels } from './scans.queries.ts'

/** Parcel that a code names, and whether by its tracking number; or the reason why it names none. */
export type CodeMatch =
  | { readonly parcelId: string; readonly isTracking: boolean }
  | { readonly refusal: Extract<ScanRefusal, 'unknown' | 'ambiguous'> }

const UNKNOWN: CodeMatch = { refusal: 'unknown' }
const folded = (code: string) => code.trim().toLowerCase()

/**
 * Finds the parcel of each code, in the order of the codes. A tracking number precedes a reference, and a parcel that was not cancelled
 * precedes one that was. `connectionId` decides between two carriers that use the same number.
 */
export async function findCodedParcels(
  sql: Queryable,
  projectId: string,
  codes: readonly string[],
  connectionId: string | null,
): Promise<CodeMatch[]> {
  const spellings = codes.flatMap((code) => [code.trim(), code.trim().toUpperCase(), folded(code)])
  const parcels = await listCodedParcels(sql, projectId, [...new Set(spellings)])
  return codes.map((code) => matchOf(parcels, folded(code), connectionId))
}

function matchOf(parcels: readonly CodedParcel[], code: string, connectionId: string | null): CodeMatch {
  const byTracking = parcels.filter(({ trackingId }) => trackingId !== null && folded(trackingId) === code)
  if (byTracking.length > 0) return onlyOf(byTracking, connectionId, { isTracking: true })
  const isNamed = (text: string | null) => text !== null && folded(text) === code
  return onlyOf(
    parcels.filter(({ reference, orderReference }) => isNamed(reference) || isNamed(orderReference)),
    connectionId,
    { isTracking: false },
  )
}

function onlyOf(found: readonly CodedParcel[], connectionId: string | null, { isTracking }: { readonly isTracking: boolean }): CodeMatch {
  const live = found.filter(({ isCancelled }) => !isCancelled)
  const usable = live.length > 0 ? live : found.slice(-1)
  const expected = connectionId === null ? [] : usable.filter(({ carrierAccountId }) => carrierAccountId === connectionId)
  const [only, ...others] = expected.length > 0 ? expected : usable
  if (!only) return UNKNOWN
  return others.length > 0 ? { refusal: 'ambiguous' } : { parcelId: only.id, isTracking }
}
