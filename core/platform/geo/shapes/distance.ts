import { findCatalogue } from '../catalogue/atlas.ts'
import type { Catalogue, City } from '../catalogue/catalogue.ts'
import { placesOf } from '../resolve/places.ts'
import { distanceKm, type Point } from './earth.ts'

const middles = new WeakMap<Catalogue, ReadonlyMap<string, Point>>()

function middlesOf(catalogue: Catalogue): ReadonlyMap<string, Point> {
  const known = middles.get(catalogue)
  const found =
    known ?? new Map([...Map.groupBy(catalogue.cities, ({ stateCode }) => stateCode)].map(([state, of]) => [state, middleOf(of)]))
  if (!known) middles.set(catalogue, found)
  return found
}

function middleOf(of: readonly City[]): Point {
  const mean = (pick: (city: City) => number) => of.reduce((sum, city) => sum + pick(city), 0) / of.length
  return { latitude: mean(({ latitude }) => latitude), longitude: mean(({ longitude }) => longitude) }
}

interface Placed {
  readonly country: string
  readonly stateCode: string
  readonly cityCode: string | null
}

/** Where a place of a catalogue is: its city, or the middle of its state's cities. Undefined where neither is known. */
export function pointOf({ country, stateCode, cityCode }: Placed): Point | undefined {
  const catalogue = findCatalogue(country)
  if (!catalogue) return undefined
  const city = cityCode === null ? undefined : placesOf(catalogue).cityOf(cityCode)
  return city ?? middlesOf(catalogue).get(stateCode)
}

/** Kilometres as the crow flies, to one decimal; 0 where one of the places is unknown. */
export const kilometresBetween = (from: Point | undefined, to: Point | undefined): number =>
  from && to ? Math.round(distanceKm(from, to) * 10) / 10 : 0
