import { feature } from '../../feature.ts'
import { currencies } from './currencies.ts'
import { loadCurrencies } from './load-currencies.ts'
import { options } from './options.routes.ts'
import { type Options, openOptions } from './options.ts'

declare module '../../context.ts' {
  interface Services {
    readonly options: Options
  }
}

/** Choices for forms, and settings of the operators. */
export default feature('options', {
  async setup({ sql, shared }) {
    await loadCurrencies(sql)
    const { options, close } = await openOptions(sql, shared)
    return { services: { options }, close }
  },
  routes: [currencies, options],
})
