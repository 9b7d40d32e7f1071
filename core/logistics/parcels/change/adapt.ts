import type { DeliveryType, Warning } from '../../../../plugins/carrier/model.ts'
import type { Center } from '../../../../plugins/carrier/places.model.ts'
import type { Rewritten } from '../../../../plugins/carrier/segments.model.ts'
import type { Context } from '../../../context.ts'
import { callAdapter } from '../../../integrations/connections/calls/call-adapter.ts'
import { requireMembers } from '../../../integrations/connections/calls/require-members.ts'
import type { CarrierConnection } from '../../../integrations/connections/connection.ts'
import { AdapterFailure } from '../../../integrations/egress/adapter-failure.ts'
import { resolveAddress } from '../../../platform/geo/resolve/resolve-address.ts'
import { findPoint, kilometresBetween } from '../../../platform/geo/shapes/distance.ts'
import type { ParcelDestination } from '../parcels.model.ts'
import { isPickupOfOther } from './pickup-owner.queries.ts'

/** Maximum number of pickup points of a state that are considered. */
const CENTERS_MAX = 200

/** Notices about the destination of a parcel at its carrier. */
export interface CarrierNotices {
  readonly warnings: readonly Warning[]
  readonly rewritten?: Rewritten
}

/** Destination that was adapted to a carrier, with its notices. */
export interface AdaptedDestination extends CarrierNotices {
  /** Destination instead of the requested one; undefined when that needs no change. */
  readonly destination?: ParcelDestination
}

/**
 * Adapts a destination to what the carrier supports: another delivery type, or the nearest pickup point where none was chosen, or one of
 * another carrier. Throws `AdapterFailure` when the pickup points cannot be read.
 */
export async function adaptDestination(
  context: Context,
  connection: CarrierConnection,
  destination: ParcelDestination,
): Promise<AdaptedDestination> {
  const { carrier } = connection.mounted
  const wanted = destination.deliveryType
  const { pickupId: chosen } = destination
  const foreign = wanted === 'pickup' && chosen && (await isPickupOfOther(context.sql, connection.row, chosen)) ? chosen : null
  const isServed = carrier.deliveryTypes.includes(wanted)
  if (isServed && (wanted !== 'pickup' || (chosen && foreign === null))) return { warnings: [] }
  const deliveryType = isServed ? wanted : (carrier.deliveryTypes[0] ?? 'home')
  const warnings = [
    ...(deliveryType === wanted ? [] : [unsupportedWarning(carrier.label, wanted, deliveryType)]),
    ...(foreign !== null && deliveryType === 'pickup' ? [foreignPickupWarning(carrier.label, foreign)] : []),
  ]
  if (deliveryType !== 'pickup') return { warnings, destination: { ...destination, deliveryType, pickupId: null } }
  const nearest = await nearestCenter(context, connection, destination)
  if (!nearest) return { warnings, destination: { ...destination, deliveryType, ...(foreign !== null && { pickupId: null }) } }
  const { pickupId, distanceKm } = nearest
  const place = { ...nearest.place, address: destination.address }
  const from = { stateCode: destination.stateCode, cityName: destination.cityName }
  const to = { stateCode: place.stateCode, cityName: place.cityName, pickupId }
  return { warnings, destination: { ...place, deliveryType, pickupId }, rewritten: { from, to, distanceKm } }
}

const unsupportedWarning = (label: string, wanted: DeliveryType, instead: DeliveryType): Warning => ({
  code: 'delivery_type_unsupported',
  message: `${label} does not deliver by ${wanted}; the parcel goes by ${instead}.`,
})

const foreignPickupWarning = (label: string, pickupId: string): Warning => ({
  code: 'pickup_of_other_carrier',
  message: `The stop desk ${pickupId} belongs to another carrier. ${label} delivers to its own desk nearest to the address.`,
})

async function nearestCenter(context: Context, connection: CarrierConnection, destination: ParcelDestination) {
  if (!connection.mounted.carrier.centers) return undefined
  const query = { stateId: destination.stateCode }
  const centers = await callAdapter(context, connection, (carrier, adapter) => requireMembers(carrier, 'centers').centers(adapter, query), {
    operation: 'centers',
  }).catch((error) => {
    // Only an explicit refusal means that there are none; after other failures the caller retries later.
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
