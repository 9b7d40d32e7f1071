import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { ownAddress } from '../../http/address/own-address.ts'
import { createOnce } from '../../http/idempotency.ts'
import { page } from '../../http/resource/page.ts'
import { Data, Id, List, pageQuery } from '../../http/schema.ts'
import { ofPerson } from './authority.ts'
import { clientMetadata, metadataAddress } from './client/oauth-client.ts'
import { returnPage } from './client/return-page.ts'
import { beginSignIn, endSignIn, signInOf } from './client/sign-in.ts'
import {
  ClientMetadata,
  McpProbe,
  McpServer,
  McpServerChange,
  McpTool,
  NewMcpServer,
  SignInBegun,
  SignInEnd,
  SignInStart,
} from './mcp.model.ts'
import { addServer, changeServer, probe, readServer, readServers, removeServer } from './servers.ts'
import { namedTools } from './tools.ts'

const describe = (summary: string, operationId: string) => ({ tags: ['Chat'], summary, operationId })
const ById = T.Object({ id: Id })
const Written = T.String({ maxLength: 4000 })

/** Servers of tools (MCP) for conversations: a person's own, and those of the whole store. */
export function mcpServers(context: Context) {
  const forget = (id: string) => {
    context.mcpSessions.forget(id)
    context.mcpLists.forget(id)
  }
  return new Elysia({ name: 'mcp servers', prefix: '/v1/chat/mcp-servers' })
    .use(context.authority)
    .macro('mcpServer', ofPerson(context))
    .get('', ({ store, person, query }) => page(query, (after, take) => readServers(context, store.id, person.id, after, take)), {
      member: ['viewer', 'stores:read'],
      query: T.Object({ storeId: Id, ...pageQuery }),
      response: List(McpServer),
      detail: describe('Your own MCP servers and those of the whole store, oldest first', 'listMcpServers'),
    })
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
        detail: describe('Add an MCP server: your own, or, as an admin, one of the whole store', 'addMcpServer'),
      },
    )
    .patch(
      '/:id',
      async ({ mcpServer: server, person, body }) => {
        const data = await changeServer(context, person.id, server.id, body)
        forget(server.id)
        return { data }
      },
      {
        mcpServer: 'change',
        params: ById,
        body: McpServerChange,
        response: Data(McpServer),
        detail: describe('Change an MCP server; one of the whole store as an admin', 'changeMcpServer'),
      },
    )
    .delete(
      '/:id',
      async ({ mcpServer: server, set }) => {
        await removeServer(context, server)
        forget(server.id)
        set.status = 204
      },
      {
        mcpServer: 'change',
        params: ById,
        response: { 204: T.Void() },
        detail: describe('Take an MCP server away, with all that was signed in with there', 'removeMcpServer'),
      },
    )
    .post('/:id/test', async ({ mcpServer: server, person }) => ({ data: await probe(context, server, person.id) }), {
      mcpServer: 'use',
      params: ById,
      response: Data(McpProbe),
      detail: describe('Reach for an MCP server now, and hear how that went', 'testMcpServer'),
    })
    .get('/:id/tools', async ({ mcpServer: server, person }) => ({ data: [...(await namedTools(context, server, person.id))] }), {
      mcpServer: 'use',
      params: ById,
      response: Data(T.Array(McpTool)),
      detail: describe('The tools of an MCP server, asked now, as conversations know them', 'listMcpTools'),
    })
    .post(
      '/:id/oauth/start',
      async ({ mcpServer: server, person, body }) => ({
        data: await beginSignIn(context, server, person.id, ownAddress(context), body?.returnTo ?? null),
      }),
      {
        mcpServer: 'use',
        params: ById,
        body: T.Union([SignInStart, T.Null()]),
        response: Data(SignInBegun),
        detail: describe('Begin to sign in at an MCP server: where the browser goes', 'beginMcpSignIn'),
      },
    )
    .post(
      '/:id/oauth/complete',
      async ({ mcpServer: server, person, body }) => {
        await endSignIn(context, server, person.id, body)
        return { data: await readServer(context, server, person.id) }
      },
      {
        mcpServer: 'use',
        params: ById,
        body: SignInEnd,
        response: Data(McpServer),
        detail: describe('End a sign-in that you began, with what the browser came back with', 'endMcpSignIn'),
      },
    )
}

/** What authorization servers see of us: where they send browsers back to, and who we are. */
export const mcpReturns = (context: Context) =>
  new Elysia({ name: 'mcp returns', prefix: '/v1/chat/mcp-servers/oauth' })
    .use(context.auth)
    .get(
      '/meta-callback',
      async ({ query: { state, code, iss, error }, request }) => {
        const signIn = state ? await signInOf(context, state) : undefined
        return returnPage(signIn, { state, code, iss, error }, request.headers.get('accept-language'))
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
            'Where an authorization server sends the browser back to: on to the page that was named, or shown',
            'returnFromMcpSignIn',
          ),
          responses: {
            200: { description: 'What to copy.', content: { 'text/html': { schema: { type: 'string' as const } } } },
            303: { description: 'On to the page that was named at the beginning, with what came back behind a fragment.' },
          },
        },
      },
    )
    .get(
      '/client-metadata',
      () => {
        const origin = ownAddress(context)
        return { client_id: metadataAddress(origin), ...clientMetadata(origin) }
      },
      {
        open: true,
        response: ClientMetadata,
        detail: describe(
          'Who we are to authorization servers (client id metadata document); they want it behind https',
          'mcpClientMetadata',
        ),
      },
    )
