import type { Center } from '../../plugins/carrier/model.ts'
import { algeria } from '../geo/catalogue.ts'
import { distanceKm } from '../geo/earth.ts'

const cities = new Map(algeria.cities.map((city) => [city.code, city]))

/** Kilometres from a city of the catalogue to a carrier's centre, to one decimal; null where one of them has no known place. */
export function distanceToCity(cityCode: string | null, { latitude, longitude }: Center): number | null {
  const city = cityCode === null ? undefined : cities.get(cityCode)
  if (!city || latitude === undefined || longitude === undefined) return null
  return Math.round(distanceKm(city, { latitude, longitude }) * 10) / 10
}
