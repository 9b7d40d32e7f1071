import { describe, expect, test } from 'bun:test'
import { startApp } from '../../support/app.ts'

const { call: ask, ok, shop } = await startApp()
const { owner, projectId } = await shop()

async function keyWith(scopes: string[]): Promise<string> {
  const { data } = await ok('POST', `/v1/projects/${projectId}/api-keys`, { as: owner.token, body: { name: scopes.join(), scopes } })
  return data.key
}

const stranger = await shop()
await ok('PATCH', `/v1/projects/${stranger.projectId}`, { as: stranger.owner.token, body: { products: ['parcels'] } })
const keys: Record<string, string> = {
  sk_all: await keyWith(['geo:read', 'geo:resolve']),
  sk_read: await keyWith(['geo:read']),
  sk_without: stranger.key,
}

const call = (path: string, payload?: unknown, key: string | null = 'sk_all') =>
  ask(payload === undefined ? 'GET' : 'POST', `/v1/geo${path}`, {
    ...(key && { as: keys[key] ?? key }),
    ...(payload !== undefined && { body: payload }),
  })

describe('the routes of geo', () => {
  test('resolve one and many', async () => {
    const one = await call('/resolve', { country: 'DZ', state: '16 - Alger', city: 'BEZ' })
    expect(one).toMatchObject({ status: 200, body: { data: { stateCode: '16', cityCode: '1621', method: 'alias' } } })
    const many = await call('/resolve/batch', {
      items: [{ state: 'Oran', city: 'Arzew' }, {}, { state: null, city: 'Aflou', address: '' }],
    })
    expect(many.body.data.map((row: { cityCode: string }) => row.cityCode)).toEqual(['3106', null, '319'])
    const limit = await call('/resolve/batch', { items: Array(1_000).fill({ state: 'Oraan', city: 'Arzeu' }) })
    expect(limit.body.data).toHaveLength(1_000)
  })

  test('catalog, search, nearby, reverse', async () => {
    const catalog = await call('/catalog?country=DZ')
    expect(catalog.body.data.states).toHaveLength(58)
    expect((await call('/catalog?state=16')).body.data.states[0].cities).toHaveLength(57)
    expect((await call('/search?q=tlem&limit=2')).body.data[0]).toMatchObject({ kind: 'state', stateCode: '13' })
    expect((await call('/search?q=casa&country=MA')).body.data).toEqual([])
    const near = await call('/nearby?lat=36.75&lon=3.05&limit=3')
    expect(near.body.data).toHaveLength(3)
    expect((await call('/nearby?lat=36.75&lon=3.05&kind=pickup')).body.data).toEqual([])
    expect((await call('/reverse?lat=36.365&lon=6.6147')).body.data.cityCode).toBe('2501')
  })

  test.each([
    ['/reverse?lat=0&lon=0', undefined, 404],
    ['/catalog?country=FR', undefined, 404],
    ['/catalog?state=70', undefined, 404],
    ['/search', undefined, 400],
    ['/search?q=', undefined, 400],
    ['/nearby?lat=91&lon=0', undefined, 400],
    ['/nearby?lat=36&lon=3&kind=moon', undefined, 400],
    ['/resolve', { stat: 'Alger' }, 400],
    ['/resolve', { state: 'x'.repeat(301) }, 400],
    ['/resolve', [], 400],
    ['/resolve/batch', { items: [] }, 400],
    ['/resolve/batch', { items: Array(1_001).fill({}) }, 400],
  ])('%s refuses %#', async (path, payload, status) => {
    expect((await call(path, payload)).status).toBe(status)
  })

  test.each([
    [null, '/catalog', undefined, 401],
    ['sk_unknown', '/catalog', undefined, 401],
    ['sk_read', '/resolve', {}, 403],
    ['sk_without', '/catalog', undefined, 403],
    ['sk_read', '/search?q=oran', undefined, 200],
  ])('the key %s at %s', async (key, path, payload, status) => {
    expect((await call(path, payload, key)).status).toBe(status)
  })
})
