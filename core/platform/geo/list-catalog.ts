import { notFound } from '../../http/errors.ts'
import { algeria, type Catalogue } from './catalogue.ts'
import type { CatalogState } from './geo.model.ts'

const catalogues: ReadonlyMap<string, Catalogue> = new Map([[algeria.country, algeria]])

export const findCatalogue = (country: string): Catalogue | undefined => catalogues.get(country.toUpperCase())

/** States with their cities. A state of the 2026 scheme lists the cities that it has taken over. */
export function listCatalog(country: string, stateCode?: string): { country: string; states: CatalogState[] } {
  const catalogue = findCatalogue(country)
  if (!catalogue) throw notFound(`A catalogue of ${country.toUpperCase()}`)
  const wanted = stateCode?.padStart(2, '0')
  const states =
    wanted === undefined ? catalogue.states : [...catalogue.states, ...catalogue.newStates].filter(({ code }) => code === wanted)
  if (states.length === 0) throw notFound(`The state ${wanted}`)
  return {
    country: catalogue.country,
    states: states.map(({ code, name, nameAr, carrierCode }) => ({
      code,
      name,
      nameAr,
      cities: catalogue.cities
        .filter((city) => (code === carrierCode ? city.stateCode === code : city.currentStateCode === code))
        .map(({ stateCode: _state, postalCodes: _posts, otherNames: _names, ...city }) => city),
    })),
  }
}
