import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { type Connection, connectPool } from '../../core/data/sql.ts'
import { connectionUrl } from '../support/database.ts'
import { findInTables } from '../support/dump.ts'
import { spawnServer } from '../support/process.ts'
import { storefront } from '../support/storefront.ts'
import { until } from '../support/until.ts'

const EVENTS = 100_000

const given = await connectionUrl()
const server = await spawnServer({ ...given })
const connection = (): Connection =>
  given.DATABASE_URL
    ? { url: given.DATABASE_URL }
    : { socketDir: join(server.dataDir, 'postgres'), port: 5432, user: 'serai', database: 'postgres' }
const sql = connectPool(connection(), 2)
afterAll(async () => {
  await sql.end()
  await server.stop()
}, 30_000)

test('a process that is killed in the middle of an erasure finishes it after its restart', async () => {
  const { ok, open } = storefront(server.url)
  const { as, key, storeId, projectId } = await open()
  const product = await ok('POST', '/v1/products', key, { storeId, name: 'Lamp', sku: 'L', price: 1200, initialStock: 50 })
  const order = (customer: object) =>
    ok('POST', '/v1/orders', key, {
      storeId,
      customer,
      destination: { country: 'DZ', stateCode: '16', cityName: 'Bab Ezzouar', address: '17 impasse des Orangers', deliveryType: 'home' },
      items: [{ productId: product.id, quantity: 1 }],
    })
  await order({ name: 'Zoulikha Benyoucef', phone: '0661987654' })
  const body = JSON.stringify({ data: { order: { id: 'ord_other', customer: { name: 'Karima Mansouri', phone: '+213550123456' } } } })
  await sql`insert into events (id, project_id, type, body)
    select 'evt_00' || lpad(n::text, 24, '0'), ${projectId}, 'order.created', ${body} from generate_series(1, ${EVENTS}) n`
  const { id } = await ok('POST', `/v1/stores/${storeId}/erasures`, as, { phone: '0661987654' })
  const began = performance.now()
  const at = async () =>
    (await sql<{ state: string; step: number; place: string | null }[]>`select state, step, place from erasures where id = ${id}`)[0]
  // Between two slices of one table.
  await until(async () => (await at())?.place !== null)
  await server.kill()
  const killed = await at()
  expect(killed?.state).toBe('running')
  await server.start()
  await until(async () => (await at())?.state === 'done', 90_000)
  console.log(
    `an erasure among ${EVENTS} events, with a kill at step ${killed?.step}, was done after ${Math.round(performance.now() - began)} ms`,
  )
  expect(await findInTables(sql, ['Zoulikha', 'Benyoucef', '661987654', 'Orangers'])).toEqual([])
}, 240_000)
