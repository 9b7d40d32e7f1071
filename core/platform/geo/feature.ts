import { feature } from '../../feature.ts'
import { cities } from './cities.routes.ts'
import { cityResource } from './cities.ts'
import { countries } from './countries.ts'
import { geo } from './geo.routes.ts'
import { loadCatalogue } from './load-catalogue.ts'
import { states } from './states.ts'

export default feature('geo', {
  async open({ sql }) {
    await loadCatalogue(sql)
    return { services: {} }
  },
  routes: [geo, countries, states, cityResource, cities],
})
