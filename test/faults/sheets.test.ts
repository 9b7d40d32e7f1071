import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import googleSheets from '../../adapters/spreadsheet/google-sheets/index.ts'
import { type Connection, connectPool } from '../../core/data/sql.ts'
import { CLIENT, startGoogle } from '../adapters/spreadsheet/google-sheets/simulator.ts'
import { connectionUrl } from '../support/database.ts'
import { spawnServer } from '../support/process.ts'
import { storefront } from '../support/storefront.ts'
import { until } from '../support/until.ts'

const google = startGoogle()
const given = await connectionUrl()
const server = await spawnServer({ ...given, SIMULATORS: googleSheets.net.map((host) => `${host}=${google.url}`).join(',') })
afterAll(async () => {
  await server.stop()
  await google.stop()
})
const connection = (): Connection =>
  given.DATABASE_URL
    ? { url: given.DATABASE_URL }
    : { socketDir: join(server.dataDir, 'postgres'), port: 5432, user: 'serai', database: 'postgres' }

/** The dead one's turn is over, and nothing rests: what takes a minute otherwise. */
async function aMinuteLater() {
  const sql = connectPool(connection(), 1)
  await sql`update sheet_leases set until = now()`
  await sql`update sheet_targets set rests_until = null`
  await sql.end()
}

test('killed while it writes into a sheet, before and after the other side did it: each order has one row', async () => {
  const { ok, open } = storefront(server.url)
  const { key, storeId, as: token } = await open()
  const { id: product } = await ok('POST', '/v1/products', key, { storeId, name: 'Basket', sku: 'B', price: 2500, initialStock: 100 })
  const base = `/v1/stores/${storeId}/integrations/google-sheets`
  await ok('PUT', base, token, { enabled: true, credentials: CLIENT })
  const { url } = await ok('GET', `/v1/oauth2/google/sheets/auth-url?storeId=${storeId}`, token)
  const { pathname, search } = new URL(url)
  const consent = await fetch(google.url + pathname + search, { redirect: 'manual' })
  expect((await fetch(consent.headers.get('location') ?? '')).status).toBe(200)
  const { spreadsheetId, tabId } = await ok('POST', `${base}/create`, token, { language: 'en' })
  const keys = () =>
    google
      .tab(spreadsheetId, Number(tabId))
      .rows.slice(1)
      .map(([cell]) => cell?.value)

  const taken: string[] = []
  for (const fault of [{ neverAnswer: 1 }, { ignore: 1 }]) {
    Object.assign(google.faults, fault)
    const { id } = await ok('POST', '/v1/orders', key, {
      storeId,
      customer: { name: 'Lina', phone: '0550123456' },
      destination: { country: 'DZ', stateCode: '16', cityName: 'Bab Ezzouar', address: '', deliveryType: 'home' },
      items: [{ productId: product, quantity: 1 }],
    })
    taken.push(id)
    const asked = google.requests.length
    await ok('POST', `${base}/append-row`, token, { orderId: id })
    await until(() => google.requests.slice(asked).some(({ path }) => path.endsWith(':append')))
    await server.kill()
    google.calm()
    await server.start()
    await aMinuteLater()
    await ok('POST', `${base}/sync-headers`, token, {})
    await until(async () => (await ok('GET', `${base}/configure`, token)).rows.waiting === 0)
    expect(keys()).toEqual(taken)
  }
}, 120_000)
