import { afterAll, expect, test } from 'bun:test'
import { HOUR_MS } from '../../../core/lib/durations.ts'
import { KEYS, startWoo } from '../../adapters/connector/woocommerce/simulator.ts'
import { startApp } from '../../support/app.ts'
import { until } from '../../support/until.ts'

const woo = startWoo()
afterAll(() => woo.stop())
const app = await startApp({ simulators: { [woo.host]: woo.url }, publicUrl: 'https://ours.example' })
const { ok } = app

test('connecting a shop with wrong keys says that it failed and why, and with right ones that it is connected', async () => {
  const { storeId, owner } = await app.shop()
  const base = `/v1/stores/${storeId}/integrations/connectors`
  const settings = { shop: woo.host }
  const wrong = { ...KEYS, consumerSecret: 'cs_ffffffffffffffff' }
  const body = { platform: 'woocommerce', credentials: wrong, settings }
  const failed = (await ok('POST', base, { as: owner.token, body })).data
  expect(failed).toMatchObject({ status: 'failed', statusMessage: expect.stringContaining('does not accept these keys') })
  const right = (await ok('POST', base, { as: owner.token, body: { ...body, credentials: KEYS } })).data
  expect(right).toMatchObject({ id: failed.id, status: 'connected', statusMessage: null })
  expect((await ok('GET', base, { as: owner.token })).data).toMatchObject([{ status: 'connected' }])
})

test('a connector says from when its first reading begins, and a reading says from when it read', async () => {
  const { storeId, owner } = await app.shop()
  const base = `/v1/stores/${storeId}/integrations/connectors`
  const body = { platform: 'woocommerce', credentials: KEYS, settings: { shop: woo.host } }
  const { data: connector } = await ok('POST', base, { as: owner.token, body })
  expect(connector.pull.since).toBe(null)
  const nextSince = Date.parse(connector.pull.nextSince)
  expect(nextSince).toBeLessThanOrEqual(Date.parse(connector.createdAt))
  expect(nextSince).toBeGreaterThan(Date.parse(connector.createdAt) - HOUR_MS)
  const { data: asked } = await ok('POST', `${base}/${connector.id}/pull`, { as: owner.token })
  expect(asked.pull.since).toBe(connector.pull.nextSince)
  const read = async () => (await ok('GET', base, { as: owner.token })).data[0].pull
  await until(async () => (await read()).status === 'done')
  expect((await read()).since).toBe(connector.pull.nextSince)
  expect(Date.parse((await read()).nextSince)).toBeGreaterThanOrEqual(nextSince)
})
