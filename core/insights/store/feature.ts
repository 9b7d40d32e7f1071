import { feature } from '../../feature.ts'
import { storeFigures } from './store-figures.routes.ts'

export default feature('store-figures', { routes: [storeFigures] })
