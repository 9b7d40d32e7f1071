import { countries as named } from 'countries-list'
import { countries } from '../countries/index.ts'
import { fold, removeSpaces } from '../names/fold.ts'
import type { Catalogue } from './catalogue.ts'

/** Catalogues of the countries that come with the code. */
const bundled = new Map(countries.map((catalogue) => [catalogue.country, catalogue]))
/** Catalogues of imported countries. The process serves one database, so they are kept in memory. */
const imported = new Map<string, Catalogue>()
/** Returns true if the country's places come with the code. */
export const isBundled = (country: string): boolean => bundled.has(country.toUpperCase())

/** Returns the catalogue of a country; undefined if its places are unknown. */
export const findCatalogue = (country: string): Catalogue | undefined => {
  const code = country.toUpperCase()
  return bundled.get(code) ?? imported.get(code)
}

/** Lists the catalogues of all known countries. */
export const listCatalogues = (): readonly Catalogue[] => [...bundled.values(), ...imported.values()]

/** Sets the catalogue of an imported country, or removes it if it is null. */
export function setImported(country: string, catalogue: Catalogue | null): void {
  if (catalogue) imported.set(country, catalogue)
  else imported.delete(country)
  names = namesOf()
}

/** Finds the catalogue of a country by its code, one of its names, or its calling code. Ignores case and accents. */
export const findCountryByName = (written: string): Catalogue | undefined => {
  const code = names.get(removeSpaces(fold(written)))
  return code === undefined ? undefined : findCatalogue(code)
}

const LANGUAGES = ['en', 'fr', 'ar']
/** Folded names of the known countries, with their codes. */
let names = namesOf()

function namesOf(): ReadonlyMap<string, string> {
  return new Map(
    listCatalogues().flatMap(({ country, otherNames }) =>
      [country, ...regionNames(country), ...listedNames(country), ...otherNames].map(
        (name) => [removeSpaces(fold(name)), country] as const,
      ),
    ),
  )
}

function regionNames(country: string): string[] {
  return LANGUAGES.map((language) => new Intl.DisplayNames([language], { type: 'region' }).of(country) ?? country)
}

function listedNames(country: string): string[] {
  const known = Object.hasOwn(named, country) ? named[country as keyof typeof named] : undefined
  return known ? [known.name, known.native, ...known.phone.map(String)] : []
}

/** Returns the first of a carrier's countries whose places are known. */
export const findFirstCatalogue = (countries: readonly string[]): Catalogue | undefined =>
  countries.map(findCatalogue).find((catalogue) => catalogue !== undefined)
