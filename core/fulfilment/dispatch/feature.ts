import { eraseBySearch } from '../../data/personal-data/search-person.ts'
import { feature } from '../../feature.ts'
import { dispatcher } from './dispatch.routes.ts'
import { forgetOld } from './forget.ts'

declare module '../../data/jobs.ts' {
  interface Jobs {
    'dispatch.forget': Record<string, unknown>
  }
}

/** Choice of carriers for orders by the rules of a store. */
export default feature('dispatch', {
  routes: [dispatcher],
  jobs: { 'dispatch.forget': { schedule: '59 3 * * *', work: (context, _, signal) => forgetOld(context, signal) } },
  personalData: [eraseBySearch({ table: 'dispatches', owner: 'order', key: ['id'], columns: { reason: 'text', tried: 'json' } })],
})
