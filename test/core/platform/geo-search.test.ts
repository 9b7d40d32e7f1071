import { describe, expect, test } from 'bun:test'
import type { Catalogue } from '../../../core/platform/geo/catalogue/catalogue.ts'
import { algeria } from '../../../core/platform/geo/countries/dz/catalogue.ts'
import { LetterPairIndex } from '../../../core/platform/geo/names/letter-pairs.ts'
import { PrefixIndex } from '../../../core/platform/geo/names/prefix-index.ts'
import { matchPlaces } from '../../../core/platform/geo/resolve/match-places.ts'
import { listNearbyCities } from '../../../core/platform/geo/resolve/nearby.ts'
import { indexPlaces } from '../../../core/platform/geo/resolve/places.ts'
import { searchPlaces } from '../../../core/platform/geo/resolve/search.ts'
import { byTheClock, slowness } from '../../support/clock.ts'

const nameOf = ({ cityName, stateName }: { cityName: string | null; stateName: string }) => cityName ?? stateName

describe('who is still typing', () => {
  test.each([
    ['the article or none, in Latin', 'al harr', 'El Harrach'],
    ['the article or none, in Arabic', 'حراش', 'El Harrach'],
    ['the article glued', 'elharr', 'El Harrach'],
    ['ta marbuta as ha, hamza and article left out', 'مديه', 'Médéa'],
    ['tatweel', 'وهـــر', 'Oran'],
    ['no hamza', 'ادرا', 'Adrar'],
    ['no accents', 'setif', 'Sétif'],
    ['another ear', 'shlef', 'Chlef'],
    ['another ear, begun', 'shera', 'Cheraga'],
    ['a later word', 'abbes', 'Béni Abbès'],
    ['a name that people use', 'orleansv', 'Chlef'],
    ['an error', 'constentine', 'Constantine'],
    ['nothing but an emoji', '😀', undefined],
  ])('%s', async (_, text, name) => {
    const found = (await searchPlaces(algeria, text, 10)).map(nameOf)
    if (name === undefined) expect(found).toEqual([])
    else expect(found).toContain(name)
  })

  test.each([
    ['bab el', 'Bab El Assa|Bab El Oued'],
    ['bab el o', 'Bab El Oued'],
    ['باب الواد', 'Bab El Oued'],
    ['bordj el k', 'Bordj El Kiffan'],
    ['elharr', 'El Harrach'],
    ['bab ez', 'Bab Ezzouar'],
    ['el oued', 'El Oued'],
  ])('what begins with the article too that was typed is first: %s', async (text, names) => {
    const expected = names.split('|')
    expect((await searchPlaces(algeria, text, 10)).slice(0, expected.length).map(nameOf)).toEqual(expected)
  })

  test('every place is among the first ten by three quarters of its name, in both scripts', async () => {
    const missed: string[] = []
    for (const { code, name, nameAr } of algeria.cities.filter((_, at) => at % 7 === 0))
      for (const each of [name, nameAr]) {
        const begun = each.slice(0, Math.ceil(each.length * 0.75))
        if (!(await searchPlaces(algeria, begun, 10)).some(({ cityCode }) => cityCode === code)) missed.push(begun)
      }
    // Of a few there are more than ten that begin so.
    expect(missed.length).toBeLessThan(10)
  })
})

describe('the first use of a country of 100,000 cities lets others work', () => {
  const cities = Array.from({ length: 100_000 }, (_, at) => {
    const city = algeria.cities[at % algeria.cities.length]!
    return { ...city, code: `${at}`, name: `${city.name} ${Math.floor(at / algeria.cities.length).toString(36)}` }
  })
  const typed = (large: Catalogue) => Promise.all(['bab', 'constentine', 'وهر'].map((text) => searchPlaces(large, text, 10)))
  const matched = (large: Catalogue) => matchPlaces(large, [{ id: '1', name: 'Bab El Oued 0', stateCode: '16' }])

  test.each([
    ['three searches that begin together', typed],
    ['the match of places of a carrier', matched],
  ])(
    '%s',
    async (_, work) => {
      const large: Catalogue = { ...algeria, country: 'XX', cities }
      await indexPlaces(large)
      expect(await longestTurnMs(() => work(large))).toBeLessThan(50 * slowness())
    },
    { timeout: 60_000, ...byTheClock },
  )
})

/** The longest that one turn of the event loop computes while `work` is done. */
async function longestTurnMs(work: () => Promise<unknown>): Promise<number> {
  let [longest, isOver] = [0, false]
  let before = process.cpuUsage()
  const turn = () => {
    const { user, system } = process.cpuUsage(before)
    longest = Math.max(longest, (user + system) / 1000)
    before = process.cpuUsage()
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  await work()
  isOver = true
  await new Promise((resume) => setImmediate(resume))
  return longest
}

describe('what one search costs has a bound, however many names there are', () => {
  test('of names that begin alike, no more are compared than is said', () => {
    const beginnings = new PrefixIndex<number>()
    for (let at = 0; at < 50_000; at += 1) beginnings.add(`beni${at}`, { key: `beni${at}`, entry: at, isWhole: true })
    beginnings.add('oran', { key: 'oran', entry: -1, isWhole: true })
    expect([...beginnings.find('be', 100)]).toHaveLength(100)
    expect([...beginnings.find('beni49999', 100)]).toEqual([])
    expect([...beginnings.find('or', 100)].map(({ entry }) => entry)).toEqual([-1])
    expect([...beginnings.find('', 100)]).toEqual([])
  })

  test('of names that may be alike, those that share the most letters, each once, the same each time', () => {
    const pairs = new LetterPairIndex()
    for (let at = 0; at < 20_000; at += 1) pairs.add(`oued${at.toString(36)}`, at)
    pairs.add('constantine', 20_000)
    pairs.add('constant', 20_001)
    expect(pairs.findSimilar('constentine', 5).slice(0, 2)).toEqual([20_000, 20_001])
    const many = pairs.findSimilar('oued', 150)
    expect([many.length, new Set(many).size]).toEqual([150, 150])
    expect(pairs.findSimilar('oued', 150)).toEqual(many)
    expect(pairs.findSimilar('ççç', 150)).toEqual([])
  })

  test('what is nearest is what is nearest of all', () => {
    const all = (latitude: number, longitude: number) => listNearbyCities([algeria], { latitude, longitude }, algeria.cities.length)
    for (const [latitude, longitude] of [
      [36.75, 3.05],
      [20, 5],
      [-40, 170],
      [90, 0],
    ] as const) {
      const every = all(latitude, longitude)
      expect(every).toHaveLength(1541)
      const few = listNearbyCities([algeria], { latitude, longitude }, 7)
      expect(few.map(({ distanceKm }) => distanceKm)).toEqual(every.slice(0, 7).map(({ distanceKm }) => distanceKm))
    }
  })
})
