import type { Context } from '../../context.ts'
import { storeIdOf } from '../../data/project-ids.ts'
import { callerOf, pathIdOf } from '../../http/auth/auth-context.ts'
import { personIdOf } from '../../http/auth/principal.ts'
import type { StoreRight } from '../../http/auth/scopes.ts'
import type { OperationAccess } from '../../http/openapi/operation.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { accessStore } from '../../shop/stores/access.ts'
import { findServer, type McpServerRow } from './mcp.queries.ts'

/** Right to use an MCP server in its store. */
const USES: StoreRight = ['viewer', 'stores:read']
/** Right to change an MCP server that the whole store shares. */
const CHANGES: StoreRight = ['admin', 'stores:write']

/**
 * Elysia macro that resolves the `id` of the path to `mcpServer`: the caller's own, or a shared one that they may use or change. Throws
 * `not_found` for one of another user.
 */
export const mcpServerAccess =
  ({ sql }: Pick<Context, 'sql'>) =>
  (purpose: 'use' | 'change') => ({
    user: true as const,
    resolve: async (asked: object): Promise<{ mcpServer: McpServerRow }> => {
      const caller = callerOf(asked)
      const mcpServer = await findServer(sql, pathIdOf(asked))
      if (!mcpServer || (mcpServer.userId !== null && mcpServer.userId !== personIdOf(caller))) throw notFound('The MCP server')
      await accessStore({ sql }, caller, storeIdOf(mcpServer.projectId), purpose === 'change' && mcpServer.userId === null ? CHANGES : USES)
      return { mcpServer }
    },
    detail: { 'x-role': 'viewer', 'x-permission': 'stores:read' } as OperationAccess,
  })
