import { feature } from '../../feature.ts'
import { Sessions } from './client/sessions.ts'
import { Lists } from './lists.ts'
import { deleteOfPerson, deleteServersOf, forgetSignIns } from './mcp.queries.ts'
import { mcpReturns, mcpServers } from './mcp.routes.ts'

declare module '../../context.ts' {
  interface Services {
    /** Sessions of this process with MCP servers. */
    readonly mcpSessions: Sessions
    /** Cached lists of their tools. */
    readonly mcpLists: Lists
  }
}

declare module '../../data/jobs.ts' {
  interface Jobs {
    'mcp.forget': Record<string, unknown>
  }
}

/** Tools of external MCP servers in conversations (Model Context Protocol). */
export default feature('mcp', {
  routes: [mcpServers, mcpReturns],
  async setup() {
    const mcpSessions = new Sessions()
    return { services: { mcpSessions, mcpLists: new Lists() }, close: () => mcpSessions.close() }
  },
  jobs: {
    'mcp.forget': {
      at: '41 3 * * *',
      async work({ sql }) {
        await forgetSignIns(sql)
      },
    },
  },
  subscribers: {
    async 'store.leaving'(tx, { store }) {
      await deleteServersOf(tx, store.id)
    },
    async 'person.leaving'(tx, { userId }) {
      await deleteOfPerson(tx, userId)
    },
  },
})
