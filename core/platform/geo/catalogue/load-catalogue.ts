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
 * Writes all countries, and the states and cities of one country, at the first start and when the catalogue has changed. Returns true if it
 * wrote.
 *
 * Keeps the changes of administrators: places with `edited` are not overwritten. Addresses are resolved by the catalogue and not by these
 * tables, so their content cannot break it. Places of the catalogue can be changed or hidden (`enabled`). They cannot be deleted or get
 * another code, so that each resolved address leads to a listed place.
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
