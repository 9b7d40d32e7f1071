import { afterAll, describe, expect, test } from 'bun:test'
import { connectPool } from '../../../core/data/sql.ts'
import { loadCatalogue } from '../../../core/platform/geo/catalogue/load-catalogue.ts'
import { algeria } from '../../../core/platform/geo/countries/dz/catalogue.ts'
import { fold } from '../../../core/platform/geo/names/fold.ts'
import { freshDatabase } from '../../support/database.ts'

describe('loading the catalogue', async () => {
  const connection = await freshDatabase()
  const sql = connectPool(connection, 4)
  const other = connectPool(connection, 4)
  afterAll(() => Promise.all([sql.end(), other.end()]))
  // As before a first start.
  await sql`truncate geo_borders, geo_catalogue, cities, states, countries cascade`

  test('of several processes that start at once, one writes', async () => {
    const wrote = await Promise.all([
      loadCatalogue(sql, algeria),
      loadCatalogue(other, algeria),
      loadCatalogue(sql, algeria),
      loadCatalogue(other, algeria),
    ])
    expect(wrote.filter(Boolean)).toHaveLength(1)
    expect(await loadCatalogue(sql, algeria)).toBe(false)
    const [count] = await sql`select
      (select count(*)::int from countries) as countries, (select count(*)::int from cities) as cities,
      (select count(*)::int from states where code = carrier_code) as states, (select count(*)::int from states) as all_states`
    expect(count).toMatchObject({ cities: 1541, states: 58, allStates: 69 })
    expect(count!.countries).toBeGreaterThan(190)
  })

  test('rows say what the catalogue says', async () => {
    const [city] = await sql`select * from cities where country_code = 'DZ' and code = '2820'`
    const known = algeria.cities.find(({ code }) => code === '2820')!
    expect(city).toEqual({
      id: expect.stringMatching(/^cit_/),
      countryCode: 'DZ',
      stateCode: '28',
      code: '2820',
      name: 'Bou Saada',
      nameAr: known.nameAr,
      postalCode: known.postalCode,
      latitude: known.latitude,
      longitude: known.longitude,
      currentStateCode: '68',
      folded: `|bou saada|${fold(known.nameAr)}`,
      enabled: true,
      catalogued: true,
      edited: false,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    })
    const [country] = await sql`select * from countries where code = 'DZ'`
    expect(country).toMatchObject({ name: 'Algeria', currencies: ['DZD'], callingCodes: ['213'] })
  })

  test('a catalogue that changed is written over the old one', async () => {
    const [first, ...rest] = algeria.cities
    expect(await loadCatalogue(sql, { ...algeria, cities: [{ ...first!, name: 'Another name' }, ...rest] })).toBe(true)
    const [city] = await sql`select name from cities where country_code = 'DZ' and code = ${first!.code}`
    expect(city!.name).toBe('Another name')
    expect(await loadCatalogue(sql, algeria)).toBe(true)
  })
})
