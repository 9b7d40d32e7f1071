import { afterAll, describe, expect, test } from 'bun:test'
import { createMcpHandler, fromJsonSchema, McpServer } from '@modelcontextprotocol/server'
import { listExternalTools } from '../../../core/assistant/mcp/tools.ts'
import { startApp } from '../../support/app.ts'
import { byTheClock } from '../../support/clock.ts'
import { until } from '../../support/until.ts'

const app = await startApp()
const administrator = await app.person('The administrator')
const { call, ok, context } = app
const main = await app.shop()
const other = await app.shop()
const as = main.owner.token
const signal = new AbortController().signal

const PATH = '/v1/chat/mcp-servers'
const add = async (server: Record<string, unknown>) => (await ok('POST', PATH, { as, body: { storeId: main.storeId, ...server } })).data
const probe = async (id: string) => (await ok('POST', `${PATH}/${id}/test`, { as })).data
const remove = (id: string) => ok('DELETE', `${PATH}/${id}`, { as })
const mine = { projectId: main.projectId, userId: main.owner.id }
const named = async (name: string) => {
  const tools = await listExternalTools(context, mine, signal)
  const found = tools.find((tool) => tool.name === name)
  if (!found) throw new Error(`There is no ${name} among ${tools.map((tool) => tool.name).join(', ')}`)
  return found
}

const servers: { stop(force: boolean): unknown }[] = []
afterAll(() => Promise.all(servers.map((server) => server.stop(true))))
interface Seen {
  readonly method: string
  readonly rpc: string | undefined
  readonly headers: Headers
}
/** A server that answers as it is told, and remembers what it was asked. */
function stranger(answer: (request: Request, body: { id?: number; method?: string }) => Response | Promise<Response>) {
  const seen: Seen[] = []
  const server = Bun.serve({
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const body = (await request
        .clone()
        .json()
        .catch(() => ({}))) as { id?: number; method?: string }
      seen.push({ method: request.method, rpc: body.method, headers: request.headers })
      return answer(request, body)
    },
  })
  servers.push(server)
  return { url: `http://localhost:${server.port}/mcp`, seen, stop: () => server.stop(true) }
}

const initialized = (id: unknown, headers: Record<string, string> = {}) =>
  Response.json(
    {
      jsonrpc: '2.0',
      id,
      result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'fake', version: '1' } },
    },
    { headers },
  )
const notKnown = (id: unknown) => Response.json({ jsonrpc: '2.0', id: id ?? null, error: { code: -32601, message: 'Method not found' } })
/** A server of the older era that has these tools. */
const older = (tools: () => unknown, onCall?: (request: Request, body: { id?: number }) => Response) =>
  stranger((request, body) => {
    if (body.method === 'initialize') return initialized(body.id)
    if (body.method?.startsWith('notifications/')) return new Response(null, { status: 202 })
    if (body.method === 'tools/list') return Response.json({ jsonrpc: '2.0', id: body.id, result: { tools: tools() } })
    if (body.method === 'tools/call' && onCall) return onCall(request, body)
    return notKnown(body.id)
  })
const EMPTY = { type: 'object' }

async function everything() {
  const port = 20_000 + (process.pid % 20_000)
  const file = Bun.resolveSync('@modelcontextprotocol/server-everything/dist/index.js', import.meta.dir)
  const child = Bun.spawn([process.execPath, file, 'streamableHttp'], {
    env: { ...process.env, PORT: String(port) },
    stdout: 'ignore',
    stderr: 'ignore',
  })
  afterAll(async () => {
    child.kill()
    await child.exited
  })
  const url = `http://localhost:${port}/mcp`
  await until(() => fetch(url).catch(() => null))
  return url
}

/** A server of the newer era. */
function newer() {
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'newer', title: 'The newer one', version: '1' })
    const shape = {
      type: 'object',
      properties: { left: { type: 'number' }, right: { type: 'number' } },
      required: ['left', 'right'],
    } as const
    server.registerTool(
      'add',
      {
        description: 'Adds two numbers',
        inputSchema: fromJsonSchema<{ left: number; right: number }>(shape),
        annotations: { readOnlyHint: true },
      },
      ({ left, right }) => ({ content: [{ type: 'text', text: String(left + right) }] }),
    )
    return server
  })
  return stranger((request) => handler.fetch(request))
}

describe('a server of tools', () => {
  test('that the protocol’s own people wrote is driven: listed, called, and left', async () => {
    const server = await add({ name: 'Everything & more', url: await everything() })
    const told = await probe(server.id)
    expect(told).toMatchObject({ ok: true, problem: null, signIn: false, protocol: '2025-11-25' })
    expect(told.tools).toBeGreaterThan(5)
    const { data: tools } = await ok('GET', `${PATH}/${server.id}/tools`, { as })
    for (const { name } of tools) expect(name).toMatch(/^everything_more__[a-zA-Z0-9_-]{1,64}$/)
    const echo = await named('everything_more__echo')
    expect(await echo.call({ message: 'salam' }, signal)).toEqual({ text: 'Echo: salam', failed: false })
    const sum = await named('everything_more__get-sum')
    expect((await sum.call({ a: 2, b: 40 }, signal)).text).toContain('42')
    expect((await sum.call({ a: 'two' }, signal)).failed).toBe(true)
    const picture = await (await named('everything_more__get-tiny-image')).call({}, signal)
    expect(picture.text).toContain('[a picture, image/png]')
    const row = (await ok('GET', `${PATH}?storeId=${main.storeId}`, { as })).data[0]
    expect(row).toMatchObject({ protocol: '2025-11-25', problem: null })
    expect(row.title).toBeString()
    await remove(server.id)
    expect(await listExternalTools(context, mine, signal)).toEqual([])
  })

  test('of the newer era is spoken to without a session, and each request says what it is', async () => {
    const { url, seen } = newer()
    const server = await add({ name: 'Newer', url, auth: 'headers', headers: { authorization: 'Bearer of-the-shop' } })
    expect(server.headerNames).toEqual(['authorization'])
    expect(await probe(server.id)).toMatchObject({ ok: true, protocol: '2026-07-28', title: 'The newer one', tools: 1 })
    const tool = await named('newer__add')
    expect(tool).toMatchObject({ readOnly: true, description: 'Adds two numbers' })
    expect(await tool.call({ left: 1, right: 2 }, signal)).toEqual({ text: '3', failed: false })
    expect(seen.map(({ rpc }) => rpc)).not.toContain('initialize')
    const called = seen.find(({ rpc }) => rpc === 'tools/call')
    expect(called?.headers.get('mcp-name')).toBe('add')
    expect(called?.headers.get('mcp-protocol-version')).toBe('2026-07-28')
    for (const { headers } of seen) expect(headers.get('authorization')).toBe('Bearer of-the-shop')
    const [kept] = await context.sql<{ sealed: string }[]>`select sealed from mcp_secrets where server_id = ${server.id}`
    expect(kept!.sealed).not.toContain('of-the-shop')
    await remove(server.id)
    expect(await context.sql`select 1 from mcp_secrets where server_id = ${server.id}`).toBeEmpty()
  })

  test('that forgets its session is asked once more in a new one', async () => {
    let session = 0
    const calls: (string | null)[] = []
    const { url, seen } = stranger((request, body) => {
      if (body.method === 'initialize') return initialized(body.id, { 'mcp-session-id': `session-${++session}` })
      if (body.method === 'server/discover') return notKnown(body.id)
      if (request.method === 'DELETE' || body.method?.startsWith('notifications/')) return new Response(null, { status: 202 })
      const sent = request.headers.get('mcp-session-id')
      if (body.method === 'tools/list')
        return Response.json({ jsonrpc: '2.0', id: body.id, result: { tools: [{ name: 'now', inputSchema: EMPTY }] } })
      calls.push(sent)
      if (sent === 'session-1') return new Response('gone', { status: 404 })
      return Response.json({ jsonrpc: '2.0', id: body.id, result: { content: [{ type: 'text', text: 'noon' }] } })
    })
    const server = await add({ name: 'Forgetful', url })
    expect(await (await named('forgetful__now')).call({}, signal)).toEqual({ text: 'noon', failed: false })
    expect(calls).toEqual(['session-1', 'session-2'])
    expect(seen.filter(({ method }) => method === 'GET')).toEqual([])
    await remove(server.id)
  })

  test('that hangs costs its own call, and after some of them nothing', async () => {
    const { url, seen } = older(
      () => [{ name: 'wait', inputSchema: EMPTY }],
      () => new Response(new ReadableStream({ start() {} }), { headers: { 'content-type': 'text/event-stream' } }),
    )
    const good = newer()
    const [hanging, fine] = [await add({ name: 'Hanging', url }), await add({ name: 'Fine', url: good.url })]
    const wait = await named('hanging__wait')
    const aborted = new AbortController()
    const waiting = wait.call({}, aborted.signal)
    expect((await (await named('fine__add')).call({ left: 2, right: 2 }, signal)).text).toBe('4')
    setTimeout(() => aborted.abort(new Error('enough')), 100)
    expect(waiting).rejects.toThrow('enough')
    await waiting.catch(() => {})
    const before = seen.length
    for (let tries = 0; tries < 5; tries += 1) context.egress.breakers.recordFailure(`mcp ${hanging.id}`)
    const refused = await wait.call({}, signal)
    expect(refused).toMatchObject({ failed: true })
    expect(refused.text).toContain('did not answer several times')
    expect(seen.length).toBe(before)
    await remove(hanging.id)
    await remove(fine.id)
  })

  test('that leaves its stream open has answered, and asks us in vain for what we do not give', byTheClock, async () => {
    const said: unknown[] = []
    const { url } = stranger(async (request, body) => {
      if (body.method === 'initialize') return initialized(body.id)
      if (body.method === 'server/discover') return notKnown(body.id)
      if (body.method === 'tools/list')
        return Response.json({ jsonrpc: '2.0', id: body.id, result: { tools: [{ name: 'open', inputSchema: EMPTY }] } })
      if (body.method !== 'tools/call') {
        if (!body.method) said.push(await request.json())
        return new Response(null, { status: 202 })
      }
      const frame = (message: object) =>
        new TextEncoder().encode(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`)
      const stream = new ReadableStream({
        start(controller) {
          controller.enqueue(frame({ id: 'theirs', method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } }))
          controller.enqueue(frame({ id: body.id, result: { content: [{ type: 'text', text: 'open' }] } }))
        },
      })
      return new Response(stream, { headers: { 'content-type': 'text/event-stream' } })
    })
    const server = await add({ name: 'Streaming', url })
    const began = performance.now()
    expect(await (await named('streaming__open')).call({}, signal)).toEqual({ text: 'open', failed: false })
    expect(performance.now() - began).toBeLessThan(3_000)
    await until(() => said.length > 0)
    expect(said).toMatchObject([{ id: 'theirs', error: { code: -32601 } }])
    await remove(server.id)
  })

  test('that never answers is waited for a few seconds, once in a while', { ...byTheClock, timeout: 30_000 }, async () => {
    const { url, seen } = stranger(() => new Promise<Response>(() => {}))
    const server = await add({ name: 'Silent', url })
    const impatient = new AbortController()
    setTimeout(() => impatient.abort(new Error('gone')), 50)
    expect(listExternalTools(context, mine, impatient.signal)).rejects.toThrow('gone')
    const began = performance.now()
    const offering = listExternalTools(context, mine, signal)
    const probing = probe(server.id)
    const offered = await offering
    expect(performance.now() - began).toBeLessThan(5_500)
    const told = await probing
    expect(told).toMatchObject({ ok: false, problem: 'Silent did not answer in time. Try again later.' })
    expect(offered).toEqual([])
    expect(performance.now() - began).toBeLessThan(12_000)
    const [before, again] = [seen.length, performance.now()]
    expect(await listExternalTools(context, mine, signal)).toEqual([])
    expect(performance.now() - again).toBeLessThan(2_500)
    expect(seen.length).toBe(before)
    await remove(server.id)
  })

  test('that lies is held to what can be: too much, too large, too deep, twice, or no list at all', async () => {
    let deep: object = { type: 'object' }
    for (let level = 0; level < 30; level += 1) deep = { type: 'object', properties: { more: deep } }
    const tools = [
      { name: 'good', description: 'x'.repeat(5000), inputSchema: EMPTY },
      { name: 'good', inputSchema: EMPTY },
      { name: 'n'.repeat(200), inputSchema: EMPTY },
      { name: 'large', inputSchema: { ...EMPTY, description: 'y'.repeat(20_000) } },
      { name: 'deep', inputSchema: deep },
      { name: 'with spaces/and\u202e marks', title: 'a\nb', inputSchema: EMPTY },
    ]
    const lying = await add({ name: 'Lying', url: older(() => tools).url })
    expect((await probe(lying.id)).leftOut.map((each: string) => each.split(': ')[1])).toEqual([
      'another tool has this name',
      'its name has more than 128 characters',
      'its schema has more than 16384 bytes',
      'its schema is nested deeper than 16 levels',
    ])
    const { data: listed } = await ok('GET', `${PATH}/${lying.id}/tools`, { as })
    expect(listed.map(({ name }: { name: string }) => name)).toEqual([
      'lying__good',
      expect.stringMatching(/^lying__with_spaces_and_marks_[0-9a-f]{6}$/),
    ])
    expect(listed[0].description.length).toBeLessThan(1030)
    expect(listed[1].title).toBe('a b')

    const many = await add({
      name: 'Many',
      url: older(() => Array.from({ length: 5000 }, (_, at) => ({ name: `tool${at}`, inputSchema: EMPTY }))).url,
    })
    expect((await probe(many.id)).tools).toBe(128)
    const huge = await add({ name: 'Huge', url: older(() => [{ name: 'z', description: 'z'.repeat(3_000_000), inputSchema: EMPTY }]).url })
    expect(await probe(huge.id)).toMatchObject({ ok: false, tools: 0 })
    const nonsense = await add({ name: 'Nonsense', url: older(() => [{ name: 'z', inputSchema: 'no schema' }]).url })
    expect(await probe(nonsense.id)).toMatchObject({ ok: false })
    const endless = await add({
      name: 'Endless',
      url: stranger((_, body) => {
        if (body.method === 'initialize') return initialized(body.id)
        if (body.method?.startsWith('notifications/')) return new Response(null, { status: 202 })
        if (body.method === 'tools/list')
          return Response.json({ jsonrpc: '2.0', id: body.id, result: { tools: [], nextCursor: String(Math.random()) } })
        return notKnown(body.id)
      }).url,
    })
    expect(await probe(endless.id)).toMatchObject({ ok: false })
    const abyss = '['.repeat(300_000) + ']'.repeat(300_000)
    const bottomless = await add({
      name: 'Bottomless',
      url: stranger((_, body) => {
        if (body.method === 'initialize') return initialized(body.id)
        if (body.method?.startsWith('notifications/')) return new Response(null, { status: 202 })
        if (body.method !== 'tools/list') return notKnown(body.id)
        const list = `{"jsonrpc":"2.0","id":${body.id},"result":{"tools":[{"name":"z","inputSchema":{"type":"object","x":${abyss}}}]}}`
        return new Response(list, { headers: { 'content-type': 'application/json' } })
      }).url,
    })
    expect(await probe(bottomless.id)).toMatchObject({ tools: 0 })
    for (const { id } of [lying, many, huge, nonsense, endless, bottomless]) await remove(id)
  })

  test('that sends elsewhere is not followed there, and the credential stays', async () => {
    const thief = stranger(() => new Response('{}'))
    const { url } = stranger(() => new Response(null, { status: 307, headers: { location: thief.url } }))
    const server = await add({ name: 'Redirecting', url, headers: { 'x-api-key': 'secret' } })
    expect(await probe(server.id)).toMatchObject({ ok: false })
    expect(thief.seen).toEqual([])
    await remove(server.id)
  })

  test('of the same name as another has other names for its tools', async () => {
    const [one, two] = [newer(), newer()]
    const [first, second] = [await add({ name: 'Twin', url: one.url }), await add({ name: 'Twin', url: two.url })]
    expect((await listExternalTools(context, mine, signal)).map(({ name }) => name)).toEqual(['twin__add', 'twin-2__add'])
    await ok('PATCH', `${PATH}/${first.id}`, { as, body: { enabled: false } })
    expect((await listExternalTools(context, mine, signal)).map(({ name }) => name)).toEqual(['twin-2__add'])
    await remove(first.id)
    await remove(second.id)
  })
})

describe('rights', () => {
  test('a server is its own person’s, and nobody else’s; the whole store’s are added by admins', async () => {
    const agent = await app.person('Agent')
    await ok('POST', `/v1/stores/${main.storeId}/members`, { as, body: { email: agent.email, role: 'agent' } })
    const { url } = newer()
    const [own, shared] = [await add({ name: 'Own', url }), await add({ name: 'Shared', url, shared: true })]
    const list = async (token: string) =>
      (await ok('GET', `${PATH}?storeId=${main.storeId}`, { as: token })).data.map(({ id }: { id: string }) => id)
    expect(await list(as)).toEqual([own.id, shared.id])
    expect(await list(agent.token)).toEqual([shared.id])
    const status = async (method: string, path: string, token?: string, body?: object) =>
      (await call(method, path, { ...(token && { as: token }), ...(body && { body }) })).status
    for (const [method, path, body] of [
      ['PATCH', '', { name: 'Mine' }],
      ['DELETE', '', undefined],
      ['POST', '/test', undefined],
      ['GET', '/tools', undefined],
      ['POST', '/oauth/start', {}],
      ['POST', '/oauth/complete', { state: 'x' }],
    ] as const) {
      const at = (id: string) => `${PATH}/${id}${path}`
      expect([path, await status(method, at(own.id), agent.token, body)]).toEqual([path, 404])
      expect([path, await status(method, at(shared.id), other.owner.token, body)]).toEqual([path, 404])
      expect([path, await status(method, at(own.id), undefined, body)]).toEqual([path, 401])
      expect([path, await status(method, at(own.id), main.key, body)]).toEqual([path, 403])
    }
    expect(await status('PATCH', `${PATH}/${shared.id}`, agent.token, { name: 'Mine' })).toBe(403)
    expect(await status('DELETE', `${PATH}/${shared.id}`, agent.token)).toBe(403)
    expect(await status('POST', PATH, agent.token, { storeId: main.storeId, name: 'x', url, shared: true })).toBe(403)
    expect(await status('POST', PATH, other.owner.token, { storeId: main.storeId, name: 'x', url })).toBe(404)
    expect(await status('GET', `${PATH}?storeId=${main.storeId}`, other.owner.token)).toBe(404)
    expect((await listExternalTools(context, { projectId: main.projectId, userId: agent.id }, signal)).map(({ name }) => name)).toEqual([
      'shared__add',
    ])
    const log = (await ok('GET', `/v1/stores/${main.storeId}/audit?filter[what]=mcp_server.added`, { as })).data
    expect(log).toHaveLength(1)
    await remove(own.id)
    await remove(shared.id)
  })

  test('what is wrong is refused with the place where it is', async () => {
    const refused = async (body: object) => {
      const answer = await call('POST', PATH, {
        as,
        body: { storeId: main.storeId, name: 'x', url: 'https://tools.example.com/mcp', ...body },
      })
      return [answer.status, answer.body.error.details?.[0]?.path]
    }
    expect(await refused({ url: 'ftp://tools.example.com' })).toEqual([400, '/body/url'])
    expect(await refused({ url: 'https://user:word@tools.example.com' })).toEqual([400, '/body/url'])
    expect(await refused({ headers: { host: 'elsewhere' } })).toEqual([400, '/body/headers'])
    expect(await refused({ headers: { 'x-one': 'a\r\nb: c' } })).toEqual([400, '/body/headers/x-one'])
    expect(await refused({ auth: 'none', headers: { 'x-one': '1' } })).toEqual([400, '/body/headers'])
    expect(await refused({ auth: 'none', client: { clientId: 'x' } })).toEqual([400, '/body/client'])
    expect((await refused({ surplus: 1 }))[0]).toBe(400)
  })

  test('there are so many, also for two who ask at once', async () => {
    const person = main.owner
    await context.sql`insert into mcp_servers (project_id, id, user_id, name, url, auth)
      select ${main.projectId}, 'mcp_full' || n, ${person.id}, 'Full', 'https://tools.example.com/mcp', 'none' from generate_series(1, 19) n`
    const body = { storeId: main.storeId, name: 'Last', url: 'https://tools.example.com/mcp' }
    const both = await Promise.all([1, 2, 3].map(() => call('POST', PATH, { as, body })))
    expect(both.map(({ status }) => status).sort()).toEqual([201, 422, 422])
    await context.sql`delete from mcp_servers where project_id = ${main.projectId}`
  })

  test('a repeat under an Idempotency-Key is the same server', async () => {
    const body = { storeId: main.storeId, name: 'Once', url: 'https://tools.example.com/mcp' }
    const headers = { 'idempotency-key': 'once' }
    const [one, two] = [await ok('POST', PATH, { as, body, headers }), await ok('POST', PATH, { as, body, headers })]
    expect(two).toEqual(one)
    await remove(one.data.id)
  })

  test('with a store and with a person goes what they had', async () => {
    const shop = await app.shop()
    await ok('POST', PATH, {
      as: shop.owner.token,
      body: { storeId: shop.storeId, name: 'x', url: newer().url, headers: { 'x-one': '1' } },
    })
    await ok('DELETE', `/v1/stores/${shop.storeId}`, { as: shop.owner.token })
    expect(await context.sql`select 1 from mcp_servers where project_id = ${shop.projectId}`).toBeEmpty()

    const agent = await app.person('Leaving')
    await ok('POST', `/v1/stores/${main.storeId}/members`, { as, body: { email: agent.email, role: 'agent' } })
    const own = { storeId: main.storeId, name: 'Own', url: newer().url, headers: { 'x-one': '1' } }
    await ok('POST', PATH, { as: agent.token, body: own })
    const shared = await add({ name: 'Stays', url: newer().url, shared: true })
    await ok('DELETE', `/v1/users/${agent.id}`, { as: administrator.token })
    expect((await context.sql`select id from mcp_servers where project_id = ${main.projectId}`).map(({ id }) => id)).toEqual([shared.id])
    expect(await context.sql`select 1 from mcp_secrets s where not exists (select 1 from mcp_servers where id = s.server_id)`).toBeEmpty()
    await remove(shared.id)
  })
})
