import { feature } from '../../feature.ts'
import { projects } from './projects.routes.ts'

export default feature('projects', { routes: [projects] })
