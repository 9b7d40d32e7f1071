import { invariant } from '../../../lib/invariant.ts'
import type { Catalogue, City } from '../catalogue/catalogue.ts'
import { listCatalogues } from '../catalogue/catalogues.ts'
import { isWithin } from '../shapes/borders.ts'
import { distanceKm, type Point } from '../shapes/earth.ts'
import { indexedCatalogueOf } from './places.ts'

/** City near a point. */
export interface NearbyCity {
  country: string
  stateCode: string
  stateName: string
  cityCode: string
  cityName: string
  currentStateCode: string
  latitude: number
  longitude: number
  distanceKm: number
}

/** Maximum distance to the nearest town, in kilometres. Nothing is delivered farther away. */
const FARTHEST_KM = 50
/** Kilometres per degree of latitude. A larger difference in latitude alone excludes a point. */
const KM_OF_DEGREE = 111

/** Lists the nearest cities of several countries, nearest first. */
export const listNearbyCities = (of: readonly Catalogue[], point: Point, limit: number): NearbyCity[] =>
  of
    .flatMap((catalogue) => nearest(catalogue, point, limit).map((found) => describe(catalogue, found)))
    .sort((a, b) => a.distanceKm - b.distanceKm)
    .slice(0, limit)

/** Finds the city nearest to a point. Null if none is near, or if the point lies in another country. */
export async function reverseGeocode(point: Point): Promise<NearbyCity | null> {
  for (const near of nearbyOfEach(point)) if (await isWithin(near.country, point)) return near
  return null
}

const nearbyOfEach = (point: Point): NearbyCity[] =>
  listCatalogues()
    .flatMap((catalogue) => listNearbyCities([catalogue], point, 1))
    .filter((near) => near.distanceKm <= FARTHEST_KM)
    .sort((a, b) => a.distanceKm - b.distanceKm)

interface Distant {
  readonly city: City
  readonly distance: number
}

const byLatitude = new WeakMap<Catalogue, readonly City[]>()

/** Finds the nearest cities. Scans north and south from the point's latitude until no nearer city is possible. */
function nearest(catalogue: Catalogue, point: Point, limit: number): Distant[] {
  const cities = byLatitude.get(catalogue) ?? catalogue.cities.toSorted((a, b) => a.latitude - b.latitude)
  byLatitude.set(catalogue, cities)
  const found: Distant[] = []
  let north = lowerBound(cities, point.latitude)
  let south = north - 1
  const gap = (city: City | undefined) => (city ? Math.abs(city.latitude - point.latitude) : Infinity)
  for (;;) {
    const isNorth = gap(cities[north]) <= gap(cities[south])
    const city = isNorth ? cities[north++] : cities[south--]
    const farthest = found.length === limit ? (found.at(-1)?.distance ?? 0) : Infinity
    if (!city || gap(city) * KM_OF_DEGREE > farthest) return found
    const distance = distanceKm(point, city)
    if (distance < farthest) insertSorted(found, { city, distance }, limit)
  }
}

function lowerBound(cities: readonly City[], latitude: number): number {
  let [low, high] = [0, cities.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (invariant(cities[middle], 'A city in the middle').latitude < latitude) low = middle + 1
    else high = middle
  }
  return low
}

function insertSorted(found: Distant[], one: Distant, limit: number): void {
  const at = found.findIndex(({ distance }) => distance > one.distance)
  found.splice(at < 0 ? found.length : at, 0, one)
  if (found.length > limit) found.pop()
}

function describe(catalogue: Catalogue, { city, distance }: Distant): NearbyCity {
  const { stateCode, currentStateCode, latitude, longitude } = city
  return {
    country: catalogue.country,
    stateCode,
    stateName: invariant(indexedCatalogueOf(catalogue).stateOf(stateCode), 'The state of a city').name,
    cityCode: city.code,
    cityName: city.name,
    currentStateCode,
    latitude,
    longitude,
    distanceKm: Math.round(distance * 100) / 100,
  }
}
