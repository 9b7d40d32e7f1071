import { feature } from '../../feature.ts'
import { agents } from './agents.routes.ts'
import { Door } from './door.ts'

declare module '../../context.ts' {
  interface Services {
    /** Where assistants of others come in. */
    readonly mcpDoor: Door
  }
}

/** What assistants of others may do here, with their own credentials (Model Context Protocol). */
export default feature('agents', {
  routes: [agents],
  async setup() {
    const mcpDoor = new Door()
    return { services: { mcpDoor }, close: () => mcpDoor.close() }
  },
})
