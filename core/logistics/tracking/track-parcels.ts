import { Type as T } from '@sinclair/typebox'
import type { CarrierParcel, StatusReport } from '../../../plugins/carrier/model.ts'
import { CarrierParcel as CarrierParcelSchema } from '../../../plugins/carrier/model.ts'
import type { Context } from '../../context.ts'
import { callAdapter } from '../../integrations/connections/calls/call-adapter.ts'
import type { CarrierConnection } from '../../integrations/connections/connection.ts'
import type { QuotaClass } from '../../integrations/egress/quota.ts'
import { recordReports } from './record-report.ts'

/** Number of parcels per call to a carrier that declares no maximum. */
const TRACK_MAX = 50

/** Maximum number of parcels in one tracking call to the carrier. */
export const trackBatchSize = ({ mounted }: CarrierConnection) => mounted.carrier.trackMax ?? TRACK_MAX

/** Result of a tracking call. */
export interface TrackingResult {
  /** Number of parcels that the carrier reported on. */
  readonly parcels: number
  /** Number of reports that changed a parcel or its cash. */
  readonly changed: number
}

/** Tracks parcels in one call to the carrier, and applies its reports. `parcels` has at most `trackBatchSize` entries. */
export async function trackParcels(
  context: Context,
  connection: CarrierConnection,
  parcels: readonly { readonly id: string; readonly trackingId: string }[],
  options: { readonly source: string; readonly signal?: AbortSignal; readonly quota: QuotaClass },
): Promise<TrackingResult> {
  const { track } = connection.mounted.carrier
  if (!track || parcels.length === 0) return { parcels: 0, changed: 0 }
  const { source, ...limits } = options
  const trackingIds = parcels.map(({ trackingId }) => trackingId)
  const found = await callAdapter(context, connection, (_carrier, adapter) => track(adapter, trackingIds), {
    operation: 'track',
    parcelIds: parcels.map(({ id }) => id),
    schema: T.Array(CarrierParcelSchema),
    ...limits,
  })
  const { applied } = await recordReports(context, connection, found.flatMap(reportsOf), source)
  return { parcels: found.length, changed: applied }
}

/**
 * Converts the carrier's state of a parcel to reports: its history and its current status. Includes our reference, which identifies a
 * parcel whose tracking number is not stored.
 */
function reportsOf({ trackingId, reference, carrierStatus, at, cash, history }: CarrierParcel): StatusReport[] {
  const identity = { trackingId, ...(reference && { reference }) }
  const now = { ...identity, carrierStatus, at, ...(cash && { cash }) }
  const steps = (history ?? []).map((step) => ({ ...step, ...identity }))
  return steps.some((step) => step.carrierStatus === carrierStatus && Date.parse(step.at) === Date.parse(at)) && !cash
    ? steps
    : [...steps, now]
}
