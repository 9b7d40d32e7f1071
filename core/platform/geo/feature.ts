import { feature } from '../../feature.ts'
import { countries } from './catalogue/countries.ts'
import { loadCatalogue } from './catalogue/load-catalogue.ts'
import { states } from './catalogue/states.ts'
import { cities } from './cities.routes.ts'
import { cityResource } from './cities.ts'
import { countries as ofCode } from './countries/index.ts'
import { geo } from './geo.routes.ts'
import { type Imports, openImports } from './import/keep-up.ts'
import { type Homes, openHomes } from './resolve/home.ts'

declare module '../../context.ts' {
  interface Services {
    readonly homes: Homes
    readonly imports: Imports
  }
}

/** Geo feature: countries, their places, and resolving typed addresses. */
export default feature('geo', {
  async setup({ sql, log, config }) {
    for (const catalogue of ofCode) await loadCatalogue(sql, catalogue)
    const imports = openImports(sql, log)
    await imports.look()
    return { services: { homes: openHomes(config.defaultCountry), imports }, close: () => imports.forget() }
  },
  start: async ({ imports }) => imports.watch(),
  routes: [geo, countries, states, cityResource, cities],
})
