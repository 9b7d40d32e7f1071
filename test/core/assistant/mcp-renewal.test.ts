import { afterAll, beforeEach, expect, test } from 'bun:test'
import { listExternalTools } from '../../../core/assistant/mcp/tools.ts'
import { readConfig } from '../../../core/config.ts'
import { projectIdOf } from '../../../core/data/project-ids.ts'
import { type RunningServer, serve } from '../../../core/serve.ts'
import { freshDatabase, redisOfItsOwn } from '../../support/database.ts'
import { scratchFolder } from '../../support/scratch.ts'
import { until } from '../../support/until.ts'
import { guarded } from './mcp-guarded.ts'

/** What a server lets one person do at once at another. */
const AT_ONCE = 12
const PATH = '/v1/chat/mcp-servers'

const connection = await freshDatabase()
const settings = readConfig({ PORT: '0', DATA_DIR: await scratchFolder(), LOG_LEVEL: 'fatal', ...redisOfItsOwn() })
const config = {
  ...settings,
  allowPrivateWebhooks: true,
  // Four of them, beside what else is tested, share the connections that a database has.
  databasePool: 4,
  rateLimitPerMinute: 1e6,
  publicRateLimitPerMinute: 1e6,
}
const servers: RunningServer[] = []
for (let at = 0; at < 4; at += 1) servers.push(await serve(config, { socket: true, connection }))
afterAll(() => Promise.all(servers.map((server) => server.stop())))
const [{ context }] = servers as [RunningServer]
const { sql } = context
const signal = new AbortController().signal

let token = ''
async function ask(method: string, path: string, body?: object) {
  const answer = await fetch(servers[0]!.listening!.url.origin + path, {
    method,
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const { data, error } = (await answer.json()) as { data: Record<string, string>; error?: object }
  if (error) throw new Error(`${method} ${path}: ${JSON.stringify(error)}`)
  return data
}
const { token: given = '' } = await ask('POST', '/v1/users/auth/signup', {
  name: 'Owner',
  email: 'owner-of-four@example.dz',
  password: 'correct horse',
})
token = given
const store = await ask('POST', '/v1/stores', { name: 'Boutique', countryCode: 'DZ', currencyCode: 'DZD' })
const [{ ownerId }] = (await sql`select owner_id from stores where id = ${store.id!}`) as [{ ownerId: string }]
const mine = { projectId: projectIdOf(store.id!), userId: ownerId }

const there = guarded({ clients: 'registered' })
const { id = '' } = await ask('POST', PATH, { storeId: store.id, name: 'Guarded', url: there.mcp, auth: 'oauth' })
async function signIn() {
  const { authorizationUrl = '' } = await ask('POST', `${PATH}/${id}/oauth/start`, {})
  await ask('POST', `${PATH}/${id}/oauth/complete`, there.allow(authorizationUrl).back)
}
await signIn()
const tools = await Promise.all(servers.map(async (server) => (await listExternalTools(server.context, mine, signal))[0]!))
/** Once at one of the four. */
const use = (at = 0) => tools[at]!.call({}, signal)
const everywhere = () => Promise.all(tools.flatMap((_, at) => Array.from({ length: AT_ONCE }, () => use(at))))
const DONE = { text: 'done', failed: false }
const kept = async () =>
  (
    await sql<
      { id: string; renewingBy: string | null }[]
    >`select id, renewing_by from mcp_secrets where server_id = ${id} and kind = 'tokens'`
  )[0]
const expire = () => Object.assign(there.state, { access: 'something else' })

beforeEach(async () => {
  Object.assign(there.faults, { delayMs: 0, error500: 0 })
  await signIn()
})

test.each([0, 700])(
  'four servers that need a new token at once ask for it once, and all go on (%d ms)',
  async (delayMs) => {
    Object.assign(there.faults, { delayMs })
    for (const round of [1, 2, 3]) {
      expire()
      const before = there.state.refreshes
      const answers = await everywhere()
      expect([round, answers.filter(({ failed }) => failed), there.state.refreshes - before]).toEqual([round, [], 1])
    }
    expect(await kept()).toMatchObject({ renewingBy: null })
  },
  60_000,
)

test('what cannot be renewed has to be signed in for again: asked once, told everywhere', async () => {
  Object.assign(there.state, { access: 'gone', refresh: 'gone' })
  const before = there.state.refreshes
  const answers = await everywhere()
  expect(answers.every(({ failed, text }) => failed && text.includes('oauth/start'))).toBe(true)
  expect([there.state.refreshes - before, await kept()]).toEqual([1, undefined])
})

test('MCP renewal: a late renewal does not overwrite a newer sign-in', async () => {
  for (const isRefused of [false, true]) {
    expire()
    if (isRefused) there.state.refresh = 'gone'
    Object.assign(there.faults, { delayMs: 1_200 })
    const before = there.state.refreshes
    const late = use(1)
    await until(async () => (there.state.refreshes > before ? true : null))
    Object.assign(there.faults, { delayMs: 0 })
    await signIn()
    const now = await kept()
    expect([isRefused, await late, await kept()]).toEqual([isRefused, DONE, now])
    expect(await use(2)).toEqual(DONE)
  }
})

test('MCP renewal: when a process dies while it renews a token, the next process renews it after the lease has expired', async () => {
  expire()
  await sql`update mcp_secrets set renewing_by = 'ren_dead', renewing_until = now() + interval '1 second' where server_id = ${id} and kind = 'tokens'`
  const [before, began] = [there.state.refreshes, Date.now()]
  expect(await Promise.all([use(0), use(1), use(2)])).toEqual([DONE, DONE, DONE])
  expect([there.state.refreshes - before, Date.now() - began > 700]).toEqual([1, true])
})

test('where it says neither yes nor no nobody has to sign in: it is asked with the next call', async () => {
  expire()
  Object.assign(there.faults, { error500: 1 })
  expect(await use()).toEqual({ failed: true, text: expect.stringContaining('gave no new token') })
  expect(await kept()).toMatchObject({ renewingBy: null })
  expect(await use()).toEqual(DONE)
})
