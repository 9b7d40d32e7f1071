import { feature } from '../../feature.ts'
import { McpSessions } from './client/sessions.ts'
import { deleteExpiredSignIns, deleteMcpDataOfUser, deleteServersOfProject } from './mcp.queries.ts'
import { mcpCallbacks, mcpServers } from './mcp.routes.ts'
import { ToolListCache } from './tool-list-cache.ts'

declare module '../../context.ts' {
  interface Services {
    /** Sessions of this process with MCP servers. */
    readonly mcpSessions: McpSessions
    /** Cached lists of their tools. */
    readonly mcpToolLists: ToolListCache
  }
}

declare module '../../data/jobs.ts' {
  interface Jobs {
    'mcp.deleteExpired': Record<string, unknown>
  }
}

/** Tools of external MCP servers in conversations (Model Context Protocol). */
export default feature('mcp', {
  routes: [mcpServers, mcpCallbacks],
  async setup() {
    const mcpSessions = new McpSessions()
    return { services: { mcpSessions, mcpToolLists: new ToolListCache() }, close: () => mcpSessions.close() }
  },
  jobs: {
    'mcp.deleteExpired': {
      schedule: '41 3 * * *',
      async work({ sql }) {
        await deleteExpiredSignIns(sql)
      },
    },
  },
  subscribers: {
    async 'store.deleted'(tx, { store }) {
      await deleteServersOfProject(tx, store.projectId)
    },
    async 'user.deleted'(tx, { userId }) {
      await deleteMcpDataOfUser(tx, userId)
    },
  },
})
