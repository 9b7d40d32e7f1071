import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import { call } from '../../../../adapters/carrier/zrexpress/api.ts'
import zrexpress from '../../../../adapters/carrier/zrexpress/index.ts'
import { createStorage, shipment } from '../../../../plugins/carrier/acceptance.ts'
import type { Carrier } from '../../../../plugins/carrier/contract.ts'
import { to } from '../../../support/simulated-rig.ts'
import { rig as zrRig } from './rig.ts'

const carrier = zrexpress as Carrier
const rig = zrRig(carrier)
const { simulator } = rig
afterEach(() => simulator.reset())
afterAll(() => simulator.stop())

type Json = Record<string, unknown>
const api = '/api/v1/'
const asked = (line: string, since = 0) =>
  simulator.requests.slice(since).filter(({ method, path }) => `${method} ${path}` === line.replace(' ', ` ${api}`))
const lastBody = (line: string) => JSON.parse(asked(line).at(-1)!.body) as Json

describe('places', () => {
  test.each([
    ['06', 'Béjaïa', 'Béjaïa'],
    ['28', "M'Sila", 'm’sila'],
    ['46', 'Aïn Témouchent', 'AIN TEMOUCHENT'],
    ['57', 'El M’Ghair as another writes it', 'Djamaa'],
  ])('%s %s is found without accents, among names that come before it', async (stateCode, stateName, cityName) => {
    await carrier.send(rig.open().context, to({ stateCode, stateName, cityName }))
    const { cityTerritoryId, districtTerritoryId } = lastBody('POST parcels').deliveryAddress as Json
    expect(cityTerritoryId).toBe(`aaaaaaaa-0000-4000-8000-0000000000${stateCode}`)
    expect(districtTerritoryId).toStartWith(`bbbbbbbb-0000-4000-8000-00000000${Number(stateCode) < 10 ? '0' : ''}${Number(stateCode)}`)
  })

  test('all territories are read in two calls, once', async () => {
    const since = simulator.requests.length
    const notes = createStorage()
    await Promise.all(['16', '31', '06'].map((stateId) => carrier.cities!(rig.open({ storage: notes }).context, { stateId })))
    expect((await carrier.cities!(rig.open({ storage: notes }).context, {})).length).toBeGreaterThan(1400)
    expect(asked('POST territories/search', since).length).toBe(2)
  })

  test('states are those that have a territory; a state may be named by our number', async () => {
    const { context } = rig.open()
    const states = await carrier.states!(context)
    expect(states.length).toBe(54)
    expect(states.filter(({ code }) => ['33', '37', '50', '56'].includes(code ?? ''))).toEqual([])
    const [oran] = states.filter(({ code }) => code === '31')
    expect(await carrier.cities!(context, { stateId: '31' })).toEqual(await carrier.cities!(context, { stateId: oran!.id }))
  })

  test('only hubs that hand parcels out are centres, and a hub is the destination', async () => {
    const { context } = rig.open()
    const centers = await carrier.centers!(context, {})
    expect(centers.filter(({ name }) => ['Tri', 'Retours', 'Fermé'].includes(name))).toEqual([])
    const [hub] = await carrier.centers!(context, { stateId: '31' })
    const { warnings } = await carrier.send(context, to({ deliveryType: 'pickup', pickupId: hub!.id, cityName: 'Es Senia' }))
    expect(lastBody('POST parcels')).toMatchObject({
      deliveryType: 'pickup-point',
      hubId: hub!.id,
      deliveryAddress: { districtTerritoryId: 'bbbbbbbb-0000-4000-8000-000000003101', street: hub!.address },
    })
    expect(warnings?.map(({ code }) => code)).toEqual(['destination_rewritten'])
  })

  test('a hub that is gone is a refusal (a 404 to a POST), and the hubs are read anew', async () => {
    const notes = createStorage()
    const wilayaId = 'aaaaaaaa-0000-4000-8000-000000000031'
    const gone = {
      id: crypto.randomUUID(),
      name: 'Gone',
      wilayaId,
      communeId: 'bbbbbbbb-0000-4000-8000-000000003101',
      commune: 'Oran',
      street: '1',
    }
    await notes.set(`hubs:${wilayaId}`, { at: Date.now(), value: [gone] })
    const desk = rig.open({ storage: notes })
    const parcel = to({ deliveryType: 'pickup', pickupId: gone.id })
    const refused = (message: string) => ({ reason: 'refused', message: expect.stringContaining(message) })
    await expect(carrier.send(desk.context, parcel)).rejects.toMatchObject(refused('HubErrors.HubNotFound'))
    await expect(carrier.send(desk.context, parcel)).rejects.toMatchObject(refused('Hub Oran'))
  })

  test('a commune that is gone is refused once, and the territories are read anew', async () => {
    const notes = createStorage()
    const [wilayaId, id] = ['aaaaaaaa-0000-4000-8000-000000000031', crypto.randomUUID()]
    const gone = { id, name: 'Oran', group: wilayaId, home: true, pickup: true }
    const { context } = rig.open({ storage: notes })
    await carrier.states!(context)
    await notes.set(`territories:${wilayaId}`, { at: Date.now(), value: [gone] })
    await expect(carrier.send(context, shipment())).rejects.toMatchObject({ reason: 'refused' })
    await notes.set(`territories:${wilayaId}`, { at: Date.now(), value: [gone] })
    expect((await carrier.sendMany!(context, [shipment()]))[0]?.refused).toBeDefined()
    expect((await carrier.send(context, shipment())).trackingId).toEndWith('-ZR')
  })

  test('a 404 to a POST that is not in the carrier’s words tells nothing', async () => {
    const { context } = rig.open()
    await expect(call(context as never, 'POST', 'nowhere', { json: {} })).rejects.toMatchObject({ reason: 'unavailable' })
  })
})

describe('prices', () => {
  const quote = { stateCode: '31', cityName: 'Oran' }

  test('are what is paid in the end: with the discount, with VAT', async () => {
    const fees = await carrier.fees!(rig.open().context, { stateCode: '31' })
    expect(fees).toEqual([
      { stateCode: '31', cityName: 'Oran', home: 833, pickup: 595, returnFee: 238 },
      { stateCode: '31', home: 595, pickup: 476, returnFee: 238 },
    ])
  })

  test('of a commune are its own, else those of its wilaya, and without a city the dearest', async () => {
    const { context } = rig.open()
    const home = async (more: object) => (await carrier.rates!(context, { ...quote, deliveryType: 'home', ...more }))[0]?.price
    expect(await home({})).toBe(833)
    expect(await home({ cityName: 'Arzew' })).toBe(595)
    expect(await home({ cityName: '' })).toBe(833)
    await expect(carrier.rates!(context, { ...quote, cityName: 'Hydra' })).rejects.toMatchObject({ reason: 'refused' })
  })

  test('of the whole country come in one call', async () => {
    const { context } = rig.open()
    const since = simulator.requests.length
    const fees = await carrier.fees!(context, {})
    expect(new Set(fees.map(({ stateCode }) => stateCode)).size).toBe(54)
    expect(asked('GET delivery-pricing/rates', since).length).toBe(1)
  })

  test('need to know where from', async () => {
    const { context } = rig.open({ settings: {} })
    await expect(carrier.fees!(context, {})).rejects.toMatchObject({ reason: 'refused', message: expect.stringContaining('fromStateCode') })
    await carrier.send(context, shipment())
  })

  test('of services are told, those written as text too', async () => {
    expect(await carrier.serviceFees!(rig.open().context)).toEqual([
      { service: 'labelling', amount: 10 },
      { service: 'weighing', amount: 0 },
      { service: 'exchange within a wilaya', amount: 300 },
      { service: 'exchange between wilayas', amount: 450.5 },
      { service: 'change of telephone number', amount: 50 },
    ])
  })
})

test('stock is read; what has no quantity is left out, with the names of its fields', async () => {
  expect(await carrier.stockProducts!(rig.open().context)).toMatchObject([
    { name: 'Basket 42', sku: 'SNK-42', quantity: 12 },
    { name: 'Basket 43', quantity: 0 },
  ])
  const desk = rig.open({ settings: { ...rig.settings, stockQuantityField: 'onHand' } })
  expect(await carrier.stockProducts!(desk.context)).toEqual([])
  expect(desk.logged).toMatchObject([{ fields: { rows: 2, fields: ['id', 'name', 'sku', 'quantity'] } }])
})
