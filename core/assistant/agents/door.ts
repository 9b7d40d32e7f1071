import type { McpHttpHandler } from '@modelcontextprotocol/server'
import type { Context } from '../../context.ts'
import { serverFor, type Visitor } from './serve.ts'

/** Where both eras of the protocol are spoken. The library is loaded with the first visitor. */
export class Door {
  #handler: Promise<McpHttpHandler> | null = null

  /** Answers one request of this visitor; its body has been read. */
  async serve(context: Context, visitor: Visitor, request: Request, body: unknown): Promise<Response> {
    this.#handler ??= this.#open(context)
    const handler = await this.#handler
    const { method, headers, signal, url } = request
    const authInfo = { token: '', clientId: visitor.project.id, scopes: [], extra: { visitor } }
    return handler.fetch(new Request(url, { method, headers, signal }), { authInfo, ...(body !== undefined && { parsedBody: body }) })
  }

  async #open(context: Context): Promise<McpHttpHandler> {
    const library = await import('@modelcontextprotocol/server')
    return library.createMcpHandler(
      ({ era, authInfo }) => serverFor(library, context, authInfo?.extra?.visitor as Visitor, era),
      // Nothing changes here that anybody would be told of.
      { maxSubscriptions: 0, onerror: (err) => context.log.debug({ err }, 'a request for tools was refused') },
    )
  }

  async close() {
    await (await this.#handler)?.close()
  }
}
