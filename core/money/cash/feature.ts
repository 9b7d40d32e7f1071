import { feature } from '../../feature.ts'
import { cashRoutes } from './cash.routes.ts'

/** Declares what people see of a store's cash over all its carriers and gateways. */
export default feature('cash', { routes: [cashRoutes] })
