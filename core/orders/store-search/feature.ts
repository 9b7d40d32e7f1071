import { feature } from '../../feature.ts'
import { storeSearchRoutes } from './store-search.routes.ts'

/** Search over everything that a store has. */
export default feature('store-search', { routes: [storeSearchRoutes] })
