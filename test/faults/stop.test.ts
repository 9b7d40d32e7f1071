import { expect, test } from 'bun:test'
import { connectionUrl, external } from '../support/database.ts'
import { spawnServer } from '../support/process.ts'
import { storefront } from '../support/storefront.ts'
import { untilValue } from '../support/until.ts'

test('SIGTERM lets a request and its job finish, then stops everything', async () => {
  const server = await spawnServer(await connectionUrl())
  const { ok, open } = storefront(server.url)
  const { as, key, storeId } = await open()
  await ok('PUT', `/v1/stores/${storeId}/integrations/sandbox`, as, {
    enabled: true,
    credentials: { webhookSecret: 'a secret' },
    settings: {},
  })
  const product = await ok('POST', '/v1/products', key, { storeId, name: 'Basket', price: 4500, initialStock: 5 })
  const order = await ok('POST', '/v1/orders', key, {
    storeId,
    customer: { name: 'SLOW Amina', phone: '0550123456' },
    items: [{ productId: product.id, quantity: 1 }],
    destination: { country: 'DZ', stateCode: '16', cityName: 'El Biar', address: 'x', deliveryType: 'home' },
  })
  const sending = fetch(`${server.url}/v1/stores/${storeId}/orders/${order.id}/carriers/sandbox/send`, {
    method: 'POST',
    headers: { authorization: `Bearer ${as}`, 'content-type': 'application/json' },
    body: '{}',
  })
  await Bun.sleep(1_000)
  const stopping = server.stop()
  // No new connection is taken while the one that waits is served.
  const state = () =>
    fetch(`${server.url}/health/check`).then(
      () => 'open',
      () => 'closed',
    )
  await untilValue(state, (now) => now === 'closed', 3_000)
  const answer = await sending
  expect(answer.status).toBe(200)
  expect(((await answer.json()) as { data: { parcel: { status: string } } }).data.parcel.status).toBe('submitted')
  expect(await stopping).toBe(0)
  if (!external.databaseUrl) expect(await Bun.file(`${server.dataDir}/postgres/postmaster.pid`).exists()).toBe(false)
}, 120_000)

test('a setting that cannot be stops the start with its name and what is allowed', async () => {
  const child = Bun.spawn([process.execPath, 'core/main.ts', 'serve'], {
    cwd: `${import.meta.dir}/../..`,
    env: { ...process.env, PORT: 'eighty', LOG_LEVEL: 'loud' },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  expect(await child.exited).toBe(1)
  const said = await new Response(child.stderr).text()
  expect(said).toContain('PORT must be a port number')
  expect(said).toContain('LOG_LEVEL must be fatal')
})

test('a server begins in a data folder that is not there, and no other shares it', async () => {
  if (external.databaseUrl) return expect(external.databaseUrl).toBeString()
  const server = await spawnServer({}, { anew: true })
  const child = Bun.spawn([process.execPath, 'core/main.ts', 'serve'], {
    cwd: `${import.meta.dir}/../..`,
    env: { ...process.env, PORT: '0', DATA_DIR: server.dataDir },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  expect(await child.exited).toBe(1)
  expect(await new Response(child.stderr).text()).toContain('Another server')
  await server.stop()
}, 120_000)

test('a database that dies alone is started again, and the server is well by itself', async () => {
  if (external.databaseUrl) return expect(external.databaseUrl).toBeString()
  const server = await spawnServer()
  const { ok, open } = storefront(server.url)
  const { key, storeId } = await open()
  await server.killDatabase()
  const health = () => fetch(`${server.url}/health/check`)
  expect((await health()).status).toBe(503)
  // The client asks until it is answered.
  const product = await ok('POST', '/v1/products', key, { storeId, name: 'Basket', price: 4500 })
  expect(product.name).toBe('Basket')
  expect((await health()).status).toBe(200)
  expect(await server.stop()).toBe(0)
}, 120_000)
