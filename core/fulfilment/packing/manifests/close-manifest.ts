import type { Context } from '../../../context.ts'
import { transaction } from '../../../data/sql.ts'
import { currentActor } from '../../../data/tenant-context.ts'
import { recordScan } from '../../../logistics/parcels/change/record-scan.ts'
import { lockParcels } from '../../../logistics/parcels/parcels.queries.ts'
import { recordAudit } from '../../../platform/audit/record-audit.ts'
import { packingErrors } from '../packing.errors.ts'
import { lockExistingManifest, lockOpenManifest, readManifest } from './lock-manifest.ts'
import type { ManifestClosing } from './manifests.model.ts'
import {
  deleteManifestLines,
  deleteManifestRow,
  listManifestLines,
  type ManifestKey,
  refreshManifestLines,
  updateManifestClosed,
} from './manifests.queries.ts'
import { lineOf, presentLine } from './present-manifest.ts'

/**
 * Closes a manifest and records that its parcels were handed over. Leaves out parcels that were cancelled or deleted since. A closed manifest
 * stays as it is. Throws `not_found`, and `invalid_transition` when no parcel is left.
 */
export async function closeManifest(context: Context, key: ManifestKey): Promise<ManifestClosing> {
  const { projectId, id } = key
  return transaction(context.sql, async (tx) => {
    const { closedAt, carrier } = await lockExistingManifest(tx, key)
    if (closedAt !== null) return { manifest: await readManifest(tx, key), removed: [] }
    const lines = await listManifestLines(tx, key)
    const locked = await lockParcels(
      tx,
      projectId,
      lines.map(({ parcelId }) => parcelId),
    )
    const leaving = locked.filter(({ status }) => status !== 'cancelled')
    if (leaving.length === 0) throw packingErrors.manifestEmpty()
    const kept = new Set(leaving.map((parcel) => parcel.id))
    const removed = lines.filter(({ parcelId }) => !kept.has(parcelId))
    await deleteManifestLines(
      tx,
      key,
      removed.map(({ parcelId }) => parcelId),
    )
    await refreshManifestLines(tx, key, leaving.map(lineOf))
    await updateManifestClosed(tx, key, currentActor() ?? null)
    const unmarked = leaving.filter(({ handedOverAt }) => handedOverAt === null)
    await recordScan(tx, projectId, unmarked, 'handed_over', { manifestId: id })
    await recordAudit(tx, { projectId }, { what: 'manifest.closed', thing: id, after: { carrier, parcelCount: leaving.length } })
    return { manifest: await readManifest(tx, key), removed: removed.map(presentLine) }
  })
}

/** Deletes an open manifest. Its parcels can be scanned into another. Throws `not_found`, and `invalid_transition` for a closed one. */
export const deleteManifest = (context: Context, key: ManifestKey): Promise<void> =>
  transaction(context.sql, async (tx) => {
    const { carrier } = await lockOpenManifest(tx, key)
    await deleteManifestRow(tx, key)
    await recordAudit(tx, { projectId: key.projectId }, { what: 'manifest.deleted', thing: key.id, before: { carrier } })
  })
