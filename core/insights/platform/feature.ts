import { feature } from '../../feature.ts'
import { platformFigures } from './platform-figures.routes.ts'

export default feature('platform-figures', { routes: [platformFigures] })
