import type { Catalogue, City } from '../catalogue/catalogue.ts'
import { findCatalogue } from '../catalogue/catalogues.ts'
import { indexedCatalogueOf } from '../resolve/places.ts'
import { distanceKm, type Point } from './earth.ts'

const cache = new WeakMap<Catalogue, ReadonlyMap<string, Point>>()

function centresOf(catalogue: Catalogue): ReadonlyMap<string, Point> {
  const known = cache.get(catalogue)
  const found =
    known ?? new Map([...Map.groupBy(catalogue.cities, ({ stateCode }) => stateCode)].map(([state, of]) => [state, centreOf(of)]))
  if (!known) cache.set(catalogue, found)
  return found
}

function centreOf(of: readonly City[]): Point {
  const mean = (pick: (city: City) => number) => of.reduce((sum, city) => sum + pick(city), 0) / of.length
  return { latitude: mean(({ latitude }) => latitude), longitude: mean(({ longitude }) => longitude) }
}

interface Placed {
  readonly country: string
  readonly stateCode: string
  readonly cityCode: string | null
}

/** Returns the position of a place: that of its city, or the middle of its state's cities. Undefined if both are unknown. */
export function findPoint({ country, stateCode, cityCode }: Placed): Point | undefined {
  const catalogue = findCatalogue(country)
  if (!catalogue) return undefined
  const city = cityCode === null ? undefined : indexedCatalogueOf(catalogue).cityOf(cityCode)
  return city ?? centresOf(catalogue).get(stateCode)
}

/** Returns the great-circle distance in kilometres, to one decimal. 0 if a place is unknown. */
export const kilometresBetween = (from: Point | undefined, to: Point | undefined): number =>
  from && to ? Math.round(distanceKm(from, to) * 10) / 10 : 0
