import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { serverAddressFor } from '../../http/address/server-address.ts'
import { RESOURCE_METADATA } from '../../http/auth/caller-rules.ts'
import { readJson } from '../../http/body/body.ts'
import { tagOperations } from '../../http/route.ts'
import { agentTools } from './agent-tools.ts'
import { jsonRpcDetail, ProtectedResource } from './agents.model.ts'
import { calledTool } from './called-tool.ts'
import { llmsText } from './llms.ts'
import { scopeOfTool } from './mcp-server.ts'

const describe = tagOperations('Assistants of others')
const text = { responses: { 200: { description: 'Success.', content: { 'text/plain': { schema: { type: 'string' as const } } } } } }
/** Scopes that at least one tool needs. */
const supportedScopes = [...new Set(Object.values(agentTools).map(({ scope }) => scope))]

const metadataOf = (origin: string) => ({
  resource: `${origin}/mcp`,
  authorization_servers: [origin],
  scopes_supported: [...supportedScopes],
  bearer_methods_supported: ['header'],
  resource_name: 'Serai',
  resource_documentation: `${origin}/llms.txt`,
})

/** Routes for other people's assistants: the MCP endpoint, its OAuth metadata, and `llms.txt`. */
export function agents(context: Context) {
  const app = new Elysia({ name: 'agents' })
    .use(context.auth)
    .post(
      '/mcp',
      async ({ caller, project, may, assertMay, request }) => {
        const body = await readJson(request)
        // Refused before the protocol starts, with the challenge by which clients request more scopes (RFC 6750).
        const scope = scopeOfTool(calledTool(body))
        if (scope) assertMay(scope)
        return context.mcpEndpoint.handle(context, { caller, project, may }, request, body)
      },
      { projectCredential: true, detail: { ...describe('Call the tools of this server (MCP)', 'mcp'), ...jsonRpcDetail } },
    )
    .get('/mcp', ({ caller, project, may, request }) => context.mcpEndpoint.handle(context, { caller, project, may }, request, undefined), {
      projectCredential: true,
      detail: { hide: true },
    })
    .delete(
      '/mcp',
      ({ caller, project, may, request }) => context.mcpEndpoint.handle(context, { caller, project, may }, request, undefined),
      {
        projectCredential: true,
        detail: { hide: true },
      },
    )
    .get('/llms.txt', ({ request }) => new Response(llmsText(context, serverAddressFor(context, request)), { headers: PLAIN }), {
      open: true,
      detail: { ...describe('Read the overview for language models (llms.txt)', 'llms'), ...text },
    })
  for (const [path, operationId] of [
    [RESOURCE_METADATA, 'mcpResource'],
    ['/.well-known/oauth-protected-resource', 'protectedResource'],
  ] as const)
    app.get(path, ({ request }) => metadataOf(serverAddressFor(context, request)), {
      open: true,
      response: ProtectedResource,
      detail: describe('Read which server issues credentials for /mcp (RFC 9728)', operationId),
    })
  return app
}

const PLAIN = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=300' }
