import type { Carrier, CarrierContext } from '../../../plugins/carrier/contract.ts'
import type { Center, City, State } from '../../../plugins/carrier/model.ts'
import type { Context } from '../../context.ts'
import { firstKnown } from '../../platform/geo/atlas.ts'
import { stateCodeOf } from '../../platform/geo/match-places.ts'
import { resolveIn } from '../../platform/geo/resolve.ts'
import { callAdapter } from './call.ts'
import type { CarrierConnection } from './connection.ts'
import { placesOfCarrier } from './sync-places.ts'

interface Typed {
  readonly country?: string
  readonly state?: string
  readonly city?: string
  readonly address?: string
}

const CENTERS_MAX = 50

/**
 * An address as typed, in our catalogue's words and in the carrier's, and whether and how it delivers there: null where that is not known,
 * as of a city that is none of its list for certain. Never the first row as a fallback.
 */
export async function resolveForCarrier(context: Context, connection: CarrierConnection, typed: Typed) {
  const catalogue = firstKnown(connection.mounted.carrier.countries)
  const { stateCode, stateName, cityCode, cityName, method, confidence } = resolveIn(catalogue?.country ?? '', typed)
  const answer = { stateCode, stateName, cityCode, cityName, method: method as string, confidence, place: null }
  const { states, cities, centers } = connection.mounted.carrier
  if (!catalogue || !stateCode || !states) return { ...answer, deliverable: { home: null, pickup: null }, centers: [] }
  const places = cityCode ? await placesOfCarrier(context, connection) : undefined
  const match = places?.matched.find((place) => place.cityCode === cityCode)
  const look = async (_carrier: Carrier, adapter: CarrierContext) => {
    const state = (await states(adapter)).find((row: State) => stateCodeOf(catalogue, row) === stateCode)
    if (!state?.deliverable) return { ...answer, deliverable: { home: false, pickup: false }, centers: [] as Center[] }
    const stateId = state.id
    const city = match && cities ? (await cities(adapter, { stateId })).find((row: City) => row.id === match.id) : undefined
    const near = centers ? (await centers(adapter, { stateId })).filter((row: Center) => row.stateId === stateId) : []
    return {
      ...answer,
      place: { stateId, stateName: state.name, cityId: city?.id ?? null, cityName: city?.name ?? null },
      deliverable: { home: city ? city.home : null, pickup: city ? city.pickup : near.length > 0 },
      centers: near.slice(0, CENTERS_MAX),
    }
  }
  return callAdapter(context, connection, look, { operation: 'resolve' })
}
