import type { Context } from '../../../context.ts'
import type { Tx } from '../../../data/sql.ts'
import { currentActor } from '../../../data/tenant-context.ts'
import { newId } from '../../../lib/ids.ts'
import { invariant } from '../../../lib/invariant.ts'
import { recordAudit } from '../../../platform/audit/record-audit.ts'
import type { Store } from '../../../shop/stores/stores.model.ts'
import { findCarrierConnection } from '../find-carrier-connection.ts'
import { packingErrors } from '../packing.errors.ts'
import type { Manifest } from './manifests.model.ts'
import { countOpenManifests, findManifest, insertManifest } from './manifests.queries.ts'
import { presentManifest } from './present-manifest.ts'

/** Open manifests of a store at most; a forgotten one can be deleted. */
const OPEN_MAX = 100

/**
 * Begins a manifest for the parcels of a carrier connection. Throws `invalid_request` for one that the store does not have, and
 * `limit_reached`.
 */
export async function openManifest({ plugins }: Pick<Context, 'plugins'>, tx: Tx, store: Store, connectionId: string): Promise<Manifest> {
  const { projectId } = store
  const connection = await findCarrierConnection(tx, { projectId, id: connectionId })
  if ((await countOpenManifests(tx, projectId)) >= OPEN_MAX) throw packingErrors.tooManyOpenManifests({ manifestsMax: OPEN_MAX })
  const currency = plugins.find('carrier', connection.key)?.carrier.currency ?? store.currencyCode
  const key = { projectId, id: newId('mnf') }
  await insertManifest(tx, { ...key, connectionId, carrier: connection.key, currency }, currentActor() ?? null)
  await recordAudit(tx, { projectId }, { what: 'manifest.created', thing: key.id, after: { carrier: connection.key } })
  return presentManifest(invariant(await findManifest(tx, key), 'A manifest that was made'))
}
