import type { McpHttpHandler } from '@modelcontextprotocol/server'
import type { Context } from '../../context.ts'
import { type AgentClient, createMcpServer } from './mcp-server.ts'

/** MCP endpoint over streamable HTTP, for both versions of the protocol. Loads the library with the first request. */
export class McpEndpoint {
  #handler: Promise<McpHttpHandler> | null = null

  /** Handles one request. `body` is the parsed JSON of a POST; undefined for other methods. */
  async handle(context: Context, visitor: AgentClient, request: Request, body: unknown): Promise<Response> {
    this.#handler ??= this.#load(context)
    const handler = await this.#handler
    const { method, headers, signal, url } = request
    const authInfo = { token: '', clientId: visitor.project.id, scopes: [], extra: { visitor } }
    return handler.fetch(new Request(url, { method, headers, signal }), { authInfo, ...(body !== undefined && { parsedBody: body }) })
  }

  async #load(context: Context): Promise<McpHttpHandler> {
    const library = await import('@modelcontextprotocol/server')
    return library.createMcpHandler(
      ({ era, authInfo }) => createMcpServer(library, context, authInfo?.extra?.visitor as AgentClient, era),
      // The list of tools never changes, so that there is nothing to subscribe to.
      { maxSubscriptions: 0, onerror: (err) => context.log.debug({ err }, 'a request for tools was refused') },
    )
  }

  /** Closes all open streams. */
  async close() {
    await (await this.#handler)?.close()
  }
}
