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

  test('answer catalog, search, nearby and reverse', async () => {
    const catalog = await call('/catalog?country=DZ')
    expect(catalog.body.data.states).toHaveLength(58)
    expect((await call('/catalog?state=16')).body.data.states[0].cities).toHaveLength(57)
    expect((await call('/search?q=tlem&limit=2')).body.data[0]).toMatchObject({ kind: 'state', stateCode: '13' })
    expect((await call('/search?q=casa&country=MA')).body.data).toEqual([])
    const near = await call('/nearby?lat=36.75&lon=3.05&limit=3')
    expect(near.body.data).toHaveLength(3)
    expect(near.body.data[0]).toMatchObject({ country: 'DZ', stateCode: '16' })
    expect((await call('/nearby?lat=36.75&lon=3.05&kind=pickup')).body.data).toEqual([])
    expect((await call('/reverse?lat=36.365&lon=6.6147')).body.data.cityCode).toBe('2501')
  })

  test('polygons are the states of today, each with the one that carriers know it by', async () => {
    const all = await call('/polygons')
    expect(all.status).toBe(200)
    const { type, attribution, features } = all.body.data
    expect([type, features.length]).toEqual(['FeatureCollection', 69])
    expect(attribution).toContain('OpenStreetMap')
    const found = await call('/polygons?country=dz&state=3')
    expect(found.body.data.features.map(({ properties }: { properties: object }) => properties)).toEqual([
      { kind: 'state', code: '03', stateCode: '03', name: 'Laghouat', nameAr: 'الأغواط' },
      { kind: 'state', code: '59', stateCode: '03', name: 'Aflou', nameAr: 'آفلو' },
    ])
    for (const { geometry } of features)
      for (const [outline] of geometry.coordinates) {
        expect(outline.length).toBeGreaterThan(3)
        expect(outline.at(-1)).toEqual(outline[0])
      }
    expect((await call('/polygons?kind=city&state=16')).body.data.features).toEqual([])
  })

  test('polygons are not sent again to who has them', async () => {
    const first = await call('/polygons?state=31')
    const etag = first.headers.get('etag') ?? ''
    expect(first.headers.get('cache-control')).toContain('private')
    const again = (seen: string) => ask('GET', '/v1/geo/polygons?state=31', { as: keys.sk_all!, headers: { 'if-none-match': seen } })
    expect(await again(`W/${etag}`)).toMatchObject({ status: 304, body: '' })
    expect((await again('"another"')).status).toBe(200)
    expect((await call('/polygons?state=30')).headers.get('etag')).not.toBe(etag)
  })

  test.each([
    ['/polygons?country=FR', undefined, 404],
    ['/polygons?state=70', undefined, 404],
    ['/polygons?kind=city', undefined, 400],
    ['/polygons?kind=moon', undefined, 400],
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
