import { feature } from '../../feature.ts'
import { type DefaultCountries, openDefaultCountries } from './default-countries.ts'
import { geoRoutes } from './geo.routes.ts'

declare module '../../context.ts' {
  interface Services {
    readonly defaultCountries: DefaultCountries
  }
}

/** Resolves addresses for projects, in the country of their store. */
export default feature('project-geo', {
  setup: async (before) => ({ services: { defaultCountries: openDefaultCountries(before) } }),
  routes: [geoRoutes],
})
