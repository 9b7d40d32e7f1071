import type { Context } from '../../context.ts'
import { callerOf, idOf } from '../../http/auth/auth.ts'
import { personIdOf } from '../../http/auth/principal.ts'
import type { Right } from '../../http/auth/scopes.ts'
import { notFound } from '../../http/errors/errors.ts'
import type { Authority } from '../../http/openapi/openapi.ts'
import { accessStore } from '../../shop/stores/access.ts'
import { findServer, type McpServerRow } from './mcp.queries.ts'

/** What one has to be in its store: to use a server that one sees, and to change one that is the whole store's. */
const USES: Right = ['viewer', 'stores:read']
const CHANGES: Right = ['admin', 'stores:write']

/**
 * A macro for a server of tools that the path names by its own `id`: gives the row as `mcpServer`, for its own person, or, of the whole store's,
 * for whoever may. Another person's is 404, to everybody.
 */
export const ofPerson =
  ({ sql }: Pick<Context, 'sql'>) =>
  (what: 'use' | 'change') => ({
    user: true as const,
    resolve: async (asked: object): Promise<{ mcpServer: McpServerRow }> => {
      const caller = callerOf(asked)
      const mcpServer = await findServer(sql, idOf(asked))
      if (!mcpServer || (mcpServer.userId !== null && mcpServer.userId !== personIdOf(caller))) throw notFound('The MCP server')
      await accessStore({ sql }, caller, mcpServer.storeId, what === 'change' && mcpServer.userId === null ? CHANGES : USES)
      return { mcpServer }
    },
    detail: { 'x-role': 'viewer', 'x-permission': 'stores:read' } as Authority,
  })
