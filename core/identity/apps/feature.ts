import { feature } from '../../feature.ts'
import { apps } from './apps.routes.ts'

export default feature('apps', { routes: [apps] })
