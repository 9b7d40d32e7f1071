import { notFound } from '../../../lib/errors/domain-error.ts'
import type { CatalogState } from '../geo.model.ts'
import { findState, indexedCatalogueOf } from '../resolve/places.ts'
import type { Catalogue } from './catalogue.ts'
import { findCatalogue } from './catalogues.ts'

/** Returns the catalogue of a country. Throws `not_found` if its places are unknown. */
export function requireCatalogue(country: string): Catalogue {
  const catalogue = findCatalogue(country)
  if (!catalogue) throw notFound(`A catalogue of ${country.toUpperCase()}`)
  return catalogue
}

/** Lists states with their cities. A state that carriers do not know lists the cities it has taken over. Throws `not_found`. */
export function listCatalog(country: string, stateCode?: string): { country: string; states: CatalogState[] } {
  const catalogue = requireCatalogue(country)
  const wanted = stateCode === undefined ? undefined : findState(indexedCatalogueOf(catalogue), stateCode)
  if (stateCode !== undefined && !wanted) throw notFound(`The state ${stateCode}`)
  const [byState, byCurrent] = [
    Map.groupBy(catalogue.cities, (city) => city.stateCode),
    Map.groupBy(catalogue.cities, (city) => city.currentStateCode),
  ]
  return {
    country: catalogue.country,
    states: (wanted ? [wanted] : catalogue.states).map(({ code, name, nameAr, carrierCode }) => ({
      code,
      name,
      nameAr,
      cities: ((code === carrierCode ? byState : byCurrent).get(code) ?? []).map(
        ({ stateCode: _state, postalCodes: _posts, otherNames: _names, ...city }) => city,
      ),
    })),
  }
}
