import { feature } from '../../feature.ts'
import { forgetDispatches } from './dispatch.queries.ts'
import { dispatcher } from './dispatch.routes.ts'

declare module '../../data/jobs.ts' {
  interface Jobs {
    'dispatch.forget': Record<string, unknown>
  }
}

export default feature('dispatch', {
  routes: [dispatcher],
  jobs: {
    'dispatch.forget': {
      at: '59 3 * * *',
      async work({ sql }) {
        await forgetDispatches(sql)
      },
    },
  },
})
