import { feature } from '../../feature.ts'
import { bridge } from './sending.routes.ts'

export default feature('sending', { routes: [bridge] })
