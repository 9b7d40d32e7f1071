import { afterAll } from 'bun:test'

/** Servers that are stopped after the last test of the file. */
export const guards: { stop(force: boolean): unknown }[] = []
afterAll(() => Promise.all(guards.map((server) => server.stop(true))))

export interface Options {
  /** How a client becomes known. */
  readonly clients: 'document' | 'registered' | 'pasted'
  /** Whose metadata it claims to be, where it lies. */
  readonly claims?: string
  readonly noPkce?: boolean
  readonly tokenSeconds?: number
}

/**
 * A server of tools and the authorization server that gives its tokens, as small as they can be and strict: PKCE, `resource`, the client, the
 * address to come back to, codes and refresh tokens that work once.
 */
export function guarded({ clients, claims, noPkce = false }: Options) {
  const asked: { path: string; body: URLSearchParams | Record<string, unknown>; headers: Headers }[] = []
  const codes = new Map<string, URLSearchParams>()
  const state = { access: '', refresh: '', scope: 'read', granted: 'read', serial: 0, refreshes: 0, wants: 'read' }
  /** How its authorization server misbehaves where it is asked to renew: its answer comes so late, and so many times it is out of order. */
  const faults = { delayMs: 0, error500: 0 }
  const known = new Set<string>(clients === 'pasted' ? ['pasted-client'] : [])
  const json = (body: object, status = 200, headers: Record<string, string> = {}) => Response.json(body, { status, headers })
  const issue = (scope: string) => {
    state.serial += 1
    Object.assign(state, { access: `access-${state.serial}`, refresh: `refresh-${state.serial}`, granted: scope })
    return json({ access_token: state.access, refresh_token: state.refresh, token_type: 'Bearer', expires_in: 3600, scope })
  }

  async function token(request: Request): Promise<Response> {
    const form = new URLSearchParams(await request.text())
    asked.push({ path: '/token', body: form, headers: request.headers })
    const client = form.get('client_id') ?? ''
    if (!known.has(client)) return json({ error: 'invalid_client' }, 401)
    if (form.get('resource') !== mcp) return json({ error: 'invalid_target' }, 400)
    if (form.get('grant_type') === 'refresh_token') {
      state.refreshes += 1
      faults.error500 -= 1
      if (faults.error500 >= 0) return new Response('out of order', { status: 500 })
      const answer = form.get('refresh_token') === state.refresh ? issue(state.granted) : json({ error: 'invalid_grant' }, 400)
      await Bun.sleep(faults.delayMs)
      return answer
    }
    const begun = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const challenge = new Bun.CryptoHasher('sha256').update(form.get('code_verifier') ?? '').digest('base64url')
    const fits =
      begun?.get('code_challenge') === challenge &&
      begun.get('redirect_uri') === form.get('redirect_uri') &&
      begun.get('client_id') === client
    return fits ? issue(begun.get('scope') ?? '') : json({ error: 'invalid_grant' }, 400)
  }

  async function tools(request: Request): Promise<Response> {
    const metadata = `resource_metadata="${origin}/meta/here"`
    if (request.headers.get('authorization') !== `Bearer ${state.access}` || state.access === '')
      return new Response(null, { status: 401, headers: { 'www-authenticate': `Bearer ${metadata}, scope="${state.scope}"` } })
    const body = (await request.json()) as { id?: number; method: string }
    if (body.method === 'initialize')
      return json({
        jsonrpc: '2.0',
        id: body.id,
        result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'guarded', version: '1' } },
      })
    if (body.method.startsWith('notifications/')) return new Response(null, { status: 202 })
    if (body.method === 'tools/list')
      return json({ jsonrpc: '2.0', id: body.id, result: { tools: [{ name: 'read', inputSchema: { type: 'object' } }] } })
    if (body.method !== 'tools/call') return json({ jsonrpc: '2.0', id: body.id, error: { code: -32601, message: 'Method not found' } })
    if (!state.granted.split(' ').includes(state.wants))
      return new Response(null, {
        status: 403,
        headers: { 'www-authenticate': `Bearer error="insufficient_scope", scope="${state.wants}", ${metadata}` },
      })
    return json({ jsonrpc: '2.0', id: body.id, result: { content: [{ type: 'text', text: 'done' }] } })
  }

  const server = Bun.serve({
    port: 0,
    async fetch(request): Promise<Response> {
      const { pathname } = new URL(request.url)
      if (pathname === '/mcp') return tools(request)
      if (pathname === '/meta/here')
        return json({ resource: mcp, authorization_servers: [`${origin}/as`], scopes_supported: ['read', 'write'] })
      if (pathname === '/.well-known/oauth-authorization-server/as')
        return json({
          issuer: claims ?? `${origin}/as`,
          authorization_endpoint: `${origin}/authorize`,
          token_endpoint: `${origin}/token`,
          ...(clients === 'registered' && { registration_endpoint: `${origin}/register` }),
          client_id_metadata_document_supported: clients === 'document',
          response_types_supported: ['code'],
          token_endpoint_auth_methods_supported: ['none', 'client_secret_post'],
          authorization_response_iss_parameter_supported: true,
          ...(!noPkce && { code_challenge_methods_supported: ['S256'] }),
        })
      if (pathname === '/register') {
        const body = (await request.json()) as Record<string, unknown>
        asked.push({ path: pathname, body, headers: request.headers })
        known.add('registered-client')
        return json({ ...body, client_id: 'registered-client' }, 201)
      }
      return pathname === '/token' ? token(request) : new Response(null, { status: 404 })
    },
  })
  guards.push(server)
  const origin = `http://localhost:${server.port}`
  const mcp = `${origin}/mcp`
  /** Does what a person's browser does there: agrees, and is sent back. */
  const allow = (address: string) => {
    const query = new URL(address).searchParams
    const code = `code-${Math.random()}`
    codes.set(code, query)
    return { query, back: { state: query.get('state') ?? '', code, iss: `${origin}/as` } }
  }
  return { origin, mcp, asked, state, faults, known, allow }
}
