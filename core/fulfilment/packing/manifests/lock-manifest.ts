import type { Queryable, Tx } from '../../../data/sql.ts'
import { notFound } from '../../../lib/errors/domain-error.ts'
import { packingErrors } from '../packing.errors.ts'
import type { ManifestDetails } from './manifests.model.ts'
import { findManifest, listManifestLines, lockManifest, type ManifestKey, type ManifestRow } from './manifests.queries.ts'
import { presentLine, presentManifest } from './present-manifest.ts'

/** Locks a manifest, before the parcels of it. Throws `not_found`. */
export async function lockExistingManifest(tx: Tx, key: ManifestKey): Promise<ManifestRow> {
  const found = (await lockManifest(tx, key)) ? await findManifest(tx, key) : undefined
  if (!found) throw notFound('The manifest')
  return found
}

/** Locks an open manifest. Throws `not_found`, and `invalid_transition` for a closed one. */
export async function lockOpenManifest(tx: Tx, key: ManifestKey): Promise<ManifestRow> {
  const found = await lockExistingManifest(tx, key)
  if (found.closedAt !== null) throw packingErrors.manifestClosed()
  return found
}

/** Reads a manifest with its parcels. Throws `not_found`. */
export async function readManifest(sql: Queryable, key: ManifestKey): Promise<ManifestDetails> {
  const row = await findManifest(sql, key)
  if (!row) throw notFound('The manifest')
  return { ...presentManifest(row), parcels: (await listManifestLines(sql, key)).map(presentLine) }
}
