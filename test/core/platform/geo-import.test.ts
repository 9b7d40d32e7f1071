import { afterAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { runPlacesImport } from '../../../core/commands/import-places.ts'
import { findCatalogue } from '../../../core/platform/geo/catalogue/catalogues.ts'
import { importPlaces } from '../../../core/platform/geo/import/import-places.ts'
import { simplifyBorder } from '../../../core/platform/geo/import/simplify.ts'
import { startApp } from '../../support/app.ts'
import { spawnServer } from '../../support/process.ts'
import { scratchFolder } from '../../support/scratch.ts'
import { until, untilValue } from '../../support/until.ts'

const { call, ok, shop, context } = await startApp({}, { others: 1 })
const { sql } = context
const { key } = await shop({ countryCode: 'TN', currencyCode: 'TND' })
const abroad = await shop()
const folder = await scratchFolder()
const SAMPLE = join(import.meta.dir, 'geo-import.csv')
const HEADER = 'state_code,state_name,city_code,city_name,latitude,longitude'

async function file(name: string, text: string): Promise<string> {
  await Bun.write(join(folder, name), text)
  return join(folder, name)
}

const get = async (path: string, as = key) => (await ok('GET', `/v1/geo${path}`, { as })).data
const resolve = async (body: object, as = key) => (await ok('POST', '/v1/geo/resolve', { as, body })).data

/** Without asking the server to look: it does by itself. */
const known = (country: string, cities: number) =>
  untilValue(
    () => findCatalogue(country)?.cities.length,
    (count) => count === cities,
  )

describe('importing a country', () => {
  test('nothing is known of it before', async () => {
    expect(await get('/search?q=pont')).toEqual([])
    expect((await call('GET', '/v1/geo/catalog', { as: key })).status).toBe(404)
    expect(await resolve({ state: '1', city: 'Pont-Neuf' })).toMatchObject({ method: 'none' })
  })

  test('the places of a CSV file are known to a running server, in both scripts, and by the country of the store', async () => {
    expect(await importPlaces(sql, 'TN', SAMPLE)).toEqual({ states: 2, cities: 4, borders: 0, added: 6, changed: 0 })
    await known('TN', 4)
    const { country, states } = await get('/catalog')
    expect([country, states.length, states[0].cities.length]).toEqual(['TN', 2, 2])
    expect((await get('/search?q=pont%20n'))[0]).toMatchObject({ kind: 'city', cityCode: '1001', stateName: 'Rivière-Haute' })
    expect((await get('/search?q=newb'))[0]).toMatchObject({ cityCode: '1001' })
    expect((await get(`/search?q=${encodeURIComponent('حمام الاغ')}`))[0]).toMatchObject({ cityCode: '2002' })
    expect(await resolve({ state: 'Gouvernorat Riviere haute', city: 'ksar esaf' })).toMatchObject({ stateCode: '1', cityCode: '1002' })
    expect(await resolve({ city: '8030' })).toMatchObject({ cityCode: '2002', method: 'code' })
    expect(await resolve({ state: '1', city: 'Rivière Haute' })).toMatchObject({ cityCode: '1001' })
    expect((await get('/nearby?lat=36.87&lon=10.2&limit=1'))[0]).toMatchObject({ country: 'TN', cityCode: '1002' })
    expect(await get('/reverse?lat=36.81&lon=10.17')).toMatchObject({ country: 'TN', cityCode: '1001' })
    expect((await ok('GET', '/v1/cities/search?q=hammam&country=TN')).data[0]).toMatchObject({ code: '2002', stateCode: '2' })
  })

  test('other countries stay what they are', async () => {
    expect((await get('/search?q=tlem', abroad.key))[0]).toMatchObject({ stateCode: '13' })
    expect(await resolve({ country: 'Tunisie', city: 'Hammam Laghzez' }, abroad.key)).toMatchObject({ cityCode: '2002' })
    expect(await resolve({ state: 'Alger', city: 'Hydra', country: 'الجزائر' })).toMatchObject({ cityCode: '1628' })
  })

  test('the same file again changes nothing, a later one changes what it names, and who edited by hand is not written over', async () => {
    expect(await importPlaces(sql, 'TN', SAMPLE)).toMatchObject({ added: 0, changed: 0 })
    await sql`update cities set name = 'By Hand', edited = true where country_code = 'TN' and code = '1002'`
    const later = await file('later.csv', `${HEADER}\n1,Rivière-Haute,1002,Ksar Neuf,36.86,10.2\n3,Plaine,3001,Puits,35,9\n`)
    expect(await importPlaces(sql, 'TN', later)).toEqual({ states: 3, cities: 2, borders: 0, added: 2, changed: 2 })
    await known('TN', 5)
    expect((await sql`select name from cities where country_code = 'TN' and code = '1002'`)[0]!.name).toBe('By Hand')
    expect((await get('/search?q=ksar%20neuf'))[0]).toMatchObject({ cityCode: '1002' })
    expect((await get('/search?q=pont'))[0]).toMatchObject({ cityCode: '1001' })
  })

  test('GeoJSON brings positions and borders, simplified', async () => {
    const circle = Array.from({ length: 5_001 }, (_, at) => [
      10.7 + Math.cos((at / 2_500) * Math.PI) / 4,
      36.4 + Math.sin((at / 2_500) * Math.PI) / 4,
    ])
    const square = (from: number) => [
      [from, 36],
      [from + 0.1, 36],
      [from + 0.1, 36.1],
      [from, 36.1],
      [from, 36],
    ]
    const feature = (properties: object, type: string, coordinates: unknown) => ({
      type: 'Feature',
      properties,
      geometry: { type, coordinates },
    })
    const path = await file(
      'places.geojson',
      JSON.stringify(
        {
          type: 'FeatureCollection',
          features: [
            feature({ state_code: '2', state_name: 'Dar "]} Chaâbane' }, 'Polygon', [circle]),
            feature({ state_code: '2', city_code: '2003', city_name: 'Source', city_other_names: ['Aïn', 'Ain'] }, 'Point', [10.75, 36.5]),
            feature({ state_code: '2', city_code: '2004', city_name: 'Puits', latitude: 36.05, longitude: 10.05 }, 'MultiPolygon', [
              [square(10)],
              [square(11)],
            ]),
          ],
        },
        null,
        1,
      ),
    )
    expect(await importPlaces(sql, 'TN', path, '© Nobody')).toMatchObject({ cities: 2, borders: 2, added: 2, changed: 1 })
    await known('TN', 7)
    const states = await get('/polygons')
    expect([states.attribution, states.features.length]).toEqual(['© Nobody', 1])
    const [[outline]] = states.features[0].geometry.coordinates
    expect(outline.length).toBeWithin(30, 601)
    const cities = await get('/polygons?kind=city&state=2')
    expect(cities.features.map((each: { properties: { code: string } }) => each.properties.code)).toEqual(['2004'])
    expect(cities.features[0].geometry.coordinates).toEqual([[square(10)], [square(11)]])
    expect(await get('/reverse?lat=36.5&lon=10.75')).toMatchObject({ cityCode: '2003' })
  })

  test('what is wrong is told by its line, and nothing of the file is taken', async () => {
    const before = await sql`select count(*)::int from geo_imported`
    const refused = async (name: string, text: string) =>
      importPlaces(sql, 'TN', await file(name, text)).then(
        () => 'taken',
        (error: Error) => error.message,
      )
    const lines = ['9,Neuf,9001,Bon,36,10', '9,,9002,,36,abc', '8,,8001,Ville,36,10', '9,,9001,Bon,36,10', '9,,90_1,Bon,91,10']
    expect((await refused('wrong.csv', [HEADER, ...lines].join('\n'))).split('\n')).toEqual([
      'line 3: city_name must be a name of 1 to 120 characters, not empty.',
      'line 3: longitude must be a number from -180 to 180, not "abc".',
      'line 4: there is no state 8 yet: name it here or on a line before, by state_name.',
      'line 5: the city 9001 stands on line 2 already.',
      'line 6: city_code must be 1 to 16 letters, digits and hyphens, not "90_1".',
      'line 6: latitude must be a number from -90 to 90, not "91".',
    ])
    expect(await refused('many.csv', [HEADER, ...Array(3_000).fill('9,,x,,,')].join('\n'))).toContain('There may be more.')
    expect(await refused('header.csv', 'state_code,town\n')).toContain('no column "town"')
    expect(await refused('ragged.csv', `${HEADER}\n1,2\n`)).toContain('ragged.csv')
    expect(await refused('cut.geojson', '{"features": [\n{"type": "Feature"')).toContain('line 2: the file ends')
    expect(await refused('none.geojson', '{"type": "Topology"}')).toContain('FeatureCollection')
    expect(await refused('bad.geojson', '{"features": [{"geometry": {"type": "Point", "coordinates": [1]}}]}')).toContain('line 1: a Point')
    expect(await refused('places.txt', '')).toContain('neither .csv nor .geojson')
    expect(await sql`select count(*)::int from geo_imported`).toEqual(before)
    const wrongCountry = (country: string) => importPlaces(sql, country, SAMPLE).catch((error: Error) => error.message)
    expect(await wrongCountry('DZ')).toContain('come with this version')
    expect(await wrongCountry('QQ')).toContain('no country')
  })

  test('two imports at once both arrive', async () => {
    const one = await file('one.csv', `${HEADER}\n4,Un,4001,Un,36,9\n`)
    const two = await file('two.csv', `${HEADER}\n5,Deux,5001,Deux,36,9.5\n`)
    await Promise.all([importPlaces(sql, 'TN', one), importPlaces(sql, 'TN', two)])
    await known('TN', 9)
  })
})

test('an outline of many corners keeps its shape', () => {
  const ring = Array.from({ length: 100_001 }, (_, at): [number, number] => [Math.cos(at / 15_915.5), Math.sin(at / 15_915.5)])
  const [[outline = []] = []] = simplifyBorder([[ring]])
  expect(outline.length).toBeWithin(20, 601)
  for (const [x, y] of outline) expect(Math.hypot(x, y)).toBeCloseTo(1, 3)
  expect(simplifyBorder([[ring.map(([x, y]): [number, number] => [x / 1e6, y / 1e6])]])).toEqual([])
})

describe('the command', () => {
  const root = join(import.meta.dir, '../../..')
  const run = async (environment: Record<string, string>, ...given: string[]) => {
    const env = { ...process.env, LOG_LEVEL: 'fatal', ...environment }
    const child = Bun.spawn([process.execPath, 'core/main.ts', 'places', 'import', ...given], {
      cwd: root,
      env,
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const [out, err, code] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text(), child.exited])
    return { out, err, code }
  }

  test('imports into the database of a server that is running, which knows the places soon after', async () => {
    const server = await spawnServer()
    afterAll(() => server.stop())
    const post = async (path: string, body: object, token = '') => {
      const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
      const answer = await fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
      return ((await answer.json()) as { data: Record<string, string> }).data
    }
    const { token } = await post('/v1/users/auth/signup', { name: 'Somebody', email: 'some@body.example', password: 'correct horse' })
    const store = await post('/v1/stores', { name: 'Boutique', countryCode: 'EG', currencyCode: 'EGP' }, token)
    const project = await post(`/v1/stores/${store.id}/ensure-project`, {}, token)
    const made = await post(`/v1/projects/${project.id}/api-keys`, { name: 'geo', scopes: ['geo:read'] }, token)

    const wrong = await file('wrong.csv', `${HEADER}\n1,Un,1,Un,x,y\n`)
    const done = await run({ DATA_DIR: server.dataDir }, 'eg', SAMPLE, wrong)
    expect(done.out).toContain('4 cities and 0 borders; the country has 2 states now. New: 6, changed: 0.')
    expect(done).toMatchObject({ code: 1, err: expect.stringContaining('line 2: latitude must be') })

    const found = async () => {
      const answer = await fetch(`${server.url}/v1/geo/search?q=hammam`, { headers: { authorization: `Bearer ${made.key}` } })
      return ((await answer.json()) as { data: { cityCode: string }[] }).data[0]?.cityCode
    }
    await until(async () => (await found()) === '2002', 10_000)
  }, 120_000)

  test.each([[[]], [['Egypt', 'x.csv']], [['EG']], [['EG', '--force']], [['EG', 'x.csv', '--attribution']]])(
    'says how it is used where it is not: %p',
    async (given) => {
      await expect(runPlacesImport(context.config, given, () => {})).rejects.toThrow('Usage: bun run import:places')
    },
  )
})
