import { algeria, type City } from './catalogue.ts'
import { distanceKm, type Point } from './earth.ts'

const cities = new Map(algeria.cities.map((city) => [city.code, city]))
const middles = new Map([...Map.groupBy(algeria.cities, ({ stateCode }) => stateCode)].map(([state, of]) => [state, middleOf(of)]))

function middleOf(of: readonly City[]): Point {
  const mean = (pick: (city: City) => number) => of.reduce((sum, city) => sum + pick(city), 0) / of.length
  return { latitude: mean(({ latitude }) => latitude), longitude: mean(({ longitude }) => longitude) }
}

/** Where a place of the catalogue is: its commune, or the middle of its state's communes. Undefined where neither is known. */
export const pointOf = ({ stateCode, cityCode }: { stateCode: string; cityCode: string | null }): Point | undefined =>
  (cityCode === null ? undefined : cities.get(cityCode)) ?? middles.get(stateCode)

/** Kilometres as the crow flies, to one decimal; 0 where one of the places is unknown. */
export const kilometresBetween = (from: Point | undefined, to: Point | undefined): number =>
  from && to ? Math.round(distanceKm(from, to) * 10) / 10 : 0
