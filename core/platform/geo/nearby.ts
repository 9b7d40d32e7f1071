import { known } from '../../lib/known.ts'
import { isWithin } from './borders.ts'
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

/** Farther from every town is nowhere that anything is delivered to. */
const FARTHEST_KM = 50

export function nearbyCities(catalogue: Catalogue, point: Point, limit: number): Near[] {
  return catalogue.cities
    .map((city) => ({ city, distance: distanceKm(point, city) }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, limit)
    .map(({ city, distance }) => describe(catalogue, city, distance))
}

/** The commune whose town is nearest; null where none is near, and in another country. */
export async function reverse(catalogue: Catalogue, point: Point): Promise<Near | null> {
  const nearest = nearbyCities(catalogue, point, 1)[0]
  if (!nearest || nearest.distanceKm > FARTHEST_KM) return null
  return (await isWithin(catalogue.country, point)) ? nearest : null
}

function describe(catalogue: Catalogue, city: City, distance: number): Near {
  const { stateCode, currentStateCode, latitude, longitude } = city
  const stateName = known(placesOf(catalogue).stateOf(stateCode), 'The wilaya of a commune').name
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
