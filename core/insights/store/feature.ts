import { feature } from '../../feature.ts'
import { storeFigureRoutes } from './store-figures.routes.ts'

/** Figures of stores. */
export default feature('store-figures', { routes: [storeFigureRoutes] })
