import { feature } from '../../feature.ts'
import { currencies } from './currencies.ts'
import { loadCurrencies } from './load-currencies.ts'

/** What forms let people choose from. */
export default feature('options', {
  async open({ sql }) {
    await loadCurrencies(sql)
    return { services: {} }
  },
  routes: [currencies],
})
