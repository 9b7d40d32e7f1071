import { describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { listExternalTools } from '../../../core/assistant/mcp/tools.ts'
import { openVault, sha256 } from '../../../core/lib/crypto/crypto.ts'
import { resealAll } from '../../../core/platform/vault/reseal.ts'
import { startApp } from '../../support/app.ts'
import { newApp, openBrowser } from '../../support/oauth.ts'
import { guarded, guards } from './mcp-guarded.ts'

const ORIGIN = 'https://app.example'
const app = await startApp({ corsOrigins: ['*', ORIGIN] }, { socket: true })
await app.person('The administrator')
const { ok, call, context } = app
const main = await app.shop()
const other = await app.shop()
const as = main.owner.token
const signal = new AbortController().signal
const mine = { projectId: main.projectId, userId: main.owner.id }

const PATH = '/v1/chat/mcp-servers'
const add = async (server: Record<string, unknown>) =>
  (await ok('POST', PATH, { as, body: { storeId: main.storeId, auth: 'oauth', ...server } })).data
const probe = async (id: string) => (await ok('POST', `${PATH}/${id}/test`, { as })).data
const start = (id: string, body: object = {}, token = as) => call('POST', `${PATH}/${id}/oauth/start`, { as: token, body })
const complete = (id: string, body: object, token = as) => call('POST', `${PATH}/${id}/oauth/complete`, { as: token, body })

/** Begins, says yes there, and ends. */
async function signIn(there: ReturnType<typeof guarded>, id: string) {
  const begun = await start(id)
  if (begun.status !== 200) throw new Error(`It did not begin: ${JSON.stringify(begun.body)}`)
  const { query, back } = there.allow(begun.body.data.authorizationUrl)
  const ended = await complete(id, back)
  if (ended.status !== 200) throw new Error(`It did not end: ${JSON.stringify(ended.body)}`)
  return { query, back, server: ended.body.data }
}

describe('a server that asks for OAuth', () => {
  test('is signed in at, by who is made known there: used, renewed by one at a time, and sealed', async () => {
    const there = guarded({ clients: 'registered' })
    const { id } = await add({ name: 'Guarded', url: there.mcp })
    expect(await probe(id)).toMatchObject({ ok: false, signIn: true, tools: 0 })
    const { query, server } = await signIn(there, id)
    expect(Object.fromEntries(query)).toMatchObject({
      response_type: 'code',
      client_id: 'registered-client',
      code_challenge_method: 'S256',
      resource: there.mcp,
      scope: 'read',
      redirect_uri: `${app.origin}${PATH}/oauth/meta-callback`,
    })
    expect(server).toMatchObject({ signedIn: true })
    const registered = there.asked.find(({ path }) => path === '/register')
    expect(registered?.body).toMatchObject({ application_type: 'web', token_endpoint_auth_method: 'none' })
    const [tool] = await listExternalTools(context, mine, signal)
    expect(await tool!.call({}, signal)).toEqual({ text: 'done', failed: false })

    // The token has expired: it is renewed once, for all requests that wait.
    there.state.access = 'something else'
    const answers = await Promise.all(Array.from({ length: 8 }, () => tool!.call({}, signal)))
    expect(answers).toEqual(Array.from({ length: 8 }, () => ({ text: 'done', failed: false })))
    expect(there.state.refreshes).toBe(1)

    for (const { sealed } of await context.sql<{ sealed: string }[]>`select sealed from mcp_secrets where server_id = ${id}`)
      expect(sealed).not.toMatch(/access-|refresh-|registered-client/)
    const shown = JSON.stringify((await ok('GET', `${PATH}?storeId=${main.storeId}`, { as })).data)
    expect(shown).not.toMatch(/access-|refresh-/)

    // The renewal is refused: the user has to sign in again, and is told so.
    Object.assign(there.state, { access: 'gone', refresh: 'gone' })
    const refused = await tool!.call({}, signal)
    expect(refused).toMatchObject({ failed: true, text: expect.stringContaining('oauth/start') })
    expect(await context.sql`select 1 from mcp_secrets where server_id = ${id} and kind = 'tokens'`).toBeEmpty()
    await signIn(there, id)
    expect(await probe(id)).toMatchObject({ ok: true })
    await ok('DELETE', `${PATH}/${id}`, { as })
  })

  test('that is moved is shown nothing that was meant for where it was', async () => {
    const seen: (string | null)[] = []
    const there = guarded({ clients: 'registered' })
    const thief = Bun.serve({
      port: 0,
      fetch({ headers }) {
        seen.push(headers.get('authorization'))
        return new Response(null, { status: 404 })
      },
    })
    guards.push(thief)
    const url = `http://localhost:${thief.port}/mcp`
    const { id } = await add({ name: 'Moved', url: there.mcp })
    await signIn(there, id)
    await ok('PATCH', `${PATH}/${id}`, { as, body: { url } })
    expect(await context.sql`select 1 from mcp_secrets where server_id = ${id}`).toBeEmpty()
    expect(await probe(id)).toMatchObject({ ok: false, signIn: true })
    // And where it was moved behind the back of what is kept, that is not shown either.
    await ok('PATCH', `${PATH}/${id}`, { as, body: { url: there.mcp } })
    await signIn(there, id)
    await context.sql`update mcp_servers set url = ${url}, updated_at = now() where id = ${id}`
    expect(await probe(id)).toMatchObject({ ok: false, signIn: true })
    await ok('PATCH', `${PATH}/${id}`, { as, body: { url: there.mcp, auth: 'headers', headers: { authorization: 'Bearer of-headers' } } })
    await context.sql`update mcp_servers set url = ${url}, updated_at = now() where id = ${id}`
    expect(await probe(id)).toMatchObject({ ok: false })
    expect(seen.filter((each) => each !== null)).toEqual([])
    expect(seen.length).toBeGreaterThan(0)
    await ok('DELETE', `${PATH}/${id}`, { as })
  })

  test('that requires more scopes for one tool is asked for all of them at the next sign-in', async () => {
    const there = guarded({ clients: 'registered' })
    const { id } = await add({ name: 'Stepping', url: there.mcp })
    await signIn(there, id)
    const [tool] = await listExternalTools(context, mine, signal)
    there.state.wants = 'write'
    const refused = await tool!.call({}, signal)
    expect(refused).toMatchObject({ failed: true, text: expect.stringContaining('(write)') })
    const { query } = await signIn(there, id)
    expect(query.get('scope')?.split(' ').sort()).toEqual(['read', 'write'])
    expect(await tool!.call({}, signal)).toEqual({ text: 'done', failed: false })
    await ok('DELETE', `${PATH}/${id}`, { as })
  })

  test('knows a client that was pasted, and nobody else is shown it', async () => {
    const there = guarded({ clients: 'pasted' })
    const { id, clientId } = await add({
      name: 'Pasted',
      url: there.mcp,
      client: { clientId: 'pasted-client', clientSecret: 'its secret' },
    })
    expect(clientId).toBe('pasted-client')
    await signIn(there, id)
    const exchanged = there.asked.find(({ path }) => path === '/token')?.body as URLSearchParams
    expect([exchanged.get('client_id'), exchanged.get('client_secret')]).toEqual(['pasted-client', 'its secret'])
    // The server names another authorization server from now on.
    const elsewhere = guarded({ clients: 'registered' })
    await context.sql`update mcp_servers set url = ${elsewhere.mcp} where id = ${id}`
    const begun = await start(id)
    expect(new URL(begun.body.data.authorizationUrl).searchParams.get('client_id')).toBe('registered-client')
    expect(JSON.stringify(elsewhere.asked.map(({ body }) => Object.fromEntries(Object.entries(body))))).not.toContain('secret"')
    await ok('DELETE', `${PATH}/${id}`, { as })
  })

  test('reads who we are at our own address, where that is behind https', async () => {
    const there = guarded({ clients: 'document' })
    const { id } = await add({ name: 'Document', url: there.mcp })
    // Without https, and without any other way, it cannot be begun.
    expect((await start(id)).status).toBe(422)
    const { body } = await call('GET', `${PATH}/oauth/client-metadata`)
    expect(body).toMatchObject({
      client_id: `${app.origin}${PATH}/oauth/client-metadata`,
      redirect_uris: [`${app.origin}${PATH}/oauth/meta-callback`],
    })
    const secure = await startApp({ publicUrl: 'https://shop.example.com' })
    await secure.person('The administrator')
    const shop = await secure.shop()
    const { data } = await secure.ok('POST', PATH, {
      as: shop.owner.token,
      body: { storeId: shop.storeId, name: 'x', url: there.mcp, auth: 'oauth' },
    })
    const { data: begun } = await secure.ok('POST', `${PATH}/${data.id}/oauth/start`, { as: shop.owner.token, body: {} })
    const client = 'https://shop.example.com/v1/chat/mcp-servers/oauth/client-metadata'
    expect(new URL(begun.authorizationUrl).searchParams.get('client_id')).toBe(client)
    expect((await secure.call('GET', `${PATH}/oauth/client-metadata`)).body.client_id).toBe(client)
    await ok('DELETE', `${PATH}/${id}`, { as })
  })

  test('completes a sign-in once, in time, for the user who began it, with the state and code of its own issuer', async () => {
    const there = guarded({ clients: 'registered' })
    const { id } = await add({ name: 'Shared', url: there.mcp, shared: true })
    const agent = await app.person('Agent')
    await ok('POST', `/v1/stores/${main.storeId}/members`, { as, body: { email: agent.email, role: 'agent' } })
    const begin = async () => there.allow((await start(id)).body.data.authorizationUrl).back
    const outcome = async (body: object, token = as) => {
      const { status, body: answer } = await complete(id, body, token)
      return [status, answer.error?.code]
    }
    expect(await outcome({ state: 'made up', code: 'x' })).toEqual([422, 'invalid_code'])
    const one = await begin()
    expect(await outcome(one, agent.token)).toEqual([422, 'invalid_code'])
    const both = await Promise.all([outcome(one), outcome(one)])
    expect(both.map(([status]) => status).sort()).toEqual([200, 422])
    // Every user signs in for themselves.
    expect((await ok('GET', `${PATH}?storeId=${main.storeId}`, { as })).data[0].signedIn).toBe(true)
    expect((await ok('GET', `${PATH}?storeId=${main.storeId}`, { as: agent.token })).data[0].signedIn).toBe(false)
    expect(await listExternalTools(context, { ...mine, userId: agent.id }, signal)).toEqual([])

    expect(await outcome({ ...(await begin()), iss: 'https://somebody.else' })).toEqual([422, 'mcp_server_failed'])
    const { iss: _, ...silent } = await begin()
    expect(await outcome(silent)).toEqual([422, 'mcp_server_failed'])
    expect(await outcome({ state: (await begin()).state, error: 'access_denied' })).toEqual([403, 'forbidden'])
    const moved = await begin()
    await context.sql`update mcp_servers set url = ${`${there.origin}/elsewhere`} where id = ${id}`
    expect(await outcome(moved)).toEqual([422, 'invalid_code'])
    await context.sql`update mcp_servers set url = ${there.mcp} where id = ${id}`
    const late = await begin()
    await context.sql`update mcp_sign_ins set expires_at = now() - interval '1 second' where digest = ${sha256(late.state)}`
    expect(await outcome(late)).toEqual([422, 'invalid_code'])
    await ok('DELETE', `${PATH}/${id}`, { as })
  })

  test('sends a browser back to a page that the operator trusts, or shows what it brought', async () => {
    const there = guarded({ clients: 'registered' })
    const { id } = await add({ name: 'Returning', url: there.mcp })
    for (const returnTo of ['https://evil.example/', 'javascript:alert(1)', `${ORIGIN}/x#y`, '//evil.example'])
      expect((await start(id, { returnTo })).status).toBe(400)
    const { body } = await start(id, { returnTo: `${ORIGIN}/done?from=serai` })
    const { back } = there.allow(body.data.authorizationUrl)
    const callback = (query: Record<string, string>) =>
      fetch(`${app.origin}${PATH}/oauth/meta-callback?${new URLSearchParams(query)}`, { redirect: 'manual' })
    const sent = await callback(back)
    expect(sent.status).toBe(303)
    expect(sent.headers.get('location')).toBe(`${ORIGIN}/done?from=serai#${new URLSearchParams(back)}`)
    const { back: shown } = there.allow((await start(id)).body.data.authorizationUrl)
    const page = await callback({ ...shown, iss: '<script>' })
    expect([page.status, page.headers.get('content-security-policy')]).toEqual([200, expect.stringContaining("default-src 'none'")])
    const text = await page.text()
    expect(text).toContain(shown.code)
    expect(text).not.toContain('<script>')
    // Coming there ends nothing.
    expect((await complete(id, shown)).status).toBe(200)
    expect((await callback({ state: 'made up', code: 'x' })).status).toBe(400)
    expect((await callback({})).status).toBe(400)
    await ok('DELETE', `${PATH}/${id}`, { as })
  })

  test('whose authorization server lies, or knows no PKCE, is not signed in at', async () => {
    for (const options of [{ claims: 'https://accounts.example.com' }, { noPkce: true }] as const) {
      const there = guarded({ clients: 'registered', ...options })
      const { id } = await add({ name: 'Lying', url: there.mcp })
      expect((await start(id)).status).toBe(422)
      expect(await context.sql`select 1 from mcp_sign_ins where server_id = ${id}`).toBeEmpty()
      await ok('DELETE', `${PATH}/${id}`, { as })
    }
  })

  test('our own is one: its tools are used through our own authorization server', async () => {
    const redirect = `${app.origin}${PATH}/oauth/meta-callback`
    const program = await newApp(app, other.owner, { redirectUris: [redirect] })
    const { id } = await add({ name: 'Serai', url: `${app.origin}/mcp`, client: { clientId: program.id, clientSecret: program.secret } })
    expect(await probe(id)).toMatchObject({ ok: false, signIn: true })
    const { data } = await ok('POST', `${PATH}/${id}/oauth/start`, { as, body: {} })
    const browser = openBrowser(app)
    await browser.ask(data.authorizationUrl)
    await browser.signIn(main.owner)
    const { location } = await browser.press('allow')
    expect(location).toStartWith(redirect)
    const back = Object.fromEntries(new URL(location!).searchParams)
    await ok('POST', `${PATH}/${id}/oauth/complete`, { as, body: { state: back.state, code: back.code, iss: back.iss } })
    const tools = await listExternalTools(context, mine, signal)
    expect(tools.map(({ name }) => name)).toContain('serai__search_orders')
    const found = await tools.find(({ name }) => name === 'serai__search_orders')!.call({}, signal)
    expect(JSON.parse(found.text)).toEqual({ orders: [], nextCursor: null })
    expect(await probe(id)).toMatchObject({ ok: true, protocol: '2026-07-28', title: 'Serai' })
    await ok('DELETE', `${PATH}/${id}`, { as })
  })
})

test('MCP sign-in: stored tokens are sealed again under a new vault key', async () => {
  const there = guarded({ clients: 'registered' })
  const { id } = await add({ name: 'Resealed', url: there.mcp })
  await signIn(there, id)
  const { sql, config } = context
  const earlier = Buffer.from(await Bun.file(join(config.dataDir, 'encryption.key')).text(), 'base64')
  const [mark] = await sql<{ sealed: string }[]>`select sealed from vault_mark`
  const vault = openVault([randomBytes(32), earlier], openVault([earlier], 'none').open(mark!.sealed, 'vault'))
  const rows = () => sql<{ id: string; sealed: string }[]>`select id, sealed from mcp_secrets where server_id = ${id} order by id`
  const before = await rows()
  await resealAll({ sql, vault, log: context.log }, signal)
  const after = await rows()
  expect(after.map((row) => row.id)).toEqual(before.map((row) => row.id))
  expect(after).toHaveLength(2)
  for (const [at, row] of after.entries()) {
    expect(row.sealed).toStartWith(vault.prefix)
    expect(vault.open(row.sealed, `mcp ${row.id}`)).toBe(context.vault.open(before[at]!.sealed, `mcp ${row.id}`))
    await sql`update mcp_secrets set sealed = ${before[at]!.sealed} where id = ${row.id}`
  }
  const marked = mark!.sealed
  await sql`update vault_mark set sealed = ${marked}`
  await ok('DELETE', `${PATH}/${id}`, { as })
})

test('a person begins so many sign-ins in a minute, and others go on', async () => {
  const there = guarded({ clients: 'registered' })
  const body = { storeId: other.storeId, name: 'Often', url: there.mcp, auth: 'oauth' }
  const { data } = await ok('POST', PATH, { as: other.owner.token, body })
  const outcomes = await Promise.all(Array.from({ length: 32 }, () => start(data.id, {}, other.owner.token)))
  expect(
    outcomes
      .map(({ status }) => status)
      .sort()
      .slice(-3),
  ).toEqual([200, 429, 429])
  const limited = outcomes.find(({ status }) => status === 429)
  expect(Number(limited?.headers.get('retry-after'))).toBeGreaterThan(0)
})

describe('addresses that nobody may name', () => {
  test('are refused when they are given, and when they turn out to be such', async () => {
    const closed = await startApp({ allowPrivateWebhooks: false })
    await closed.person('The administrator')
    const shop = await closed.shop()
    const body = (url: string) => ({ storeId: shop.storeId, name: 'x', url, auth: 'oauth' })
    const reached: string[] = []
    const server = Bun.serve({ port: 0, fetch: ({ url }) => new Response(String(reached.push(url))) })
    guards.push(server)
    for (const url of [
      `http://localhost:${server.port}/mcp`,
      'https://127.0.0.1/mcp',
      'https://[::1]/mcp',
      'https://169.254.169.254/latest',
      'https://10.0.0.1/mcp',
      'https://printer.local/mcp',
      'file:///etc/passwd',
    ]) {
      const answer = await closed.call('POST', PATH, { as: shop.owner.token, body: body(url) })
      expect([url, answer.status, answer.body.error.details?.[0].path]).toEqual([url, 400, '/body/url'])
    }
    const { data } = await closed.ok('POST', PATH, { as: shop.owner.token, body: body('https://tools.example.com/mcp') })
    // As if its name led there: what is called is looked at again.
    await closed.context.sql`update mcp_servers set url = ${`http://127.0.0.1:${server.port}/mcp`}, auth = 'none' where id = ${data.id}`
    expect((await closed.ok('POST', `${PATH}/${data.id}/test`, { as: shop.owner.token })).data).toMatchObject({ ok: false, tools: 0 })
    await closed.context.sql`update mcp_servers set auth = 'oauth' where id = ${data.id}`
    expect((await closed.call('POST', `${PATH}/${data.id}/oauth/start`, { as: shop.owner.token, body: {} })).status).toBe(422)
    expect(reached).toEqual([])
  })
})
