import { countries as named } from 'countries-list'
import { countries } from '../countries/index.ts'
import { fold, tighten } from '../names/fold.ts'
import type { Catalogue } from './catalogue.ts'

/** The countries whose places are known here. A process serves one database: what was imported there is kept beside what comes with the code. */
const brought = new Map(countries.map((catalogue) => [catalogue.country, catalogue]))
const imported = new Map<string, Catalogue>()
export const comesWithCode = (country: string): boolean => brought.has(country.toUpperCase())

/** The catalogue of a country; undefined where its places are not known. */
export const findCatalogue = (country: string): Catalogue | undefined => {
  const code = country.toUpperCase()
  return brought.get(code) ?? imported.get(code)
}

export const catalogues = (): readonly Catalogue[] => [...brought.values(), ...imported.values()]

/** Takes the place of what was known of the country; with null the country is not known any more. */
export function keepImported(country: string, catalogue: Catalogue | null): void {
  if (catalogue) imported.set(country, catalogue)
  else imported.delete(country)
  names = namesOf()
}

/** The country that somebody wrote: by its code, a name of it, or its calling code. */
export const countryCalled = (written: string): Catalogue | undefined => {
  const code = names.get(tighten(fold(written)))
  return code === undefined ? undefined : findCatalogue(code)
}

const LANGUAGES = ['en', 'fr', 'ar']
/** What people call the countries that are known, as it is compared. */
let names = namesOf()

function namesOf(): ReadonlyMap<string, string> {
  return new Map(
    catalogues().flatMap(({ country, otherNames }) =>
      [country, ...spoken(country), ...listed(country), ...otherNames].map((name) => [tighten(fold(name)), country] as const),
    ),
  )
}

function spoken(country: string): string[] {
  return LANGUAGES.map((language) => new Intl.DisplayNames([language], { type: 'region' }).of(country) ?? country)
}

function listed(country: string): string[] {
  const known = Object.hasOwn(named, country) ? named[country as keyof typeof named] : undefined
  return known ? [known.name, known.native, ...known.phone.map(String)] : []
}

/** Where a carrier's places lie: the first of its countries of which ours are known. */
export const firstKnown = (countries: readonly string[]): Catalogue | undefined =>
  countries.map(findCatalogue).find((catalogue) => catalogue !== undefined)
