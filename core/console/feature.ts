import { feature } from '../feature.ts'
import { me } from './me/me.routes.ts'
import { consoleSession } from './shell/session.routes.ts'
import { consoleSetup } from './shell/setup.routes.ts'

/** Web console: pages for people, which are a client of the public API. */
export default feature('console', { routes: [me, consoleSession, consoleSetup] })
