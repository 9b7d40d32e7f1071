import { fold, removeSpaces } from '../names/fold.ts'
import type { Catalogue } from './catalogue.ts'
import { findCatalogue } from './catalogues.ts'

const cache = new WeakMap<Catalogue, ReadonlyMap<string, readonly string[]>>()

/** Finds the codes of the cities with a name, ignoring accents, case and spaces; several cities may share it. */
export function findCityCodes(country: string, written: string): readonly string[] {
  const catalogue = findCatalogue(country)
  if (!catalogue) return []
  const codes = cache.get(catalogue) ?? indexNames(catalogue)
  cache.set(catalogue, codes)
  return codes.get(keyOf(written)) ?? []
}

function indexNames({ cities }: Catalogue): ReadonlyMap<string, readonly string[]> {
  const named = cities.flatMap((city) =>
    [city.name, city.nameAr, ...city.otherNames].map((name) => ({ key: keyOf(name), code: city.code })),
  )
  const byName = Map.groupBy(
    named.filter(({ key }) => key !== ''),
    ({ key }) => key,
  )
  return new Map([...byName].map(([key, found]) => [key, [...new Set(found.map(({ code }) => code))]]))
}

const keyOf = (name: string) => removeSpaces(fold(name))
