import { feature } from '../../feature.ts'
import { agents } from './agents.routes.ts'
import { Door } from './door.ts'

declare module '../../context.ts' {
  interface Services {
    /** Endpoint for MCP clients. */
    readonly mcpDoor: Door
  }
}

/** Tools for other people's assistants, which call them with their own credentials (Model Context Protocol). */
export default feature('agents', {
  routes: [agents],
  async setup() {
    const mcpDoor = new Door()
    return { services: { mcpDoor }, close: () => mcpDoor.close() }
  },
})
