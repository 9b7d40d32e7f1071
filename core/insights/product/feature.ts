import { feature } from '../../feature.ts'
import { productFigures } from './product-figures.routes.ts'

export default feature('product-figures', { routes: [productFigures] })
