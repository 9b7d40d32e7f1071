import { feature } from '../../feature.ts'
import { countryRoutes } from './catalogue/countries.ts'
import { loadCatalogue } from './catalogue/load-catalogue.ts'
import { stateRoutes } from './catalogue/states.ts'
import { citySearchRoutes } from './cities.routes.ts'
import { cityRoutes } from './cities.ts'
import { countries as ofCode } from './countries/index.ts'
import { geoRoutes } from './geo.routes.ts'
import { type ImportedCountries, openImportedCountries } from './import/imported-countries.ts'
import { type DefaultCountries, openDefaultCountries } from './resolve/default-countries.ts'

declare module '../../context.ts' {
  interface Services {
    readonly homes: DefaultCountries
    readonly imports: ImportedCountries
  }
}

/** Geo feature: countries, their places, and resolving typed addresses. */
export default feature('geo', {
  async setup({ sql, log, config }) {
    for (const catalogue of ofCode) await loadCatalogue(sql, catalogue)
    const imports = openImportedCountries(sql, log)
    await imports.reload()
    return { services: { homes: openDefaultCountries(config.defaultCountry), imports }, close: () => imports.clear() }
  },
  start: async ({ imports }) => imports.watch(),
  routes: [geoRoutes, countryRoutes, stateRoutes, cityRoutes, citySearchRoutes],
})
