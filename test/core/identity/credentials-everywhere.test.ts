import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { connectPool } from '../../../core/data/sql.ts'
import { openChasm } from '../../support/chasm.ts'
import { connectionUrl, external, redisOfItsOwn } from '../../support/database.ts'
import { letIn, newApp } from '../../support/oauth.ts'
import { type ServerProcess, spawnServer } from '../../support/process.ts'
import { until } from '../../support/until.ts'

const PROCESSES = 4
const WITHIN_MS = 1_000

type Json = Record<string, unknown>
interface Said {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: a test reads shapes that it then asserts
  readonly body: any
}

describe.skipIf(!external.redisUrl)('a credential that has lost its rights', () => {
  const servers: ServerProcess[] = []
  let chasm: Awaited<ReturnType<typeof openChasm>>
  let sql: ReturnType<typeof connectPool>
  let people = 0

  beforeAll(async () => {
    const address = new URL(external.redisUrl!)
    chasm = await openChasm(Number(address.port || 6379))
    address.host = `127.0.0.1:${chasm.port}`
    const database = await connectionUrl()
    sql = connectPool({ url: database.DATABASE_URL! }, 1)
    const environment = {
      ...database,
      ...redisOfItsOwn(),
      REDIS_URL: address.href,
      ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
      DATABASE_POOL: '3',
      WORKER_CONCURRENCY: '2',
    }
    for (let at = 0; at < PROCESSES; at += 1) servers.push(await spawnServer(environment))
    await person()
  }, 120_000)

  afterAll(async () => {
    await Promise.all(servers.map((server) => server.kill()))
    await sql?.end()
    await chasm?.close()
  })

  async function ask(at: number, method: string, path: string, as?: string, body?: Json): Promise<Said> {
    const headers = { ...(as && { authorization: `Bearer ${as}` }), ...(body && { 'content-type': 'application/json' }) }
    const signal = AbortSignal.timeout(15_000)
    const answer = await fetch(servers[at]!.url + path, { method, headers, signal, ...(body && { body: JSON.stringify(body) }) })
    const text = await answer.text()
    return { status: answer.status, body: text === '' ? null : JSON.parse(text) }
  }
  const ok = async (method: string, path: string, as?: string, body?: Json) => {
    const said = await ask(0, method, path, as, body)
    if (said.status >= 300) throw new Error(`${method} ${path}: ${said.status} ${JSON.stringify(said.body)}`)
    return said.body?.data
  }
  async function person() {
    const email = `everywhere${++people}-${process.pid}@example.dz`
    const { user, token } = await ok('POST', '/v1/users/auth/signup', undefined, { name: 'P', email, password: 'correct horse' })
    return { id: user.id as string, email, token: token as string }
  }
  async function shop() {
    const owner = await person()
    const store = await ok('POST', '/v1/stores', owner.token, { name: 'Boutique', countryCode: 'DZ', currencyCode: 'DZD' })
    const project = await ok('POST', `/v1/stores/${store.id}/ensure-project`, owner.token)
    const keys = `/v1/projects/${project.id}/api-keys`
    const key = await ok('POST', keys, owner.token, { name: 'all', scopes: ['parcels:read', 'tenants:manage'] })
    return { owner, storeId: store.id as string, project, keys, key }
  }

  const outcomes = async (path: string, as: string) =>
    Promise.all(
      servers.map(async (_, at) => ask(at, 'GET', path, as).then(({ status, body }) => `${status} ${body?.error?.code ?? ''}`.trim())),
    )
  const all = (outcome: string) => Array.from({ length: PROCESSES }, () => outcome)

  /** Every process has it in its memory; then it changes, and each knows within a second. */
  async function changes(path: string, as: string, before: string, change: () => Promise<unknown>, after: string) {
    for (let round = 0; round < 3; round += 1) expect(await outcomes(path, as)).toEqual(all(before))
    await change()
    const began = performance.now()
    let last = await outcomes(path, as)
    while (performance.now() - began < WITHIN_MS && last.join() !== all(after).join()) {
      await Bun.sleep(20)
      last = await outcomes(path, as)
    }
    expect(last).toEqual(all(after))
  }

  async function everyChange() {
    const { owner, project, keys, key, storeId } = await shop()
    const endpoint = '/v1/parcels?limit=1'
    const tenant = `/v1/tenants/${project.tenantId}`
    const others = ['geo', 'webhooks', 'inventory']
    await changes(
      endpoint,
      key.key,
      '200',
      () => ok('PATCH', `/v1/projects/${project.id}`, owner.token, { products: others }),
      '403 product_not_enabled',
    )
    await changes(
      endpoint,
      key.key,
      '403 product_not_enabled',
      () => ok('PATCH', `/v1/projects/${project.id}`, owner.token, { products: [...others, 'parcels'] }),
      '200',
    )
    await changes(endpoint, key.key, '200', () => ok('DELETE', tenant, owner.token), '401 invalid_api_key')
    await ok('PATCH', tenant, owner.token, { deleting: false })
    await changes(endpoint, key.key, '200', () => ok('DELETE', `${keys}/${key.id}`, owner.token), '401 invalid_api_key')

    const boss = await person()
    await ok('POST', `/v1/stores/${storeId}/members`, owner.token, { email: boss.email, role: 'admin' })
    const reach = { origin: servers[0]!.url, listening: true } as never
    const program = await newApp(
      { ok: async (method, path, { as, body } = {}) => ({ data: await ok(method, path, as, body as Json) }) },
      owner,
    )
    const { access_token } = await letIn(reach, program, { ...boss, token: '' }, 'parcels:read')
    const member = `/v1/stores/${storeId}/members/${boss.id}`
    await changes(endpoint, access_token, '200', () => ok('PUT', member, owner.token, { role: 'viewer' }), '403 forbidden')

    await changes('/v1/users/auth', boss.token, '200', () => ok('POST', '/v1/users/auth/signout', boss.token), '401 invalid_token')
    // Direct writes count too: an operator may promote a user in the database.
    const promote = () => sql`update users set is_admin = true where id = ${owner.id}`
    const foreign = `/v1/tenants/${(await shop()).project.tenantId}`
    await changes(foreign, owner.token, '404 not_found', promote, '200')
  }

  test('is known in four processes within a second', everyChange, 60_000)

  test('also while Redis is away', async () => {
    chasm.swallow()
    const isAway = async (at: number) => (await ask(at, 'GET', '/health/check')).body.checks.shared !== 'ok'
    for (let at = 0; at < PROCESSES; at += 1) await until(() => isAway(at))
    await everyChange()
  }, 120_000)
})
