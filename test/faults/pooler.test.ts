import { afterAll, beforeAll, expect, test } from 'bun:test'
import { connectPool } from '../../core/data/sql.ts'
import { openPooler, type Pooler, pgbouncer } from '../support/pooler.ts'
import { type OwnPostgres, ownPostgres } from '../support/postgres.ts'
import { type ServerProcess, spawnServer } from '../support/process.ts'
import { inParallel, storefront } from '../support/storefront.ts'
import { until } from '../support/until.ts'

const PARCELS = 60
/** Fewer than one server alone would hold open. */
const SESSIONS = 6

if (!pgbouncer)
  console.error('!! NOT RUN: there is no PgBouncer here. Install it (apt-get install pgbouncer) to test what stands behind it.')

let database: OwnPostgres
let pooler: Pooler
const servers: ServerProcess[] = []
const told: string[] = []
const receiver = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    const { data } = (await request.json()) as { data: { parcel: { reference: string } } }
    told.push(data.parcel.reference)
    return new Response('ok')
  },
})

beforeAll(async () => {
  if (!pgbouncer) return
  database = await ownPostgres()
  pooler = await openPooler(database.port, SESSIONS)
  const environment = {
    DATABASE_URL: pooler.url,
    DATABASE_POOLER: 'transaction',
    DATABASE_POOL: '10',
    ENCRYPTION_KEY: `${'k'.repeat(43)}=`,
  }
  for (let at = 0; at < 2; at += 1) servers.push(await spawnServer(environment))
}, 240_000)
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()))
  await pooler?.stop()
  await database?.stop('immediate')
  await receiver.stop(true)
})

test.skipIf(!pgbouncer)(
  'two servers behind a pooler that gives each transaction another session lose nothing and mix nothing up',
  async () => {
    const [one, other] = servers.map(({ url }) => storefront(url)) as [ReturnType<typeof storefront>, ReturnType<typeof storefront>]
    const shop = await one.open()
    const connection = { enabled: true, credentials: { webhookSecret: 'rehearsal' }, settings: {} }
    const { id: carrierAccountId } = await one.ok('PUT', `/v1/stores/${shop.storeId}/integrations/sandbox`, shop.as, connection)
    await one.ok('POST', '/v1/webhook-endpoints', shop.key, {
      url: `http://127.0.0.1:${receiver.port}/`,
      events: ['parcel.status_changed'],
    })
    const references = Array.from({ length: PARCELS }, (_, at) => `P-${at}`)
    await inParallel(references, 20, (reference) =>
      (reference.endsWith('1') ? one : other).ok('POST', '/v1/parcels', shop.key, {
        reference,
        recipient: { name: 'Amina', phone: '0550123456' },
        destination: { country: 'DZ', stateCode: '16', cityName: 'El Biar', address: '', deliveryType: 'home' },
        codAmount: 1200,
        carrierAccountId,
        submit: true,
      }),
    )
    await until(async () => new Set(told).size === PARCELS, 30_000)
    expect(told.toSorted()).toEqual(references.toSorted())

    const sql = connectPool({ url: database.url }, 1)
    const sessions = await sql<
      { name: string; timeout: string }[]
    >`select application_name as name from pg_stat_activity where datname = 'postgres' and pid <> pg_backend_pid()`
    expect(sessions.length).toBeLessThanOrEqual(SESSIONS)
    const [patience] = await sql<
      { config: string[] }[]
    >`select setconfig as config from pg_db_role_setting where setrole = (select oid from pg_roles where rolname = 'serai')`
    expect(patience?.config).toContain('statement_timeout=60000')
    await sql.end()
    expect((await pooler.said()).split('\n').filter((line) => /prepared|unexpected|unsupported/i.test(line))).toEqual([])
  },
  240_000,
)

/** What two servers hold between them: statements wait for each other's sessions all the time. */
test.skipIf(!pgbouncer)(
  'pooler: a statement with parameters right after another one is answered, on any session of the pool',
  async () => {
    const clients = Array.from({ length: 3 }, () => connectPool({ url: pooler.url, pooled: true }, SESSIONS))
    const ask = (sql: (typeof clients)[number], at: number) => (at % 2 ? sql`select ${at}::int as n` : sql.unsafe(`select ${at} as n`))
    const asked = clients.flatMap((sql) => Array.from({ length: 400 }, (_, at) => ask(sql, at).then(([row]) => row!.n === at)))
    expect((await Promise.all(asked)).every(Boolean)).toBe(true)
    await Promise.all(clients.map((sql) => sql.end()))
  },
  30_000,
)
