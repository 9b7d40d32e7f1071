import { feature } from '../../feature.ts'
import { storeFigures } from './store-figures.routes.ts'

/** Figures of stores. */
export default feature('store-figures', { routes: [storeFigures] })
