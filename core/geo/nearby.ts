import type { Catalogue, City } from './catalogue.ts'
import { distanceKm, type Point } from './earth.ts'
import { placesOf } from './places.ts'

export interface Near {
  stateCode: string
  stateName: string
  cityCode: string
  cityName: string
  currentStateCode: string
  latitude: number
  longitude: number
  distanceKm: number
}

/** Communes of the Sahara are hundreds of kilometres wide; what is farther from every town is in another country or at sea. */
const FARTHEST_KM = 400

export function nearbyCities(catalogue: Catalogue, point: Point, limit: number): Near[] {
  return catalogue.cities
    .map((city) => ({ city, distance: distanceKm(point, city) }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, limit)
    .map(({ city, distance }) => describe(catalogue, city, distance))
}

/** The commune whose town is nearest. */
export function reverse(catalogue: Catalogue, point: Point): Near | null {
  const nearest = nearbyCities(catalogue, point, 1)[0]
  return nearest && nearest.distanceKm <= FARTHEST_KM ? nearest : null
}

function describe(catalogue: Catalogue, city: City, distance: number): Near {
  const { stateCode, currentStateCode, latitude, longitude } = city
  const stateName = placesOf(catalogue).stateOf(stateCode)!.name
  const km = Math.round(distance * 100) / 100
  return {
    stateCode,
    stateName,
    cityCode: city.code,
    cityName: city.name,
    currentStateCode,
    latitude,
    longitude,
    distanceKm: km,
  }
}
