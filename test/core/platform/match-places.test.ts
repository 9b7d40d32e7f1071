import { expect, test } from 'bun:test'
import { algeria } from '../../../core/platform/geo/countries/dz/catalogue.ts'
import { matchPlaces, stateCodeOf } from '../../../core/platform/geo/resolve/match-places.ts'

test('a wilaya is known by its code or its name, and one of the new ones by its mother, where carriers look for its communes', () => {
  for (const [state, code] of [
    [{ code: '3', name: 'whatever' }, '03'],
    [{ name: 'عين صالح' }, '53'],
    [{ code: 'a-uuid', name: 'BEJAIA' }, '06'],
    [{ code: '59', name: 'Aflou' }, '03'],
    [{ name: 'Bou Saâda' }, '28'],
    [{ code: '70', name: 'Atlantis' }, undefined],
  ] as const)
    expect([state, stateCodeOf(algeria, state)]).toEqual([state, code])
})

test('communes are matched under each of their own names, and two that share one are not mixed up', async () => {
  const place = (id: string, name: string, stateCode: string | undefined) => ({ id, name, stateCode })
  const { matched, theirs } = await matchPlaces(algeria, [
    // So are both Beni Mester and Beni Smiel written in the catalogue.
    place('1', 'بني مستار', '13'),
    place('2', 'وهران', '31'),
    place('3', ' BIR-EL-DJIR', '31'),
    place('4', 'Oran', '16'),
    place('5', 'Aflou', undefined),
    place('6', '', '31'),
  ])
  const cities = Object.fromEntries(matched.map(({ id, cityCode }) => [id, cityCode]))
  expect(cities).toEqual({ 2: '3101', 3: '3103' })
  expect(theirs.map(({ id }) => id)).toEqual(['1', '4', '5', '6'])
})

test('every commune is matched to itself, by its Latin and by its Arabic name', async () => {
  const latin = await matchPlaces(
    algeria,
    algeria.cities.map(({ code, name, stateCode }) => ({ id: code, name, stateCode })),
  )
  expect(latin.matched.filter(({ id, cityCode }) => id !== cityCode)).toEqual([])
  expect([latin.theirs, latin.ours]).toEqual([[], []])
  const arabic = await matchPlaces(
    algeria,
    algeria.cities.map(({ code, nameAr, stateCode }) => ({ id: code, name: nameAr, stateCode })),
  )
  expect(arabic.matched.filter(({ id, cityCode }) => id !== cityCode)).toEqual([])
})
