import type { Context } from '../../../context.ts'
import { findFirstCatalogue } from '../../../platform/geo/catalogue/catalogues.ts'
import { resolveWithDefault } from '../../../platform/geo/resolve/resolve.ts'
import type { CarrierConnection } from '../connection.ts'
import { findPlaces } from './places.queries.ts'
import { readPlacesInState } from './places-in-state.ts'

interface TypedAddress {
  readonly country?: string
  readonly state?: string
  readonly city?: string
  readonly address?: string
}

const CENTERS_MAX = 50

/**
 * Resolves a typed address in the catalogue and in the carrier's list, and whether the carrier delivers there. `deliverable` is null if
 * that is unknown, as for a city without a certain match. Never falls back to the first row.
 */
export async function resolveAddressForCarrier(context: Context, connection: CarrierConnection, typed: TypedAddress) {
  const catalogue = findFirstCatalogue(connection.mounted.carrier.countries)
  const { stateCode, stateName, cityCode, cityName, method, confidence } = resolveWithDefault(catalogue?.country ?? '', typed)
  const answer = { stateCode, stateName, cityCode, cityName, method: method as string, confidence, place: null }
  const { states, cities } = connection.mounted.carrier
  if (!catalogue || !stateCode || !states) return { ...answer, deliverable: { home: null, pickup: null }, centers: [] }
  const places = await readPlacesInState(context, connection, catalogue, stateCode)
  const { state } = places
  if (!state?.deliverable) return { ...answer, deliverable: { home: false, pickup: false }, centers: [] }
  const stored = cityCode && cities ? await findPlaces(context.sql, connection.row) : undefined
  const match = (stored ?? places).matched.find((place) => place.cityCode === cityCode)
  const city = match && places.cities.find((row) => row.id === match.id)
  return {
    ...answer,
    place: { stateId: state.id, stateName: state.name, cityId: city?.id ?? null, cityName: city?.name ?? null },
    deliverable: { home: city ? city.home : null, pickup: city ? city.pickup : places.centers.length > 0 },
    centers: places.centers.slice(0, CENTERS_MAX),
  }
}
