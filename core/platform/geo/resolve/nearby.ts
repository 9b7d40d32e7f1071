import { invariant } from '../../../lib/invariant.ts'
import { catalogues } from '../catalogue/atlas.ts'
import type { Catalogue, City } from '../catalogue/catalogue.ts'
import { isWithin } from '../shapes/borders.ts'
import { distanceKm, type Point } from '../shapes/earth.ts'
import { placesOf } from './places.ts'

export interface Near {
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

/** Farther from every town is nowhere that anything is delivered to. */
const FARTHEST_KM = 50
/** Kilometres of a degree of latitude: points of which the latitudes alone differ by more are no nearer. */
const KM_OF_DEGREE = 111

/** Cities of all the countries given, nearest first. */
export const nearbyCities = (of: readonly Catalogue[], point: Point, limit: number): Near[] =>
  of
    .flatMap((catalogue) => nearest(catalogue, point, limit).map((found) => describe(catalogue, found)))
    .sort((a, b) => a.distanceKm - b.distanceKm)
    .slice(0, limit)

/** The city whose town is nearest; null where none is near, and where the point lies in another country than it. */
export async function reverse(point: Point): Promise<Near | null> {
  for (const near of nearbyOfEach(point)) if (await isWithin(near.country, point)) return near
  return null
}

const nearbyOfEach = (point: Point): Near[] =>
  catalogues()
    .flatMap((catalogue) => nearbyCities([catalogue], point, 1))
    .filter((near) => near.distanceKm <= FARTHEST_KM)
    .sort((a, b) => a.distanceKm - b.distanceKm)

interface Distant {
  readonly city: City
  readonly distance: number
}

const byLatitude = new WeakMap<Catalogue, readonly City[]>()

/** From the point's own latitude to the north and to the south, until nothing farther can be among the nearest. */
function nearest(catalogue: Catalogue, point: Point, limit: number): Distant[] {
  const cities = byLatitude.get(catalogue) ?? catalogue.cities.toSorted((a, b) => a.latitude - b.latitude)
  byLatitude.set(catalogue, cities)
  const found: Distant[] = []
  let north = firstFrom(cities, point.latitude)
  let south = north - 1
  const gap = (city: City | undefined) => (city ? Math.abs(city.latitude - point.latitude) : Infinity)
  for (;;) {
    const isNorth = gap(cities[north]) <= gap(cities[south])
    const city = isNorth ? cities[north++] : cities[south--]
    const farthest = found.length === limit ? (found.at(-1)?.distance ?? 0) : Infinity
    if (!city || gap(city) * KM_OF_DEGREE > farthest) return found
    const distance = distanceKm(point, city)
    if (distance < farthest) put(found, { city, distance }, limit)
  }
}

function firstFrom(cities: readonly City[], latitude: number): number {
  let [low, high] = [0, cities.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (invariant(cities[middle], 'A city in the middle').latitude < latitude) low = middle + 1
    else high = middle
  }
  return low
}

function put(found: Distant[], one: Distant, limit: number): void {
  const at = found.findIndex(({ distance }) => distance > one.distance)
  found.splice(at < 0 ? found.length : at, 0, one)
  if (found.length > limit) found.pop()
}

function describe(catalogue: Catalogue, { city, distance }: Distant): Near {
  const { stateCode, currentStateCode, latitude, longitude } = city
  return {
    country: catalogue.country,
    stateCode,
    stateName: invariant(placesOf(catalogue).stateOf(stateCode), 'The state of a city').name,
    cityCode: city.code,
    cityName: city.name,
    currentStateCode,
    latitude,
    longitude,
    distanceKm: Math.round(distance * 100) / 100,
  }
}
