import { feature } from '../../feature.ts'
import { attentionRoutes } from './attention.routes.ts'

/** Everything that waits for a person in a store. Features declare what they have of it as `attention`; this feature counts it. */
export default feature('attention', { routes: [attentionRoutes] })
