import { feature } from '../../feature.ts'
import { cities } from './cities.routes.ts'
import { cityResource } from './cities.ts'
import { countries as ofCode } from './countries/index.ts'
import { countries } from './countries.ts'
import { geo } from './geo.routes.ts'
import { type Homes, openHomes } from './home.ts'
import { type Imports, openImports } from './import/keep-up.ts'
import { loadCatalogue } from './load-catalogue.ts'
import { states } from './states.ts'

declare module '../../context.ts' {
  interface Services {
    readonly homes: Homes
    readonly imports: Imports
  }
}

export default feature('geo', {
  async open({ sql, log, config }) {
    for (const catalogue of ofCode) await loadCatalogue(sql, catalogue)
    const imports = openImports(sql, log)
    await imports.look()
    return { services: { homes: openHomes(config.defaultCountry), imports }, close: () => imports.forget() }
  },
  begin: async ({ imports }) => imports.watch(),
  routes: [geo, countries, states, cityResource, cities],
})
