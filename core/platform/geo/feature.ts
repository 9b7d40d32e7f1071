import { feature } from '../../feature.ts'
import { countryRoutes } from './catalogue/countries.ts'
import { loadCatalogue } from './catalogue/load-catalogue.ts'
import { stateRoutes } from './catalogue/states.ts'
import { citySearchRoutes } from './cities.routes.ts'
import { cityRoutes } from './cities.ts'
import { countries as ofCode } from './countries/index.ts'
import { type ImportedCountries, openImportedCountries } from './import/imported-countries.ts'

declare module '../../context.ts' {
  interface Services {
    readonly importedCountries: ImportedCountries
  }
}

/** Geo feature: countries and their places. */
export default feature('geo', {
  async setup({ sql, log }) {
    for (const catalogue of ofCode) await loadCatalogue(sql, catalogue)
    const importedCountries = openImportedCountries(sql, log)
    await importedCountries.reload()
    return { services: { importedCountries }, close: () => importedCountries.clear() }
  },
  start: async ({ importedCountries }) => importedCountries.watch(),
  routes: [countryRoutes, stateRoutes, cityRoutes, citySearchRoutes],
})
