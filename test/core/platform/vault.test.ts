import { afterAll, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Config, readConfig } from '../../../core/config.ts'
import { connectPool } from '../../../core/data/sql.ts'
import { type SealedColumn, sealedColumns } from '../../../core/platform/vault/vault.queries.ts'
import { type RunningServer, serve } from '../../../core/serve.ts'
import { freshDatabase, redisOfItsOwn } from '../../support/database.ts'
import { explained, nodes, type Plan } from '../../support/explained.ts'
import { scratchFolder } from '../../support/scratch.ts'
import { until } from '../../support/until.ts'

const connection = await freshDatabase()
const sql = connectPool(connection, 1)
afterAll(() => sql.end())
const newKey = () => randomBytes(32).toString('base64')
const shared = redisOfItsOwn()
const keyIn = (folder: string) => join(folder, 'encryption.key')

function configOf(folder: string, environment: Record<string, string> = {}): Config {
  const settings = { PORT: '0', DATA_DIR: folder, LOG_LEVEL: 'fatal', ADAPTER_ISOLATION: 'none', ...shared, ...environment }
  return { ...readConfig(settings), rateLimitPerMinute: 1e6, publicRateLimitPerMinute: 1e6, allowPrivateWebhooks: true, databasePool: 4 }
}
const start = (folder: string, environment?: Record<string, string>) => serve(configOf(folder, environment), { socket: false, connection })

async function during<V>(
  running: Promise<RunningServer>,
  work: (ask: ReturnType<typeof askOf>, running: RunningServer) => Promise<V>,
): Promise<V> {
  const server = await running
  try {
    return await work(askOf(server), server)
  } finally {
    await server.stop()
  }
}

const askOf =
  ({ handle }: RunningServer) =>
  async (method: string, path: string, as?: string, body?: object, headers: Record<string, string> = {}) => {
    const request = new Request(`http://localhost${path}`, {
      method,
      headers: { ...(as && { authorization: `Bearer ${as}` }), ...(body && { 'content-type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
    })
    const answer = await handle(request)
    // biome-ignore lint/suspicious/noExplicitAny: a test reads shapes that it then asserts
    return { status: answer.status, headers: answer.headers, data: ((await answer.json()) as any).data }
  }

const home = await scratchFolder()
const person = { name: 'Amina', email: 'amina@example.dz', password: 'correct horse' }
const store = { name: 'Boutique', countryCode: 'DZ', currencyCode: 'DZD' }
const once = { 'idempotency-key': 'one store' }
const connect1 = { enabled: true, credentials: { webhookSecret: 'rehearsal-secret-1' }, settings: {} }
let token = ''
let storeId = ''

const isConnected = async (ask: ReturnType<typeof askOf>) =>
  (await ask('POST', `/v1/stores/${storeId}/integrations/sandbox/testConnection`, token)).status

const sealedNow = async () => {
  const rows = await sql<{ sealed: string }[]>`
    select credentials as sealed from integrations union all select secrets->0->>'sealed' from webhook_endpoints
    union all select body from idempotency_keys union all select sealed from vault_mark`
  return rows.map(({ sealed }) => sealed)
}

test('the first start makes a key that only its user reads, and the database keeps a mark of it', async () => {
  await during(start(home), async (ask) => {
    token = (await ask('POST', '/v1/users/auth/signup', undefined, person)).data.token
    const made = await ask('POST', '/v1/stores', token, store, once)
    storeId = made.data.id
    await ask('PUT', `/v1/stores/${storeId}/integrations/sandbox`, token, connect1)
    const { data } = await ask('POST', `/v1/projects/${made.data.projectId}/api-keys`, token, { name: 'k', scopes: ['webhooks:manage'] })
    await ask('POST', '/v1/webhook-endpoints', data.key, { url: 'http://127.0.0.1:9/', events: ['parcel.created'] })
    expect(await isConnected(ask)).toBe(200)
  })
  expect((await stat(keyIn(home))).mode & 0o777).toBe(0o600)
  expect((await sealedNow()).length).toBe(4)
})

test('with another key, with none, and with one that cannot be read the start is refused, and nothing is written', async () => {
  const before = await sealedNow()
  const [empty, odd, torn] = [await scratchFolder(), await scratchFolder(), await scratchFolder()]
  await mkdir(keyIn(odd), { recursive: true })
  await mkdir(torn, { recursive: true })
  await writeFile(keyIn(torn), 'c2hvcnQ=\n')
  await expect(start(home, { ENCRYPTION_KEY: newKey() })).rejects.toThrow('not the one of this database')
  await expect(start(empty)).rejects.toThrow('There is no encryption key')
  await expect(start(odd)).rejects.toThrow('cannot be read (EISDIR)')
  await expect(start(torn)).rejects.toThrow('holds no encryption key')
  expect((await readdir(empty).catch(() => [])).filter((name) => name.startsWith('encryption'))).toEqual([])
  expect(await sealedNow()).toEqual(before)
})

test('a database that was sealed before there were marks is known by what it holds', async () => {
  const [mark] = await sql`delete from vault_mark returning sealed`
  await expect(start(home, { ENCRYPTION_KEY: newKey() })).rejects.toThrow('not the one of this database')
  await during(start(home), async (ask) => expect(await isConnected(ask)).toBe(200))
  expect(mark).toBeDefined()
  expect((await sealedNow()).length).toBe(4)
})

test('a key is rotated: old and new work at once, everything is sealed anew, then the old one is needed no more', async () => {
  const [before, fresh] = [(await Bun.file(keyIn(home)).text()).trim(), newKey()]
  const rotating = { ENCRYPTION_KEY: fresh, ENCRYPTION_KEY_PREVIOUS: before }
  await during(start(home, rotating), async (ask, { context }) => {
    expect(await isConnected(ask)).toBe(200)
    await until(async () => (await sealedNow()).every((sealed) => sealed.startsWith(context.vault.prefix)))
    expect(await isConnected(ask)).toBe(200)
  })
  await rm(keyIn(home))
  await during(start(home, { ENCRYPTION_KEY: fresh }), async (ask) => {
    expect(await isConnected(ask)).toBe(200)
    // What was asked under an Idempotency-Key before is still known for the same request.
    const again = await ask('POST', '/v1/stores', token, store, once)
    expect([again.status, again.headers.get('idempotent-replayed'), again.data.id]).toEqual([201, 'true', storeId])
    expect((await ask('POST', '/v1/stores', token, { ...store, name: 'Other' }, once)).status).toBe(422)
  })
  await expect(start(home, { ENCRYPTION_KEY: before })).rejects.toThrow('not the one of this database')
})

test('what is to be sealed anew is found slice by slice, however much there is', async () => {
  await sql`insert into idempotency_keys (owner, key, request_hash, status, body)
    select 'prj_' || n % 100, 'key ' || n, '', 201, case n % 2 when 0 then 'v2.before.' else 'v2.now.' end from generate_series(1, 30000) n`
  await sql`analyze idempotency_keys`
  const [plans, found]: [Plan[], string[]] = [[], []]
  const watched = explained(sql, plans)
  for (let after: string | undefined = ''; after !== undefined; ) {
    const slice: Awaited<ReturnType<SealedColumn['list']>> = await sealedColumns[3].list(
      plans.length === 0 ? watched : sql,
      'v2.now.',
      after,
      1_000,
    )
    found.push(...slice.filter(({ owner }) => owner.startsWith('prj_')).map(({ row }) => row))
    after = slice.length < 1_000 ? undefined : slice.at(-1)?.row
  }
  expect(plans.flatMap(nodes).map((node) => node['Node Type'])).not.toContain('Sort')
  expect([found.length, new Set(found).size]).toEqual([15_000, 15_000])
})
