import { feature } from '../../feature.ts'
import { authority } from './authority.ts'
import { stores } from './stores.routes.ts'

declare module '../../context.ts' {
  interface Services {
    /** The macros of `auth`, and those that find the store a route is about: `.use(context.authority)`. */
    readonly authority: ReturnType<typeof authority>
  }
}

export default feature('stores', {
  open: async (before) => ({ services: { authority: authority(before) } }),
  routes: [stores],
})
