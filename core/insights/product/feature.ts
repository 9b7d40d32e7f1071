import { feature } from '../../feature.ts'
import { productFigureRoutes } from './product-figures.routes.ts'

/** Figures of single products. */
export default feature('product-figures', { routes: [productFigureRoutes] })
