import { feature } from '../../feature.ts'
import { currencyRoutes } from './currencies.ts'
import { loadCurrencies } from './load-currencies.ts'
import { optionRoutes } from './options.routes.ts'
import { type OptionCache, openOptionCache } from './options.ts'

declare module '../../context.ts' {
  interface Services {
    readonly optionCache: OptionCache
  }
}

/** Choices for forms, and settings of the operators. */
export default feature('options', {
  async setup({ sql, shared }) {
    await loadCurrencies(sql)
    const { options, close } = await openOptionCache(sql, shared)
    return { services: { optionCache: options }, close }
  },
  routes: [currencyRoutes, optionRoutes],
})
