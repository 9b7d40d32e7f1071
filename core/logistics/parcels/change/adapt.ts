import type { Center, DeliveryType, Warning } from '../../../../plugins/carrier/model.ts'
import type { Rewritten } from '../../../../plugins/carrier/segments.model.ts'
import type { Context } from '../../../context.ts'
import { callAdapter } from '../../../integrations/connections/calls/call-adapter.ts'
import { requireMembers } from '../../../integrations/connections/calls/require-members.ts'
import type { CarrierConnection } from '../../../integrations/connections/connection.ts'
import { AdapterFailure } from '../../../integrations/egress/adapter-failure.ts'
import { resolveAddress } from '../../../platform/geo/resolve/resolve-address.ts'
import { findPoint, kilometresBetween } from '../../../platform/geo/shapes/distance.ts'
import type { ParcelDestination } from '../parcels.model.ts'

/** No carrier has as many in one state. */
const CENTERS_MAX = 200

/** What was to be said of a parcel's destination at its carrier. */
export interface Told {
  readonly warnings: readonly Warning[]
  readonly rewritten?: Rewritten
}

export interface Adapted extends Told {
  /** Where it goes instead; undefined where it goes as asked. */
  readonly destination?: ParcelDestination
}

/**
 * What the carrier cannot deliver as asked becomes the nearest thing that it can: another delivery type, or the nearest centre.
 * Throws `AdapterFailure` where it has to be asked for its centres, and cannot be.
 */
export async function adaptDestination(context: Context, connection: CarrierConnection, destination: ParcelDestination): Promise<Adapted> {
  const { carrier } = connection.mounted
  const wanted = destination.deliveryType
  if (carrier.deliveryTypes.includes(wanted) && (wanted !== 'pickup' || destination.pickupId)) return { warnings: [] }
  const deliveryType = carrier.deliveryTypes.includes(wanted) ? wanted : (carrier.deliveryTypes[0] ?? 'home')
  const warnings = deliveryType === wanted ? [] : [unsupported(carrier.label, wanted, deliveryType)]
  if (deliveryType !== 'pickup') return { warnings, destination: { ...destination, deliveryType, pickupId: null } }
  const nearest = await nearestCenter(context, connection, destination)
  if (!nearest) return { warnings, destination: { ...destination, deliveryType } }
  const { pickupId, distanceKm } = nearest
  const place = { ...nearest.place, address: destination.address }
  const from = { stateCode: destination.stateCode, cityName: destination.cityName }
  const to = { stateCode: place.stateCode, cityName: place.cityName, pickupId }
  return { warnings, destination: { ...place, deliveryType, pickupId }, rewritten: { from, to, distanceKm } }
}

const unsupported = (label: string, wanted: DeliveryType, instead: DeliveryType): Warning => ({
  code: 'delivery_type_unsupported',
  message: `${label} does not deliver by ${wanted}; the parcel goes by ${instead}.`,
})

async function nearestCenter(context: Context, connection: CarrierConnection, destination: ParcelDestination) {
  if (!connection.mounted.carrier.centers) return undefined
  const query = { stateId: destination.stateCode }
  const centers = await callAdapter(context, connection, (carrier, adapter) => requireMembers(carrier, 'centers').centers(adapter, query), {
    operation: 'centers',
  }).catch((error) => {
    // Only the carrier's own "none" is none; one that cannot be asked now is asked again later.
    if (error instanceof AdapterFailure && (error.reason === 'refused' || error.reason === 'not_found')) return [] as Center[]
    throw error
  })
  const home = findPoint(destination)
  const measured = centers.slice(0, CENTERS_MAX).map((center) => {
    const place = resolveAddress({ ...destination, cityName: center.cityName, address: '' })
    return { pickupId: center.id, place, distanceKm: kilometresBetween(home, pointAt(center) ?? findPoint(place)) }
  })
  return measured.sort((a, b) => a.distanceKm - b.distanceKm)[0]
}

const pointAt = ({ latitude, longitude }: Center) =>
  latitude === undefined || longitude === undefined ? undefined : { latitude, longitude }
