import { feature } from '../../feature.ts'
import { platformFigureRoutes } from './platform-figures.routes.ts'

/** Figures of the whole platform for its administrators. */
export default feature('platform-figures', { routes: [platformFigureRoutes] })
