import { countries } from 'countries-list'
import { type Sql, transaction } from '../../../data/sql.ts'
import {
  type CountryRow,
  findFingerprint,
  lockLoading,
  saveFingerprint,
  upsertCities,
  upsertCountries,
  upsertStates,
} from '../geo.queries.ts'
import { upsertBorders } from '../shapes/borders.queries.ts'
import type { Catalogue } from './catalogue.ts'

/**
 * Writes countries, and the states and cities of one, at the first start and when the code brings others. True if it wrote.
 *
 * What administrators did stays: a place that they added or changed (`edited`) is not written over. Addresses are resolved by the catalogue
 * of the code and not by these tables, so nothing that is written there can break it; and so that no address leads to a place that is not
 * listed, what the catalogue brought can be changed or hidden (`enabled`), but neither deleted nor given another code.
 */
export async function loadCatalogue(sql: Sql, catalogue: Catalogue): Promise<boolean> {
  const { country, cities } = catalogue
  const states = [...catalogue.states, ...catalogue.newStates]
  const world = countryRows()
  const borders = (await catalogue.borders?.read()) ?? []
  const attribution = catalogue.borders?.attribution ?? ''
  const fingerprint = Bun.hash(JSON.stringify([world, states, cities, borders, attribution])).toString(16)
  if ((await findFingerprint(sql, country)) === fingerprint) return false
  return transaction(sql, async (tx) => {
    await lockLoading(tx)
    if ((await findFingerprint(tx, country)) === fingerprint) return false
    await upsertCountries(tx, world)
    await upsertStates(tx, country, states)
    await upsertCities(tx, country, cities)
    await upsertBorders(tx, country, borders)
    await saveFingerprint(tx, { country, fingerprint, attribution, imported: false })
    return true
  })
}

function countryRows(): CountryRow[] {
  return Object.entries(countries)
    .filter(([, country]) => !('userAssigned' in country && country.userAssigned))
    .map(([code, { name, native, currency, phone, languages }]) => ({
      code,
      name,
      nativeName: native,
      currencies: [...currency],
      callingCodes: phone.map(String),
      languages: [...languages],
    }))
}
