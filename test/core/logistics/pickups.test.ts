import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { enqueueStaleRefreshes } from '../../../core/logistics/pickups/refresh.ts'
import { atlas, put } from '../../plugins/atlas.ts'
import { startApp } from '../../support/app.ts'
import { byTheClock } from '../../support/clock.ts'
import { scratchFolder } from '../../support/scratch.ts'
import { until } from '../../support/until.ts'

/** A carrier that asks its own side for its desks. */
const desks = atlas({
  members: `
    states: () => [{ id: 'w16', code: '16', name: 'Alger', deliverable: true }, { id: 'w31', name: 'Wahran', deliverable: true }],
    async centers(context) {
      const answer = await context.fetch('https://api.atlas.example/desks')
      if (!answer.ok) throw new CarrierError('unavailable', 'The desks are closed.')
      return answer.json()
    },`,
})

const DESKS = [
  {
    id: 'A1',
    name: 'Hydra',
    stateId: 'w16',
    cityName: 'hydra',
    address: '1 rue A',
    latitude: 36.7425,
    longitude: 3.0428,
    phone: '021000000',
  },
  { id: 'A2', name: 'Bab Ezzouar', stateId: 'w16', cityName: 'Bab Ezouar', address: '2 rue B' },
  { id: 'O1', name: 'Oran', stateId: 'w31', cityName: 'Oran', address: '3 rue C', latitude: 0, longitude: 0 },
  { id: 'X1', name: 'Nowhere', stateId: 'w99', cityName: 'Atlantis', address: '' },
]

const side = { calls: 0, answer: async (): Promise<Response> => Response.json(DESKS) }
const carrier = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: () => {
    side.calls += 1
    return side.answer()
  },
})
afterAll(() => carrier.stop(true))

const folder = await scratchFolder()
await put(join(folder, 'atlas'), { 'index.ts': desks })
const { call, ok, shop, context } = await startApp({ adapterDirs: [folder], simulators: { 'api.atlas.example': carrier.url.origin } })
const { sql } = context
const [mine, other] = [await shop(), await shop()]

const connect = async ({ storeId, owner }: typeof mine, body: object = {}) =>
  (
    await ok('PUT', `/v1/stores/${storeId}/integrations/atlas`, {
      as: owner.token,
      body: { enabled: true, credentials: { token: 'x' }, settings: {}, ...body },
    })
  ).data
const { id: connectionId } = await connect(mine)

const pickups = (query = '', as = mine.key) => ok('GET', `/v1/geo/pickups${query}`, { as })
const idsOf = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id)
/** As if nothing had happened for so long. */
async function age(hours: number) {
  await sql`update integrations set updated_at = now() - interval '2 days'`
  await sql`update pickup_sources set refreshed_at = now() - ${hours} * interval '1 hour', asked_at = now() - ${hours} * interval '1 hour'`
}

beforeEach(() => {
  side.calls = 0
  side.answer = async () => Response.json(DESKS)
})

describe('pick-up points', () => {
  test('many who ask at once make one call, and each point has its place', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => pickups()))
    expect(side.calls).toBe(1)
    for (const answer of answers) expect(idsOf(answer)).toEqual(['A1', 'A2', 'O1', 'X1'])
    const { data, carriers } = answers[0]
    expect(carriers).toEqual([
      { carrier: 'atlas', carrierAccountId: connectionId, refreshedAt: expect.any(String), isFresh: true, message: null },
    ])
    expect(data[0]).toEqual({
      id: 'A1',
      carrier: 'atlas',
      carrierAccountId: connectionId,
      name: 'Hydra',
      address: '1 rue A',
      phone: '021000000',
      country: 'DZ',
      stateCode: '16',
      stateName: 'Alger',
      cityCode: '1628',
      cityName: 'Hydra',
      latitude: 36.7425,
      longitude: 3.0428,
      isApproximate: false,
      distanceKm: null,
    })
    expect(data[1]).toMatchObject({ cityCode: '1621', cityName: 'Bab Ezzouar', isApproximate: true })
    expect(data[2]).toMatchObject({ stateCode: '31', cityCode: '3101', isApproximate: true })
    expect(data[3]).toMatchObject({ stateCode: null, cityCode: null, cityName: 'Atlantis', latitude: null, isApproximate: false })
  })

  test('they are narrowed, sorted by distance and paged', async () => {
    expect(idsOf(await pickups('?state=31'))).toEqual(['O1'])
    expect(idsOf(await pickups('?country=TN'))).toEqual([])
    expect(idsOf(await pickups('?carrier=sandbox'))).toEqual([])
    const near = await pickups('?lat=36.72&lon=3.18')
    expect(idsOf(near)).toEqual(['A2', 'A1', 'O1', 'X1'])
    expect(near.data[0].distanceKm).toBeLessThan(5)
    expect(near.data[2].distanceKm).toBeWithin(300, 400)
    expect(idsOf(await pickups('?city=3101'))[0]).toBe('O1')
    const first = await pickups('?limit=3')
    expect(idsOf(await pickups(`?limit=3&cursor=${first.nextCursor}`))).toEqual(['X1'])
    expect(side.calls).toBe(0)
  })

  test('nearby knows them too, those alone of which it is known where they are', async () => {
    const { data } = await ok('GET', '/v1/geo/nearby?lat=35.7&lon=-0.63&kind=pickup&limit=5', { as: mine.key })
    expect(idsOf({ data })).toEqual(['O1', 'A1', 'A2'])
    expect(data[0].distanceKm).toBeLessThan(10)
    expect((await ok('GET', '/v1/geo/nearby?lat=35.7&lon=-0.63&kind=pickup&limit=1', { as: mine.key })).data).toHaveLength(1)
  })

  test.each(['?lat=36', '?lon=3', '?lat=91&lon=3', '?city=', '?limit=101', '?cursor=zz'])('%s is refused', async (query) => {
    expect((await call('GET', `/v1/geo/pickups${query}`, { as: mine.key })).status).toBe(400)
  })

  test('a city that there is not is not found', async () => {
    expect((await call('GET', '/v1/geo/pickups?city=9999', { as: mine.key })).status).toBe(404)
  })

  test("nobody sees another store's, nor those of a connection that is off", async () => {
    expect(await pickups('', other.key)).toEqual({ data: [], nextCursor: null, carriers: [] })
    const base = `/v1/stores/${mine.storeId}/integrations/atlas`
    await ok('PATCH', base, { as: mine.owner.token, body: { enabled: false } })
    expect(await pickups()).toEqual({ data: [], nextCursor: null, carriers: [] })
    await ok('PATCH', base, { as: mine.owner.token, body: { enabled: true } })
    expect(idsOf(await pickups())).toHaveLength(4)
  })
})

describe('their freshness', () => {
  test('within the hour nobody is asked; after it one is, and what is gone is gone', async () => {
    await age(0.9)
    await pickups()
    expect(side.calls).toBe(0)
    await age(1.1)
    side.answer = async () => Response.json(DESKS.slice(0, 2))
    expect(idsOf(await pickups())).toEqual(['A1', 'A2'])
    expect(side.calls).toBe(1)
  })

  test('a carrier that is away leaves what it told before, says so, and is not asked again at once', async () => {
    await age(2)
    side.answer = async () => new Response('', { status: 503 })
    const { data, carriers } = await pickups()
    expect(idsOf({ data })).toEqual(['A1', 'A2'])
    expect(carriers[0]).toMatchObject({ isFresh: false, message: expect.stringContaining('closed') })
    const calls = side.calls
    await pickups()
    expect(side.calls).toBe(calls)
  })

  test('one that lists none has a bad day', async () => {
    await age(2)
    side.answer = async () => Response.json([])
    expect(idsOf(await pickups())).toEqual(['A1', 'A2'])
  })

  test('a slow one is not waited for longer than a moment; what it tells is there the next time', byTheClock, async () => {
    await age(2)
    const { promise, resolve } = Promise.withResolvers<Response>()
    side.answer = () => promise
    const began = performance.now()
    expect(idsOf(await pickups())).toEqual(['A1', 'A2'])
    expect(performance.now() - began).toBeWithin(2_500, 6_000)
    resolve(Response.json(DESKS))
    await until(async () => idsOf(await pickups()).length === 4, 5_000)
    expect(side.calls).toBe(1)
  })

  test('while another process asks, this one does not', async () => {
    await age(2)
    await sql`update pickup_sources set asking_by = 'another', asking_until = now() + interval '1 minute'`
    const answering = pickups()
    await Bun.sleep(300)
    await sql`update pickup_sources set asking_by = null, asking_until = null, refreshed_at = now()`
    expect((await answering).carriers[0].isFresh).toBe(true)
    expect(side.calls).toBe(0)
  })

  test('a connection that was changed is asked anew', async () => {
    await age(0.5)
    await connect(mine, { credentials: { token: 'y' } })
    await pickups()
    expect(side.calls).toBe(1)
  })

  test('once a day they are asked for without anybody', async () => {
    await age(21)
    await enqueueStaleRefreshes(context)
    await until(async () => (await sql`select 1 from pickup_sources where refreshed_at > now() - interval '1 minute'`).length === 1, 10_000)
    expect(side.calls).toBe(1)
  })

  test('with the connection they are gone', async () => {
    await ok('DELETE', `/v1/stores/${mine.storeId}/integrations/atlas`, { as: mine.owner.token }).catch(() => {})
    expect(await sql`select 1 from pickups`).toHaveLength(0)
    expect(await sql`select 1 from pickup_sources`).toHaveLength(0)
  })
})
