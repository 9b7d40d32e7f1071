import { Type as T } from '@sinclair/typebox'
import type { CarrierParcel, StatusReport } from '../../../plugins/carrier/model.ts'
import { CarrierParcel as CarrierParcelSchema } from '../../../plugins/carrier/model.ts'
import type { Context } from '../../context.ts'
import { callAdapter } from '../../integrations/connections/calls/call-adapter.ts'
import type { CarrierConnection } from '../../integrations/connections/connection.ts'
import type { QuotaClass } from '../../integrations/egress/quota.ts'
import { recordReports } from './record-report.ts'

/** Parcels in one call of a carrier that does not say how many it takes. */
const TRACK_MAX = 50

export const trackWidth = ({ mounted }: CarrierConnection) => mounted.carrier.trackMax ?? TRACK_MAX

export interface News {
  /** Parcels that the carrier told something of. */
  readonly parcels: number
  /** Reports that moved a parcel or its cash. */
  readonly changed: number
}

/** Asks the carrier for news of parcels, in one call, and applies it. At most `trackWidth` of them. */
export async function takeNews(
  context: Context,
  connection: CarrierConnection,
  parcels: readonly { readonly id: string; readonly trackingId: string }[],
  options: { readonly source: string; readonly signal?: AbortSignal; readonly quota: QuotaClass },
): Promise<News> {
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

/** Each step the carrier remembers, and where the parcel is now; with our reference, which tells whose it is where its number was never told. */
function reportsOf({ trackingId, reference, carrierStatus, at, cash, history }: CarrierParcel): StatusReport[] {
  const whose = { trackingId, ...(reference && { reference }) }
  const now = { ...whose, carrierStatus, at, ...(cash && { cash }) }
  const steps = (history ?? []).map((step) => ({ ...step, ...whose }))
  return steps.some((step) => step.carrierStatus === carrierStatus && Date.parse(step.at) === Date.parse(at)) && !cash
    ? steps
    : [...steps, now]
}
