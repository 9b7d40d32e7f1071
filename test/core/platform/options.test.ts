import { expect, test } from 'bun:test'
import { startApp } from '../../support/app.ts'
import { until } from '../../support/until.ts'

const { call, ok, person, context } = await startApp()
const { token: as } = await person('The administrator')
const configs = async () => (await ok('GET', '/v1/configs')).data.options

test('options are set, read, listed and deleted by administrators; public ones are for anybody', async () => {
  const put = await ok('PUT', '/v1/options/support.contact', { as, body: { value: { phone: '021 00 00 00' }, isPublic: true } })
  expect(put.data).toMatchObject({ key: 'support.contact', isPublic: true })
  await ok('PUT', '/v1/options/internal', { as, body: { value: { note: 'for us' } } })
  expect(await configs()).toEqual({ 'support.contact': { phone: '021 00 00 00' } })
  // What is not said stays.
  expect((await ok('PUT', '/v1/options/support.contact', { as, body: { value: { phone: '1' } } })).data.isPublic).toBe(true)
  expect(await configs()).toEqual({ 'support.contact': { phone: '1' } })
  expect((await ok('GET', '/v1/options', { as })).data.map(({ key }: { key: string }) => key)).toEqual(['internal', 'support.contact'])
  expect((await call('GET', '/v1/options/internal', { as: (await person()).token })).status).toBe(403)
  expect((await call('DELETE', '/v1/options/internal', { as })).status).toBe(204)
  expect((await call('GET', '/v1/options/internal', { as })).status).toBe(404)
  expect((await call('DELETE', '/v1/options/internal', { as })).status).toBe(404)
})

test('what another process changed is known within a second, and at once after a reload', async () => {
  await configs()
  await context.sql`update options set value = '{"phone": "2"}' where key = 'support.contact'`
  await until(async () => (await configs())['support.contact'].phone === '2', 1_000)
  await context.sql`update options set value = '{"phone": "3"}' where key = 'support.contact'`
  expect((await call('POST', '/v1/options/reload', { as })).status).toBe(204)
  expect((await configs())['support.contact'].phone).toBe('3')
})

test('what anybody reads at once is not much, in all', async () => {
  const put = (key: string, { isPublic }: { readonly isPublic: boolean }) =>
    call('PUT', `/v1/options/${key}`, { as, body: { value: { text: 'x'.repeat(32_000) }, isPublic } })
  const statuses = []
  for (let at = 0; at < 10; at += 1) statuses.push((await put(`large.${at}`, { isPublic: true })).status)
  expect(statuses).toEqual([...Array(8).fill(200), 422, 422])
  expect((await put('large.8', { isPublic: false })).status).toBe(200)
  expect((await put('large.8', { isPublic: true })).body.error.code).toBe('limit_reached')
  expect(Object.keys(await configs())).toHaveLength(9)
  await ok('PUT', '/v1/options/large.0', { as, body: { value: {}, isPublic: false } })
  expect((await put('large.8', { isPublic: true })).status).toBe(200)
})
