import { describe, expect, test } from 'bun:test'
import { loadCatalogue } from '../../../core/platform/geo/catalogue/load-catalogue.ts'
import { algeria } from '../../../core/platform/geo/countries/dz/catalogue.ts'
import { loadCurrencies } from '../../../core/platform/options/load-currencies.ts'
import { type Answer, startApp } from '../../support/app.ts'

const app = await startApp()
const { call, ok, person, shop, context } = app
const administrator = await person('The administrator')
const { owner, key } = await shop()
const as = administrator.token
const outcome = ({ status, body }: Answer) => `${status} ${body?.error?.code ?? ''}`.trim()
const DATES = { createdAt: expect.any(String), updatedAt: expect.any(String) }

await ok('POST', '/v1/countries', { as, body: { code: 'XA', name: 'Atlantis' } })
await ok('POST', '/v1/countries/XA/states', { as, body: { code: 'N', name: 'North' } })

interface Table {
  readonly path: string
  readonly prefix: string
  /** Codes that nobody uses. */
  readonly codes: readonly string[]
  readonly minimal: Record<string, unknown>
  readonly full: Record<string, unknown>
  /** What else is answered where only `minimal` was given. */
  readonly blank: Record<string, unknown>
  readonly change?: Record<string, unknown>
  readonly bad: readonly Record<string, unknown>[]
}

const listed = { enabled: true, catalogued: false }
const tables: readonly Table[] = [
  {
    path: '/v1/countries',
    prefix: 'cou',
    codes: ['XB', 'XC', 'XD', 'XE', 'XF'],
    minimal: { name: 'Lemuria' },
    full: { name: 'Lemuria', nativeName: 'Lemurien', currencies: ['EUR', 'USD'], callingCodes: ['999'], languages: ['fr'], enabled: true },
    blank: { nativeName: '', currencies: [], callingCodes: [], languages: [], ...listed },
    change: { currencies: ['DZD'] },
    bad: [{ code: 'xb' }, { code: 'XBX' }, { name: '' }, { currencies: 'EUR' }, { currencies: [1] }, { id: 'cou_1' }],
  },
  {
    path: '/v1/currencies',
    prefix: 'cur',
    codes: ['XXB', 'XXC', 'XXD', 'XXE', 'XXF'],
    minimal: { name: 'Cowrie', symbol: 'S' },
    full: { name: 'Cowrie', symbol: 'S', decimals: 0, enabled: true },
    blank: { decimals: 2, enabled: true },
    change: { decimals: 3 },
    bad: [{ code: 'eur' }, { decimals: 5 }, { decimals: 1.5 }, { symbol: '' }, { rate: 1 }],
  },
  {
    path: '/v1/countries/XA/states',
    prefix: 'sta',
    codes: ['B', 'C', 'D', 'E', 'F'],
    minimal: { name: 'South' },
    full: { name: 'South', nameAr: 'جنوب', enabled: true },
    blank: { countryCode: 'XA', nameAr: null, ...listed },
    bad: [{ code: 'B/1' }, { code: 'x'.repeat(17) }, { name: '' }, { countryCode: 'DZ' }],
  },
  {
    path: '/v1/countries/XA/states/N/cities',
    prefix: 'cit',
    codes: ['B', 'C', 'D', 'E', 'F'],
    minimal: { name: 'Harbour' },
    full: { name: 'Harbour', nameAr: 'ميناء', postalCode: '1000', latitude: 36.7753631, longitude: -3.0601882, enabled: true },
    blank: {
      countryCode: 'XA',
      stateCode: 'N',
      currentStateCode: null,
      nameAr: null,
      postalCode: null,
      latitude: null,
      longitude: null,
      ...listed,
    },
    bad: [{ latitude: 91 }, { longitude: 0.00000000001 }, { code: '' }, { stateCode: '16' }],
  },
]

describe.each(tables.map((table) => [table.path, table] as const))('%s', (path, table) => {
  const [first = '', second = '', third = '', fourth = '', fifth = ''] = table.codes

  test('is written by administrators of the platform and read by anybody, by id or code', async () => {
    const answer = await call('POST', path, { as, body: { code: first, ...table.minimal } })
    expect(answer.status).toBe(201)
    const row = answer.body.data
    const id = expect.stringMatching(new RegExp(`^${table.prefix}_[0-9a-z]{26}$`))
    expect(row).toEqual({ id, code: first, ...table.blank, ...table.minimal, ...DATES })
    for (const name of [row.id, row.code]) expect((await ok('GET', `${path}/${name}`)).data).toEqual(row)
    expect((await ok('GET', `${path}?limit=1`)).data).toEqual([row])
    expect((await ok('GET', `${path}?limit=1&sort=-updatedAt`, { as: key })).data).toEqual([row])
    expect((await ok('GET', `${path}?q=${String(row.name).slice(1)}`)).data).toEqual([row])

    const rich = (await call('PUT', `${path}/${first}`, { as, body: table.full })).body.data
    expect(rich).toEqual({ ...row, ...table.full, updatedAt: expect.any(String) })
    expect((await ok('PUT', `${path}/${row.id}`, { as, body: table.minimal })).data).toEqual({ ...row, updatedAt: expect.any(String) })
    if (table.change)
      expect((await ok('PATCH', `${path}/${row.id}`, { as, body: table.change })).data).toEqual({
        ...row,
        ...table.change,
        updatedAt: expect.any(String),
      })
    expect((await call('DELETE', `${path}/${first}`, { as })).status).toBe(204)
    for (const name of [row.id, row.code]) expect(outcome(await call('GET', `${path}/${name}`))).toBe('404 not_found')
    expect(outcome(await call('DELETE', `${path}/${row.id}`, { as }))).toBe('404 not_found')
  })

  test('what does not fit is refused', async () => {
    for (const bad of table.bad)
      expect([bad, outcome(await call('POST', path, { as, body: { code: second, ...table.minimal, ...bad } }))]).toEqual([
        bad,
        '400 invalid_request',
      ])
    await ok('POST', path, { as, body: { code: second, ...table.minimal } })
    for (const body of [{ ...table.minimal, code: third }, {}, { ...table.minimal, name: null }])
      expect(outcome(await call('PUT', `${path}/${second}`, { as, body }))).toBe('400 invalid_request')
  })

  test('nobody else writes', async () => {
    await ok('POST', path, { as, body: { code: third, ...table.minimal } })
    const requests = [
      ['POST', path, { code: 'XZ', ...table.minimal }],
      ['PUT', `${path}/${third}`, table.minimal],
      ...(table.change ? [['PATCH', `${path}/${third}`, table.change] as const] : []),
      ['DELETE', `${path}/${third}`, undefined],
    ] as const
    for (const [method, at, body] of requests) {
      const ask = async (credential?: string) =>
        outcome(await call(method, at, { ...(credential && { as: credential }), ...(body && { body }) }))
      expect([method, await ask(), await ask(key), await ask(owner.token), await ask('st_nobody')]).toEqual([
        method,
        '401 unauthenticated',
        '403 forbidden',
        '403 forbidden',
        '401 invalid_token',
      ])
    }
    expect(outcome(await call('GET', path, { as: 'sk_nobody' }))).toBe('401 invalid_api_key')
  })

  test('of those that want one code at once one gets it, and a repeat under its key gets it again', async () => {
    const body = { code: fourth, ...table.minimal }
    const answers = await Promise.all(Array.from({ length: 5 }, () => call('POST', path, { as, body })))
    expect(answers.map(outcome).sort()).toEqual(['201', ...Array.from({ length: 4 }, () => '409 conflict')])
    const headers = { 'idempotency-key': `code ${path}` }
    const again = { as, body: { code: fifth, ...table.minimal }, headers }
    const [one, other] = [await call('POST', path, again), await call('POST', path, again)]
    expect([one.status, other.status]).toEqual([201, 201])
    expect(other.body).toEqual(one.body)
  })

  test('what is hidden is found by administrators alone', async () => {
    const { enabled: _, ...shown } = table.full
    await ok('PUT', `${path}/${fifth}`, { as, body: { ...shown, enabled: false } })
    expect(outcome(await call('GET', `${path}/${fifth}`, { as: owner.token }))).toBe('404 not_found')
    const codes = async (credential?: string) =>
      (await ok('GET', `${path}?limit=5`, credential ? { as: credential } : {})).data.map(({ code }: { code: string }) => code)
    expect([(await codes()).includes(fifth), (await codes(as)).includes(fifth)]).toEqual([false, true])
  })
})

describe('places', () => {
  test('lie in what their path names', async () => {
    for (const path of ['/v1/countries/QQ/states', '/v1/countries/XA/states/QQ/cities', '/v1/countries/QQ/states/N/cities']) {
      expect(outcome(await call('GET', path))).toBe('404 not_found')
      expect(outcome(await call('POST', path, { as, body: { code: 'Q', name: 'Nowhere' } }))).toBe('404 not_found')
    }
    const bir = algeria.cities.find(({ code }) => code === '2820')
    expect((await ok('GET', '/v1/countries/DZ/states/28/cities/2820')).data.name).toBe(bir?.name)
    expect(outcome(await call('GET', '/v1/countries/DZ/states/16/cities/2820'))).toBe('404 not_found')
    expect(outcome(await call('GET', '/v1/countries/XA/states/28'))).toBe('404 not_found')
    // The wilaya that has taken it over lists it too.
    expect((await ok('GET', '/v1/countries/DZ/states/68/cities?q=saada')).data).toMatchObject([
      { code: '2820', stateCode: '28', currentStateCode: '68' },
    ])
  })

  test('one with others in it is kept', async () => {
    expect(outcome(await call('DELETE', '/v1/countries/XA', { as }))).toBe('409 conflict')
    expect(outcome(await call('DELETE', '/v1/countries/XA/states/N', { as }))).toBe('409 conflict')
  })

  test('of the catalogue can be changed and hidden, but not deleted', async () => {
    for (const path of ['/v1/countries/FR', '/v1/countries/DZ/states/16', '/v1/countries/DZ/states/16/cities/1601']) {
      expect((await ok('GET', path)).data.catalogued).toBe(true)
      expect(outcome(await call('DELETE', path, { as }))).toBe('409 conflict')
    }
  })

  test('what administrators wrote outlives the next catalogue, and resolution does not hear of it', async () => {
    const resolve = async () => (await ok('POST', '/v1/geo/resolve', { as: key, body: { state: 'Alger', city: 'Bab Ezzouar' } })).data
    const before = await resolve()
    await ok('PATCH', '/v1/countries/DZ', { as, body: { name: 'Our country' } })
    await ok('PUT', '/v1/countries/DZ/states/16', { as, body: { name: 'The capital' } })
    await ok('PUT', '/v1/countries/DZ/states/16/cities/1601', { as, body: { name: 'The centre', enabled: false } })
    await ok('POST', '/v1/countries/DZ/states/16/cities', { as, body: { code: 'NEW', name: 'A new town' } })
    const other = { ...algeria, cities: algeria.cities.map((city) => ({ ...city, postalCode: '99999' })) }
    expect(await loadCatalogue(context.sql, other)).toBe(true)
    const name = async (path: string) => (await ok('GET', path, { as })).data.name
    expect(await name('/v1/countries/DZ')).toBe('Our country')
    expect(await name('/v1/countries/DZ/states/16')).toBe('The capital')
    expect(await name('/v1/countries/DZ/states/16/cities/1601')).toBe('The centre')
    expect(await name('/v1/countries/DZ/states/16/cities/NEW')).toBe('A new town')
    expect((await ok('GET', '/v1/countries/DZ/states/16/cities/1602')).data).toMatchObject({ postalCode: '99999' })
    expect(await resolve()).toEqual(before)
  })

  test('a currency that stores sell in or plans are sold in stays, also where a store begins to at that moment', async () => {
    const { owner } = await shop()
    expect((await call('DELETE', '/v1/currencies/DZD', { as })).body.error.code).toBe('conflict')
    await ok('POST', '/v1/plans', { as, body: { code: 'gulf', name: 'Gulf', price: 1, currency: 'QAR', available: true } })
    expect((await call('DELETE', '/v1/currencies/QAR', { as })).body.error.code).toBe('conflict')
    const body = { name: 'Oman', countryCode: 'OM', currencyCode: 'OMR' }
    const [made, gone] = await Promise.all([
      call('POST', '/v1/stores', { as: owner.token, body }),
      call('DELETE', '/v1/currencies/OMR', { as }),
    ])
    expect([
      [201, 409],
      [400, 204],
    ]).toContainEqual([made.status, gone.status])
  })

  test('currencies are filled in once and are the administrators’ from then on', async () => {
    expect((await ok('GET', '/v1/currencies/DZD')).data).toMatchObject({ name: 'Algerian Dinar', decimals: 2 })
    expect((await ok('GET', '/v1/currencies/TND')).data).toMatchObject({ decimals: 3 })
    expect((await call('DELETE', '/v1/currencies/TND', { as })).status).toBe(204)
    await loadCurrencies(context.sql)
    expect(outcome(await call('GET', '/v1/currencies/TND'))).toBe('404 not_found')
  })
})

describe('cities are searched', () => {
  const search = async (query: Record<string, string>) =>
    (await ok('GET', `/v1/cities/search?${new URLSearchParams(query)}`)).data as {
      name: string
      code: string
      countryCode: string
      stateCode: string
    }[]

  test('by folded names in both scripts, those that begin so first', async () => {
    const [first] = await search({ q: 'BOU-SÂAD' })
    expect<unknown>(first).toEqual({
      id: expect.stringMatching(/^cit_/),
      countryCode: 'DZ',
      stateCode: '28',
      stateName: "M'sila",
      code: '2820',
      name: 'Bou Saada',
      nameAr: expect.any(String),
      postalCode: expect.any(String),
    })
    expect((await search({ q: 'بُوسعادة' })).map(({ code }) => code)).toContain('2820')
    const found = (await search({ q: 'ain', limit: '50' })).map(({ name }) => name.toLowerCase())
    const begins = found.map((name) => /^a[iï]n/.test(name))
    expect(begins[0]).toBe(true)
    expect(begins).toEqual(begins.toSorted((a, b) => Number(b) - Number(a)))
    expect((await search({ q: 'ou' })).every(({ name }) => /(^|[\s'-])ou/i.test(name))).toBe(true)
  })

  test('within a country or a state, and no hidden one', async () => {
    expect(await search({ q: 'saada', country: 'fr' })).toEqual([])
    expect((await search({ q: 'saada', country: 'dz', state: '68' })).map(({ code }) => code)).toEqual(['2820'])
    expect(await search({ q: 'saada', state: '16' })).toEqual([])
    await ok('POST', '/v1/countries/XA/states/N/cities', { as, body: { code: 'S1', name: 'Ghost town', enabled: false } })
    expect(await search({ q: 'ghost' })).toEqual([])
    await ok('PUT', '/v1/countries/XA/states/N/cities/S1', { as, body: { name: 'Ghóst town' } })
    expect(await search({ q: 'ghost' })).toMatchObject([{ countryCode: 'XA', stateName: 'North', code: 'S1' }])
  })

  test('with what can be searched for', async () => {
    expect(await search({ q: '!?' })).toEqual([])
    expect(await search({ q: '%_' })).toEqual([])
    expect(await search({ q: 'b', limit: '3' })).toHaveLength(3)
    for (const query of ['', '?q=', '?q=a&limit=51', '?q=a&country=Algeria'])
      expect(outcome(await call('GET', `/v1/cities/search${query}`))).toBe('400 invalid_request')
  })
})
