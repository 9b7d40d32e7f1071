import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { serverAddress } from '../../http/address/server-address.ts'
import { createOnce } from '../../http/idempotency.ts'
import { readKeysetPage } from '../../http/resource/page.ts'
import { tagOperations } from '../../http/route.ts'
import { Data, Id, List, pageQuery } from '../../http/schema.ts'
import { mcpServerAccess } from './authority.ts'
import { callbackPage } from './client/callback-page.ts'
import { clientMetadata, metadataUrl } from './client/oauth-provider.ts'
import { completeSignIn, findSignInByState, startSignIn } from './client/sign-in.ts'
import {
  ClientMetadata,
  McpProbe,
  McpServer,
  McpServerChange,
  McpTool,
  NewMcpServer,
  SignInCompletion,
  SignInStart,
  SignInStarted,
} from './mcp.model.ts'
import { addServer, changeServer, probeServer, readServer, readServers, removeServer } from './servers.ts'
import { listNamedTools } from './tools.ts'

const describe = tagOperations('Chat')
const ById = T.Object({ id: Id })
const Written = T.String({ maxLength: 4000 })

/** Routes for MCP servers of a user and those that the store shares. */
export function mcpServers(context: Context) {
  const clearCaches = (id: string) => {
    context.mcpSessions.closeServer(id)
    context.mcpToolLists.evict(id)
  }
  return new Elysia({ name: 'mcp servers', prefix: '/v1/chat/mcp-servers' })
    .use(context.authority)
    .macro('mcpServer', mcpServerAccess(context))
    .get(
      '',
      ({ store, person, query }) => readKeysetPage(query, (after, take) => readServers(context, store.projectId, person.id, after, take)),
      {
        member: ['viewer', 'stores:read'],
        query: T.Object({ storeId: Id, ...pageQuery }),
        response: List(McpServer),
        detail: describe('List your own MCP servers and the shared ones of the store, oldest first', 'listMcpServers'),
      },
    )
    .post(
      '',
      (creation) =>
        createOnce(context, creation, async (tx) => ({
          data: await addServer(context, tx, creation.caller, creation.person.id, creation.body),
        })),
      {
        member: ['viewer', 'stores:read'],
        body: NewMcpServer,
        response: { 201: Data(McpServer) },
        detail: describe('Add an MCP server of your own, or as an admin a shared one', 'addMcpServer'),
      },
    )
    .patch(
      '/:id',
      async ({ mcpServer: server, person, body }) => {
        const data = await changeServer(context, person.id, server, body)
        clearCaches(server.id)
        return { data }
      },
      {
        mcpServer: 'change',
        params: ById,
        body: McpServerChange,
        response: Data(McpServer),
        detail: describe('Change an MCP server; a shared one requires an admin', 'changeMcpServer'),
      },
    )
    .delete(
      '/:id',
      async ({ mcpServer: server, set }) => {
        await removeServer(context, server)
        clearCaches(server.id)
        set.status = 204
      },
      {
        mcpServer: 'change',
        params: ById,
        response: { 204: T.Void() },
        detail: describe('Delete an MCP server with all sign-ins there', 'removeMcpServer'),
      },
    )
    .post('/:id/test', async ({ mcpServer: server, person }) => ({ data: await probeServer(context, server, person.id) }), {
      mcpServer: 'use',
      params: ById,
      response: Data(McpProbe),
      detail: describe('Test the connection to an MCP server', 'testMcpServer'),
    })
    .get('/:id/tools', async ({ mcpServer: server, person }) => ({ data: [...(await listNamedTools(context, server, person.id))] }), {
      mcpServer: 'use',
      params: ById,
      response: Data(T.Array(McpTool)),
      detail: describe('List the tools of an MCP server, read now, with their names for the assistant', 'listMcpTools'),
    })
    .post(
      '/:id/oauth/start',
      async ({ mcpServer: server, person, body }) => ({
        data: await startSignIn(context, server, person.id, serverAddress(context), body?.returnTo ?? null),
      }),
      {
        mcpServer: 'use',
        params: ById,
        body: T.Union([SignInStart, T.Null()]),
        response: Data(SignInStarted),
        detail: describe('Start a sign-in at an MCP server; returns the URL for the browser', 'beginMcpSignIn'),
      },
    )
    .post(
      '/:id/oauth/complete',
      async ({ mcpServer: server, person, body }) => {
        await completeSignIn(context, server, person.id, body)
        return { data: await readServer(context, server, person.id) }
      },
      {
        mcpServer: 'use',
        params: ById,
        body: SignInCompletion,
        response: Data(McpServer),
        detail: describe('Complete a sign-in that you started, with the values that the browser returned with', 'endMcpSignIn'),
      },
    )
}

/** Public routes for authorization servers: the redirect URI and the client id metadata document. */
export const mcpCallbacks = (context: Context) =>
  new Elysia({ name: 'mcp returns', prefix: '/v1/chat/mcp-servers/oauth' })
    .use(context.auth)
    .get(
      '/meta-callback',
      async ({ query: { state, code, iss, error }, request }) => {
        const signIn = state ? await findSignInByState(context, state) : undefined
        return callbackPage(signIn, { state, code, iss, error }, request.headers.get('accept-language'))
      },
      {
        open: true,
        query: T.Object(
          {
            state: T.Optional(T.String({ maxLength: 200 })),
            code: T.Optional(Written),
            iss: T.Optional(Written),
            error: T.Optional(Written),
          },
          { additionalProperties: true },
        ),
        detail: {
          ...describe(
            'Receive the browser from an authorization server; redirects to the page named at the start, or shows the values',
            'returnFromMcpSignIn',
          ),
          responses: {
            200: { description: 'Values to copy.', content: { 'text/html': { schema: { type: 'string' as const } } } },
            303: { description: 'Redirect to the page named at the start, with the values in the fragment.' },
          },
        },
      },
    )
    .get(
      '/client-metadata',
      () => {
        const origin = serverAddress(context)
        return { client_id: metadataUrl(origin), ...clientMetadata(origin) }
      },
      {
        open: true,
        response: ClientMetadata,
        detail: describe('Read the client id metadata document for authorization servers; they require https', 'mcpClientMetadata'),
      },
    )
