import { feature } from '../../feature.ts'
import { agents } from './agents.routes.ts'
import { McpEndpoint } from './mcp-endpoint.ts'

declare module '../../context.ts' {
  interface Services {
    /** Endpoint for MCP clients. */
    readonly mcpEndpoint: McpEndpoint
  }
}

/** Tools for other people's assistants, which call them with their own credentials (Model Context Protocol). */
export default feature('agents', {
  routes: [agents],
  async setup() {
    const mcpDoor = new McpEndpoint()
    return { services: { mcpEndpoint: mcpDoor }, close: () => mcpDoor.close() }
  },
})
