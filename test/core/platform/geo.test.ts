import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { listCatalog } from '../../../core/platform/geo/catalogue/list-catalog.ts'
import { algeria } from '../../../core/platform/geo/countries/dz/catalogue.ts'
import { CONFIDENT } from '../../../core/platform/geo/names/confidence.ts'
import { editDistance } from '../../../core/platform/geo/names/edit-distance.ts'
import { fold, removeArticles, removeSpaces } from '../../../core/platform/geo/names/fold.ts'
import { listNearbyCities, reverseGeocode } from '../../../core/platform/geo/resolve/nearby.ts'
import { buildResolver, type ResolvedPlace, type TypedAddress } from '../../../core/platform/geo/resolve/resolve.ts'
import { searchPlaces } from '../../../core/platform/geo/resolve/search.ts'
import { distanceKm } from '../../../core/platform/geo/shapes/earth.ts'
import { anyText } from '../../support/any-text.ts'
import { computedMs } from '../../support/clock.ts'
import { often } from '../../support/thorough.ts'

const { resolve } = buildResolver(algeria)
const SEED = 5_2026
/** `GEO_RUNS=3000` looks longer. */
const RUNS = Number(process.env.GEO_RUNS ?? often({ quick: 300, thorough: 1_000 }))
const stateNames = new Map(algeria.states.map(({ code, name }) => [code, name]))
const cityByCode = new Map(algeria.cities.map((city) => [city.code, city]))

const ask = (state: string, city = '', address = '', country = 'DZ') => resolve({ country, state, city, address })

describe('the catalogue', () => {
  test('has 58 wilayas, 11 new ones and 1541 communes, each code once', () => {
    expect(algeria.states.map(({ code }) => code)).toEqual(Array.from({ length: 58 }, (_, index) => String(index + 1).padStart(2, '0')))
    expect(algeria.newStates.map(({ code }) => Number(code))).toEqual([59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69])
    expect(algeria.cities).toHaveLength(1541)
    expect(new Set(algeria.cities.map(({ code }) => code)).size).toBe(1541)
  })

  test('knows every place in French and Arabic, spelt with letters', () => {
    for (const place of [...algeria.states, ...algeria.newStates, ...algeria.cities]) {
      expect(place.name).toMatch(/^[\p{Script=Latin}][\p{Script=Latin} '’-]+$/u)
      expect(place.nameAr).toMatch(/^[\u0621-\u0652\u06a4\u06a8 ]+$/u)
    }
    expect(stateNames.get('12')).toBe('Tébessa')
    expect(stateNames.get('19')).toBe('Sétif')
  })

  test('puts every commune inside Algeria, and near its own wilaya', () => {
    for (const city of algeria.cities) {
      expect(city.latitude).toBeWithin(18.9, 37.2)
      expect(city.longitude).toBeWithin(-8.7, 12)
      const siblings = algeria.cities.filter(({ stateCode, code }) => stateCode === city.stateCode && code !== city.code)
      expect(Math.min(...siblings.map((other) => distanceKm(city, other)))).toBeLessThan(450)
    }
    const algiers = cityByCode.get('1601')!
    expect(distanceKm(algiers, { latitude: 36.7754, longitude: 3.0597 })).toBeLessThan(5)
  })

  test('divides 48 old wilayas into 58 and into 69', () => {
    const count = (key: 'stateCode' | 'currentStateCode', codes: number[]) =>
      codes.map((code) => algeria.cities.filter((city) => Number(city[key]) === code).length)
    const tenOf2019 = [49, 50, 51, 52, 53, 54, 55, 56, 57, 58]
    expect(count('stateCode', tenOf2019)).toEqual([10, 2, 6, 10, 3, 2, 13, 2, 8, 3])
    expect(
      count(
        'currentStateCode',
        algeria.newStates.map(({ code }) => Number(code)),
      ),
    ).toEqual([12, 8, 5, 4, 4, 6, 10, 8, 21, 23, 7])
    for (const city of algeria.cities) {
      expect(city.code).toStartWith(String(Number(city.stateCode)))
      const current = algeria.newStates.find(({ code }) => code === city.currentStateCode)
      expect(current?.carrierCode ?? city.currentStateCode).toBe(city.stateCode)
    }
  })

  test('has a postal code of the right form for nearly all, and no two communes share one', () => {
    const codes = algeria.cities.flatMap((city) => city.postalCodes)
    expect(algeria.cities.filter(({ postalCode }) => postalCode === null).length).toBeLessThan(5)
    expect(codes.every((code) => /^\d{5}$/.test(code))).toBe(true)
    expect(new Set(codes).size).toBe(codes.length)
  })
})

describe('folding', () => {
  test.each([
    ['Béni-Abbès', 'beni abbes'],
    ["M'Sila", 'msila'],
    ['أولاد جلّال', 'اولاد جلال'],
    ['إيرجـــن', 'ايرجن'],
    ['رڨان', 'رقان'],
    ['٠٧', '07'],
    ['  Aïn   Œil ', 'ain oeil'],
  ])('%s', (text, folded) => expect(fold(text)).toBe(folded))

  test('drops the article wherever it stands', () => {
    for (const name of ['El Biar', 'Biar', 'El-Biar', 'ElBiar']) expect(removeArticles(fold(name)).replace(/^el/, '')).toBe('biar')
    expect(removeArticles(fold('البيار'))).toBe(removeArticles(fold('بيار')))
  })

  test('prices errors as people make them', () => {
    expect(editDistance('setif', 'setiff', 9)).toBe(0.5)
    expect(editDistance('oran', 'roan', 9)).toBeCloseTo(0.8)
    expect(editDistance('blida', 'blada', 9)).toBeCloseTo(0.6)
    expect(editDistance('blida', 'tlemcen', 2)).toBe(Infinity)
  })
})

/** [wilaya, commune, address] → commune */
const understood: [string, string[], string][] = [
  ['as it is written', ['Alger', 'El Biar'], '1610'],
  ['upper case', ['TIZI OUZOU', 'AZAZGA'], '1518'],
  ['without accents and hyphens', ['bejaia', 'beni djellil'], '623'],
  ['a label of number and name', ['16 - Alger', 'Kouba'], '1618'],
  ['a number alone', ['7', 'Tolga'], '721'],
  ['a number with zero', ['07', 'Tolga'], '721'],
  ['Arabic digits', ['٣١', 'أرزيو'], '3106'],
  ['a prefix', ['wilaya de Tindouf', 'commune de Tindouf'], '3701'],
  ['an elision', ["Wilaya d'Oran", 'Es Senia'], '3105'],
  ['Arabic', ['ولاية الجزائر', 'بلدية باب الزوار'], '1621'],
  ['Arabic without spaces', ['الجزائر', 'بابالزوار'], '1621'],
  ['Arabic with tatweel', ['تيزي وزو', 'إيرجـــن'], '1507'],
  ['Arabic without hamza', ['اولاد جلال', 'سيدي خالد'], '5104'],
  ['two scripts', ['Alger الجزائر', 'Bab Ezzouar (باب الزوار)'], '1621'],
  ['a missing article', ['Alger', 'Harrach'], '1613'],
  ['swapped letters', ['Bordj oBu Arreridj', 'Bordj Ghedri'], '3409'],
  ['doubled letters', ['Skikkda', 'Colllo'], '2110'],
  ['missing letters', ['Mosaganem', 'Hasiane'], '2732'],
  ['another ear', ['alger', 'sheraga'], '1650'],
  ['a popular name', ['Alger', 'BEZ'], '1621'],
  ['popular names of both', ['SBA', 'SBA'], '2201'],
  ['an abbreviation', ['BBA', 'BBA'], '3401'],
  ['a district that is known better', ['Constantine', 'Ali Mendjeli'], '2506'],
  ['the centre of a town', ['Oran', 'oran centre'], '3101'],
  ['the commune in the address', ['Alger', '', 'cité 5 juillet, Bab Ezzouar'], '1621'],
  ['the columns exchanged', ['Bab Ezzouar', 'Alger'], '1621'],
  ['both in one column', ['Alger - Bab Ezzouar', ''], '1621'],
  ['both in the other', ['', 'Bab Ezzouar, Alger'], '1621'],
  ['a postal code before the name', ['Alger', '16042 Bab Ezzouar'], '1621'],
  ['a postal code alone', ['', '16042'], '1621'],
  ['a wilaya of 2026', ['Bou Saâda', 'El Hamel'], '2827'],
  ['the number of a wilaya of 2026', ['67', 'Boughzoul'], '2651'],
  ['the wilaya before 2019', ['Adrar', 'Timimoun'], '4901'],
  ['the neighbour’s wilaya', ['Blida', 'Birtouta'], '1634'],
  ['a name that two wilayas have', ['Annaba', 'El Eulma'], '2304'],
  ['a date in a name', ['Sétif', 'El Eulma 19 juin'], '1920'],
  ['an emoji', ['Skikda 📍', 'Collo 😀'], '2110'],
]

describe('what people type', () => {
  test.each(understood)('%s', (_, texts, code) => {
    const [state, city, address] = texts
    expect(resolve({ country: 'DZ', state, city, address }).cityCode).toBe(code)
  })

  test.each([
    ['exact', 'Alger', 'El Biar'],
    ['folded', 'ALGER', 'el-biar'],
    ['alias', 'Alger', 'BEZ'],
    ['fuzzy', 'Alger', 'El Biarr'],
    ['code', '16', '16042'],
    ['none', 'Atlantis', 'Poseidonis'],
  ])('the method is %s', (method, state, city) => {
    expect(ask(state, city).method as string).toBe(method)
  })

  test('names what is sure, and leaves the rest empty', () => {
    expect(ask('16 - Alger', 'El Biar')).toEqual({
      stateCode: '16',
      stateName: 'Alger',
      cityCode: '1610',
      cityName: 'El Biar',
      method: 'folded',
      confidence: 0.99,
      candidates: [{ stateCode: '16', stateName: 'Alger', cityCode: '1610', cityName: 'El Biar', confidence: 0.99 }],
    })
    expect(ask('7')).toMatchObject({ stateCode: '07', cityCode: null, method: 'code' })
    expect(ask('68')).toMatchObject({ stateCode: '28', cityCode: null, currentStateCode: '68' })
    expect(ask('Djelfa', 'Aïn Oussera').currentStateCode).toBe('65')
  })

  test('an unknown place has no answer', () => {
    const nothing: ResolvedPlace = {
      stateCode: null,
      stateName: null,
      cityCode: null,
      cityName: null,
      method: 'none',
      confidence: 0,
      candidates: [],
    }
    for (const written of [
      {},
      { state: '', city: ' ' },
      { state: '😀', city: '-' },
      { country: 'FR', state: 'Alger', city: 'Hydra' },
      { state: null, city: null },
    ]) {
      expect(resolve(written)).toEqual(nothing)
    }
    for (const country of ['dz', 'Algérie', 'الجزائر', 'DZA', '']) expect(ask('Alger', 'Hydra', '', country).cityCode).toBe('1628')
  })

  test('a name that several wilayas have stays in doubt', () => {
    const { confidence, candidates } = ask('', 'Ain Fares')
    expect(confidence).toBeLessThanOrEqual(0.5)
    expect(candidates.map(({ stateCode }) => stateCode).sort()).toEqual(['28', '29'])
  })

  test('confidence falls with disagreement, errors and silence', () => {
    const inside = ask('Alger', 'Birtouta').confidence
    const neighbour = ask('Blida', 'Birtouta').confidence
    const faraway = ask('Tamanrasset', 'Birtouta').confidence
    expect(inside).toBeGreaterThan(CONFIDENT)
    expect(neighbour).toBeLessThan(0.8)
    expect(faraway).toBeLessThan(neighbour)
    expect(ask('Alger', '', 'rue X, Birtouta').confidence).toBeLessThan(CONFIDENT)
    expect(ask('16', 'Alger').confidence).toBeLessThan(CONFIDENT)
    expect(ask('16 - Oran', 'Arzew').confidence).toBeLessThan(CONFIDENT)
  })

  test('a street is not a commune', () => {
    expect(ask('Alger', '', '12 rue Didouche Mourad').cityCode).toBeNull()
    expect(ask('Alger', 'Hydra', 'rue Mohamed Boudiaf').cityCode).toBe('1628')
  })
})

describe('for any text', () => {
  const city = fc.constantFrom(...algeria.cities)
  const letters = 'abcdefghijklmnopqrstuvwxyzابتجحدرسعفقكلمنهوي'
  const mistyped = (name: string) =>
    fc
      .tuple(fc.nat(name.length - 1), fc.constantFrom('drop', 'double', 'swap', 'replace', 'insert'), fc.constantFrom(...letters))
      .map(([at, error, letter]) => {
        const [before, here, after] = [name.slice(0, at), name[at]!, name.slice(at + 1)]
        if (error === 'drop') return before + after
        if (error === 'double') return before + here + here + after
        if (error === 'swap') return before + after.slice(0, 1) + here + after.slice(1)
        return before + letter + (error === 'replace' ? '' : here) + after
      })

  test('one typing error is understood or admitted', () => {
    const order = city.chain((place) =>
      fc.tuple(fc.constant(place), fc.constantFrom(place.name, place.nameAr).chain(mistyped), fc.constantFrom('name', 'code', 'none')),
    )
    let right = 0
    let all = 0
    fc.assert(
      fc.property(order, ([place, text, said]) => {
        const state = said === 'name' ? stateNames.get(place.stateCode)! : said === 'code' ? place.stateCode : ''
        const { cityCode, confidence } = ask(state, text)
        if (said !== 'none') all++
        if (said !== 'none' && cityCode === place.code) right++
        return cityCode === place.code || confidence < CONFIDENT
      }),
      { seed: SEED, numRuns: RUNS },
    )
    expect(right / all).toBeGreaterThan(0.96)
  })

  test('every commune is found by its own names in its wilaya', () => {
    for (const place of algeria.cities) {
      const state = stateNames.get(place.stateCode)!
      for (const name of [place.name, place.nameAr, place.name.toUpperCase(), removeSpaces(fold(place.name))]) {
        expect(ask(state, name).cityCode).toBe(place.code)
      }
    }
  })

  test('it never throws, and answers with what exists', () => {
    const text = fc.oneof(
      fc.string({ maxLength: 300 }),
      anyText(300),
      fc.string({ unit: 'grapheme', maxLength: 100 }),
      fc.constant('é'.repeat(300)),
      fc.constant('١٢'.repeat(150)),
    )
    fc.assert(
      fc.property(text, text, text, (state, name, address) => {
        const answer = resolve({ country: 'DZ', state, city: name, address })
        expect(answer.confidence).toBeWithin(0, 1.0001)
        expect(answer.method === 'none').toBe(answer.stateCode === null)
        if (answer.cityCode !== null) expect(cityByCode.get(answer.cityCode)!.stateCode).toBe(answer.stateCode!)
      }),
      { seed: SEED, numRuns: 400 },
    )
  })

  test('its own answer resolves to itself, and the same question has the same answer', () => {
    fc.assert(
      fc.property(city, city, (here, there) => {
        const written: TypedAddress = { country: 'DZ', state: stateNames.get(here.stateCode)!, city: there.name }
        const first = resolve(written)
        expect(resolve(written)).toEqual(first)
        if (first.cityName) expect(ask(first.stateName!, first.cityName).cityCode).toBe(first.cityCode)
      }),
      { seed: SEED, numRuns: RUNS / 5 },
    )
  })
})

describe('a file of real mess', () => {
  const read = async (name: string) =>
    parse(await Bun.file(join(import.meta.dir, '../../data', name)).text(), { columns: true }) as Record<string, string>[]

  test('400 orders: the wilaya for 98 %, the commune for 95 %, and nothing sure that is wrong', async () => {
    const [orders, truths] = await Promise.all([read('orders-dz.csv'), read('orders-dz.truth.csv')])
    expect(orders).toHaveLength(400)
    const judged = orders.map((order, index) => {
      const { stateCode, cityCode, currentStateCode, confidence } = ask(order.wilaya!, order.commune, order.address)
      const truth = truths[index]!
      expect(truth.order).toBe(order.order!)
      const city = cityCode === truth.commune_code
      const current = Number(currentStateCode ?? stateCode) === Number(truth.wilaya_code_69)
      return {
        state: Number(stateCode) === Number(truth.wilaya_code_58),
        city,
        current,
        deceived: !city && confidence >= CONFIDENT,
        sure: confidence >= CONFIDENT,
      }
    })
    const share = (key: keyof (typeof judged)[number]) => judged.filter((row) => row[key]).length / judged.length
    expect(share('deceived')).toBe(0)
    expect(share('state')).toBeGreaterThan(0.98)
    expect(share('city')).toBeGreaterThan(0.95)
    expect(share('current')).toBeGreaterThan(0.98)
    expect(share('sure')).toBeGreaterThan(0.85)
  })

  test('resolves 1,000 rows within a second', async () => {
    const orders = await read('orders-dz.csv')
    const fresh = buildResolver(algeria)
    const took = computedMs(() => {
      for (let row = 0; row < 1_000; row++) {
        const order = orders[row % orders.length]!
        fresh.resolve({ country: 'DZ', state: order.wilaya, city: order.commune, address: order.address })
      }
    })
    expect(took).toBeLessThan(1_000)
  })
})

describe('places', () => {
  test('the catalogue lists states with their cities, one state on demand, and those of 2026', () => {
    const { states } = listCatalog('dz')
    expect(states).toHaveLength(58)
    expect(states.reduce((sum, { cities }) => sum + cities.length, 0)).toBe(1541)
    expect(listCatalog('DZ', '1').states.map(({ code }) => code)).toEqual(['01'])
    expect(listCatalog('DZ', '68').states[0]!.cities).toHaveLength(23)
    expect(() => listCatalog('MA')).toThrow('not found')
    expect(() => listCatalog('DZ', '70')).toThrow('not found')
  })

  test('search completes, forgives and knows both scripts', async () => {
    const first = async (text: string) => (await searchPlaces(algeria, text, 5))[0]
    expect((await first('bab ez'))?.cityCode).toBe('1621')
    expect((await first('باب الز'))?.cityCode).toBe('1621')
    expect((await first('bab ezouar'))?.cityCode).toBe('1621')
    expect(await first('Sétif')).toMatchObject({ kind: 'state', stateCode: '19' })
    expect(await searchPlaces(algeria, 'a', 7)).toHaveLength(7)
    expect(await searchPlaces(algeria, '😀', 7)).toEqual([])
  })

  test('nearby sorts by great-circle distance; reverse knows nowhere: the sea, the desert, and across a border', async () => {
    const near = listNearbyCities([algeria], { latitude: 36.7167, longitude: 3.1833 }, 8)
    expect(near.map(({ distanceKm: km }) => km)).toEqual(near.map(({ distanceKm: km }) => km).toSorted((a, b) => a - b))
    expect(near[0]).toMatchObject({ stateCode: '16', cityCode: '1621' })
    const townAt = async (latitude: number, longitude: number) => (await reverseGeocode({ latitude, longitude }))?.cityName ?? null
    expect(await townAt(35.6971, -0.6308)).toBe('Oran')
    expect([await townAt(34.8617, -1.7306), await townAt(32.0514, -1.2483), await townAt(36.77, 3.07)]).not.toContain(null)
    const [paris, sea, desert] = [await townAt(48.8566, 2.3522), await townAt(37.9, 3), await townAt(25.5, -3)]
    const [oujda, figuig, tabarka, ghat] = [
      await townAt(34.6867, -1.9114),
      await townAt(32.1083, -1.2292),
      await townAt(36.9544, 8.758),
      await townAt(24.9647, 10.1728),
    ]
    expect({ paris, sea, desert, oujda, figuig, tabarka, ghat }).toEqual({
      paris: null,
      sea: null,
      desert: null,
      oujda: null,
      figuig: null,
      tabarka: null,
      ghat: null,
    })
    expect(distanceKm({ latitude: 0, longitude: 0 }, { latitude: 0, longitude: 180 })).toBeCloseTo(20015.1, 0)
  })
})
