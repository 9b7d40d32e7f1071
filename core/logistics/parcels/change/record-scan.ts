import type { Tx } from '../../../data/sql.ts'
import { currentActor } from '../../../data/tenant-context.ts'
import { recordAuditAll } from '../../../platform/audit/record-audit.ts'
import type { ParcelRow } from '../parcels.queries.ts'
import { type ScanStep, updateScanned } from './scans.queries.ts'

const changes = { packed: 'parcel.packed', handed_over: 'parcel.handed_over' } as const

/** Options of a scan. */
export interface ScanOptions {
  /** Manifest by which the parcels are handed over; null without one. */
  readonly manifestId?: string | null
}

/**
 * Records a step of parcels of one project, in the name of the current actor. The caller must have locked them, and leaves out those that
 * have the step already.
 */
export async function recordScan(
  tx: Tx,
  projectId: string,
  parcels: readonly Pick<ParcelRow, 'id' | 'courierId' | 'trackingId' | 'orderId'>[],
  step: Exclude<ScanStep, 'returned'>,
  { manifestId = null }: ScanOptions = {},
): Promise<void> {
  if (parcels.length === 0) return
  await updateScanned(
    tx,
    projectId,
    parcels.map(({ id }) => id),
    step,
    currentActor() ?? null,
  )
  await recordAuditAll(
    tx,
    { projectId },
    parcels.map(({ id, courierId: carrier, trackingId, orderId }) => ({
      what: changes[step],
      thing: id,
      after: { carrier, trackingId, orderId, ...(manifestId !== null && { manifestId }) },
    })),
  )
}
