import { afterAll, describe, expect, test } from 'bun:test'
import { auth, type OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import type { OAuthClientInformationFull, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js'
import { deleteUnusedClients, UNUSED_CLIENTS_MAX } from '../../../core/identity/apps/register.ts'
import { startApp } from '../../support/app.ts'
import { openBrowser } from '../../support/oauth.ts'

const documents: Record<string, () => Response> = {}
let fetches = 0
const site = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch(request) {
    fetches += 1
    return documents[new URL(request.url).pathname]?.() ?? new Response('', { status: 404 })
  },
})
afterAll(() => site.stop(true))

const app = await startApp({ simulators: { 'client.example': site.url.origin } }, { socket: true })
const { origin, ok, context } = app
await app.person('The administrator')
const { owner } = await app.shop()
const CALLBACK = 'http://localhost:53682/callback'
const metadata = { client_name: 'Desk', redirect_uris: [CALLBACK], token_endpoint_auth_method: 'none' }

const register = async (body: unknown) => {
  const answer = await fetch(`${origin}/oauth/register`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  })
  // biome-ignore lint/suspicious/noExplicitAny: a test reads shapes that it then asserts
  return { status: answer.status, body: (await answer.json()) as any }
}

/** An MCP client as the SDK knows it, which keeps all in memory. */
function newProvider(clientMetadataUrl?: string) {
  const kept: { client?: OAuthClientInformationFull; tokens?: OAuthTokens; verifier?: string; sentTo?: URL } = {}
  const provider: OAuthClientProvider = {
    ...(clientMetadataUrl !== undefined && { clientMetadataUrl }),
    redirectUrl: CALLBACK,
    clientMetadata: { ...metadata, grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'] },
    clientInformation: () => kept.client,
    saveClientInformation: (client) => {
      kept.client = client as OAuthClientInformationFull
    },
    tokens: () => kept.tokens,
    saveTokens: (tokens) => {
      kept.tokens = tokens
    },
    redirectToAuthorization: (address) => {
      kept.sentTo = address
    },
    saveCodeVerifier: (verifier) => {
      kept.verifier = verifier
    },
    codeVerifier: () => kept.verifier ?? '',
  }
  return { provider, kept }
}

async function letIn(address: string) {
  const browser = openBrowser(app, { 'accept-language': 'en' })
  await browser.ask(address)
  const consent = await browser.signIn(owner)
  const { location } = await browser.press('allow')
  return { consent, code: new URL(location ?? '').searchParams.get('code') ?? '' }
}

async function assertSignsIn(clientMetadataUrl?: string) {
  const { provider, kept } = newProvider(clientMetadataUrl)
  expect(await auth(provider, { serverUrl: `${origin}/mcp` })).toBe('REDIRECT')
  const { code, consent } = await letIn(String(kept.sentTo))
  expect(consent.text).toContain('This app registered itself')
  expect(await auth(provider, { serverUrl: `${origin}/mcp`, authorizationCode: code })).toBe('AUTHORIZED')
  const initialize = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'desk', version: '1' } }
  await ok('POST', '/mcp', {
    as: kept.tokens?.access_token ?? '',
    headers: { accept: 'application/json, text/event-stream' },
    body: { jsonrpc: '2.0', id: 1, method: 'initialize', params: initialize },
  })
  expect(await auth(provider, { serverUrl: `${origin}/mcp` })).toBe('AUTHORIZED')
  return kept
}

describe('an MCP client', () => {
  test('registers itself, signs a person in and renews its token with the SDK', async () => {
    const { client } = await assertSignsIn()
    expect(client?.client_id).toStartWith('app_')
  })

  test('signs a person in with the address of its metadata document instead of a registration', async () => {
    const url = 'https://client.example/mcp.json'
    documents['/mcp.json'] = () => Response.json({ client_id: url, ...metadata })
    const before = fetches
    const { sentTo } = await assertSignsIn(url)
    expect(sentTo?.searchParams.get('client_id')).toBe(url)
    expect(fetches - before).toBe(1)
  })
})

describe('dynamic registration', () => {
  test('gives a secret to a client that asks for one, and to no other', async () => {
    const { status, body } = await register({
      redirect_uris: ['https://app.example/back'],
      scope: 'stores:read unknown:scope',
      contacts: ['a@b.c'],
    })
    expect([status, body]).toEqual([
      201,
      expect.objectContaining({
        client_secret: expect.stringMatching(/^cs_/),
        client_secret_expires_at: 0,
        token_endpoint_auth_method: 'client_secret_basic',
        client_name: 'app.example',
        scope: 'stores:read',
      }),
    ])
    expect((await register(metadata)).body).not.toHaveProperty('client_secret')
  })

  test.each([
    [{}, 'invalid_redirect_uri'],
    [[], 'invalid_client_metadata'],
    [{ ...metadata, redirect_uris: [] }, 'invalid_redirect_uri'],
    [{ ...metadata, redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
    [{ ...metadata, redirect_uris: ['http://app.example/back'] }, 'invalid_redirect_uri'],
    [{ ...metadata, token_endpoint_auth_method: 'private_key_jwt' }, 'invalid_client_metadata'],
    [{ ...metadata, grant_types: ['client_credentials'] }, 'invalid_client_metadata'],
    [{ ...metadata, response_types: ['token'] }, 'invalid_client_metadata'],
    [{ ...metadata, client_name: 5 }, 'invalid_client_metadata'],
  ])('refuses %j', async (body, error) => {
    expect(await register(body)).toEqual({ status: 400, body: { error, error_description: expect.any(String) } })
  })

  test('takes no body but JSON', async () => {
    const answer = await fetch(`${origin}/oauth/register`, {
      method: 'POST',
      body: 'redirect_uris=x',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(answer.status).toBeOneOf([400, 415])
    expect((await fetch(`${origin}/oauth/register`)).status).toBe(405)
  })

  test('forgets a client that nobody let in within a day, and keeps one that somebody did', async () => {
    const { body } = await register(metadata)
    await context.sql`update apps set created_at = now() - interval '25 hours', checked_at = now() - interval '25 hours' where registration is not null`
    await deleteUnusedClients(context)
    const left = await context.sql<
      { id: string; registration: string }[]
    >`select id, registration from apps where registration is not null order by registration`
    expect(left.map(({ registration }) => registration)).toEqual(['document', 'dynamic'])
    expect(left.map(({ id }) => id)).not.toContain(body.client_id)
  })

  test('is limited: in an hour from one network, and in all for those that nobody uses', async () => {
    await context.sql`insert into apps (id, name, description, redirect_uris, scopes, registration)
      select 'app_many' || n, 'x', '', '{https://a.example}', '{stores:read}', 'dynamic' from generate_series(1, ${UNUSED_CLIENTS_MAX}) n`
    expect((await register(metadata)).body.error).toBe('slow_down')
    await context.sql`delete from apps where id like 'app\\_many%'`
    const answers: number[] = []
    for (let at = 0; at < 20; at += 1) answers.push((await register(metadata)).status)
    expect([answers.includes(201), answers.at(-1)]).toEqual([true, 429])
  })
})

describe('a client id metadata document', () => {
  const asked = async (clientId: string, redirect = CALLBACK) => {
    const query = {
      client_id: clientId,
      redirect_uri: redirect,
      response_type: 'code',
      scope: 'stores:read',
      code_challenge: 'x'.repeat(43),
    }
    const address = `${origin}/oauth/authorize?${new URLSearchParams({ ...query, code_challenge_method: 'S256' })}`
    const answer = await fetch(address, { redirect: 'manual', headers: { 'accept-language': 'en' } })
    return { status: answer.status, text: await answer.text() }
  }
  const at = (path: string, document: () => Response) => {
    documents[path] = document
    return `https://client.example${path}`
  }

  test.each([
    ['names another client', '/other', () => Response.json({ client_id: 'https://client.example/else', ...metadata })],
    ['is no JSON', '/text', () => new Response('hello')],
    ['is too large', '/large', () => Response.json({ client_id: 'https://client.example/large', ...metadata, x: 'x'.repeat(20_000) })],
    ['leads elsewhere', '/moved', () => new Response('', { status: 302, headers: { location: 'https://client.example/mcp.json' } })],
    [
      'wants a secret',
      '/secret',
      () => Response.json({ client_id: 'https://client.example/secret', ...metadata, token_endpoint_auth_method: 'client_secret_post' }),
    ],
    ['has no redirect address', '/none', () => Response.json({ client_id: 'https://client.example/none' })],
  ])('that %s lets nobody in', async (_, path, document) => {
    expect((await asked(at(path, document))).status).toBe(400)
  })

  test.each([
    'https://127.0.0.1/x',
    'https://10.0.0.1/x',
    'https://localhost/x',
    'https://169.254.169.254/x',
    'https://client.example/',
    'https://client.example/a/../b',
    'http://client.example/mcp.json',
    'https://u:p@client.example/x',
  ])('%s is fetched from no private network, and names no client', async (clientId) => {
    const before = fetches
    expect((await asked(clientId)).status).toBe(400)
    expect(fetches).toBe(before)
  })

  test('binds the addresses that people are sent back to, and is read again when it is old', async () => {
    let redirects = [CALLBACK]
    const id = at('/changes', () => Response.json({ client_id: 'https://client.example/changes', ...metadata, redirect_uris: redirects }))
    expect((await asked(id)).status).toBe(200)
    expect((await asked(id, 'https://evil.example/back')).status).toBe(400)
    redirects = ['https://new.example/back']
    expect((await asked(id)).status).toBe(200)
    await context.sql`update apps set checked_at = now() - interval '11 minutes' where document_url = ${id}`
    expect((await asked(id)).status).toBe(400)
    expect((await asked(id, 'https://new.example/back')).status).toBe(200)
    documents['/changes'] = () => new Response('', { status: 503 })
    await context.sql`update apps set checked_at = now() - interval '11 minutes' where document_url = ${id}`
    expect((await asked(id, 'https://new.example/back')).status).toBe(200)
  })
})
