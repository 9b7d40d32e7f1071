import { afterAll, expect, test } from 'bun:test'
import { startApp } from '../../support/app.ts'

/** In the carrier's place. */
const carrier = Bun.serve({ port: 0, fetch: () => Response.json({ has_more: false, total_data: 0, data: [], links: {} }) })
afterAll(() => carrier.stop(true))
const app = await startApp({ simulators: { 'api.yalidine.app': `http://127.0.0.1:${carrier.port}` } })
const { call, ok } = app
const shop = await app.shop()
const other = await app.shop()
const as = shop.owner.token
const path = '/v1/actions/syncYalidineOrders'
const body = { storeId: shop.storeId }

test('a carrier’s parcels are asked for under its own name, where the store has it', async () => {
  const none = await call('POST', path, { as, body })
  expect([none.status, none.body.error.code]).toEqual([422, 'carrier_not_enabled'])
  const credentials = { apiId: '1234', apiToken: 'a token of the test' }
  await ok('PUT', `/v1/stores/${shop.storeId}/integrations/yalidine`, {
    as,
    body: { enabled: true, credentials, settings: { fromStateCode: '16' } },
  })
  const begun = await call('POST', path, { as, body })
  expect([begun.status, begun.body.data.status]).toEqual([202, 'queued'])
  expect((await ok('GET', `/v1/stores/${shop.storeId}/integrations/yalidine/sync/status`, { as })).data.status).not.toBe('never')
})

test('is started only by members with the right, for their own store', async () => {
  expect((await call('POST', path, { body })).status).toBe(401)
  expect((await call('POST', path, { as: other.owner.token, body })).status).toBe(404)
  expect((await call('POST', path, { as: other.key, body })).status).toBe(404)
  expect((await call('POST', path, { as, body: {} })).status).toBe(400)
  expect((await call('POST', '/v1/actions/syncGuepexOrders', { as, body })).status).toBe(404)
})
