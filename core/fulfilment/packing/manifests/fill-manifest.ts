import type { Context } from '../../../context.ts'
import { transaction } from '../../../data/sql.ts'
import { currentActor } from '../../../data/tenant-context.ts'
import { notFound } from '../../../lib/errors/domain-error.ts'
import { findCodedParcels } from '../scans/find-coded.ts'
import { judgeParcel, judgeScans, presentScanned } from '../scans/judge-scan.ts'
import { lockMatched, parcelsDone } from '../scans/scan-parcels.ts'
import { lockExistingManifest, lockOpenManifest } from './lock-manifest.ts'
import { MANIFEST_PARCELS_MAX, type ManifestScanned } from './manifests.model.ts'
import { deleteManifestLines, insertManifestLines, listManifestsOfParcels, type ManifestKey } from './manifests.queries.ts'
import { lineOf, presentManifest } from './present-manifest.ts'

/**
 * Scans parcels into an open manifest. Returns a result for each code, in order. Throws `not_found`, and `invalid_transition` for a closed
 * manifest.
 */
export async function addToManifest(context: Context, key: ManifestKey, codes: readonly string[]): Promise<ManifestScanned> {
  const { projectId, id } = key
  return transaction(context.sql, async (tx) => {
    const { connectionId, parcelCount } = await lockOpenManifest(tx, key)
    const matches = await findCodedParcels(tx, projectId, codes, connectionId)
    const parcels = await lockMatched(tx, projectId, matches)
    const before = new Map((await listManifestsOfParcels(tx, projectId, [...parcels.keys()])).map((entry) => [entry.parcelId, entry]))
    const judged = judgeScans(codes, matches, parcels, (parcel, { isTracking }, recorded) => {
      const entry = before.get(parcel.id)
      const judgement = judgeParcel(parcel, { connectionId, isTracking, isDone: entry !== undefined })
      if (judgement === 'done_before' && entry?.isOpen && entry.manifestId !== id) return 'other_manifest'
      return judgement ?? (parcelCount + recorded >= MANIFEST_PARCELS_MAX ? 'full' : null)
    })
    await insertManifestLines(tx, key, parcelsDone(judged).map(lineOf), currentActor() ?? null)
    const after = new Map((await listManifestsOfParcels(tx, projectId, [...parcels.keys()])).map((entry) => [entry.parcelId, entry]))
    const results = judged.map(({ parcel, ...rest }) => {
      const entry = rest.outcome === 'refused' || !parcel ? undefined : after.get(parcel.id)
      return { ...rest, parcel: parcel && presentScanned(parcel), at: entry?.at ?? null, by: entry?.by ?? null }
    })
    return { manifest: presentManifest(await lockExistingManifest(tx, key)), results }
  })
}

/** Removes a parcel from an open manifest. Throws `not_found`, and `invalid_transition` for a closed manifest. */
export const removeFromManifest = (context: Context, key: ManifestKey, parcelId: string): Promise<void> =>
  transaction(context.sql, async (tx) => {
    await lockOpenManifest(tx, key)
    if ((await deleteManifestLines(tx, key, [parcelId])) === 0) throw notFound('The parcel')
  })
