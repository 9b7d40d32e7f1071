import type { Draft } from '../acceptance.ts'
import type { Carrier, Rate as Price } from '../contract.ts'
import { Center, City, Fee, Rate, ServiceFee, State, StockProduct } from '../model.ts'
import { type Bench, check, fits, same, unique } from './bench.ts'
import type { Rig } from './rig.ts'

export const placeCases = (carrier: Carrier, rig: Rig): Draft[] => [
  { name: 'states have ids of their own', unless: !carrier.states && 'it lists no states', run: statesAreSane },
  {
    name: 'cities lie in states that exist',
    unless: !(carrier.states && carrier.cities) && 'it lists no cities',
    run: citiesAreSane,
  },
  {
    name: 'centres lie in states that exist',
    unless: !(carrier.states && carrier.centers) && 'it has no centres',
    run: centersAreSane,
  },
  {
    name: 'a parcel goes to a centre',
    unless: !(carrier.centers && carrier.states && carrier.deliveryTypes.includes('pickup')) && 'it has no centres',
    run: goesToCenter,
  },
  { name: 'fees are amounts', unless: !carrier.fees && 'it tells no fees', run: feesAreSane },
  { name: 'rates grow with weight and size', unless: !carrier.rates && 'it quotes no rates', run: ratesAreSane },
  {
    name: 'service fees are told',
    unless: !carrier.serviceFees && 'it tells no service fees',
    run: async ({ carrier, open }) => {
      for (const fee of await carrier.serviceFees!(open().context)) fits(ServiceFee, fee, 'service fee')
    },
  },
  {
    name: 'stock is told',
    unless: !carrier.stockProducts && 'it keeps no stock',
    run: async ({ carrier, open }) => {
      for (const product of await carrier.stockProducts!(open().context)) fits(StockProduct, product, 'product')
    },
  },
  {
    name: 'a parcel to an unknown place is refused or taken, never moved',
    unless: !rig.refusable && 'its other side refuses nothing',
    run: isNeverMoved,
  },
]

async function statesAreSane({ carrier, open }: Bench): Promise<void> {
  const states = await carrier.states!(open().context)
  check(states.length > 0, 'there are states')
  for (const state of states) fits(State, state, 'state')
  unique(
    states.map(({ id }) => id),
    'ids',
  )
  unique(
    states.flatMap(({ code }) => code ?? []),
    'codes',
  )
}

async function citiesAreSane({ carrier, open }: Bench): Promise<void> {
  const { context } = open()
  const states = new Set((await carrier.states!(context)).map(({ id }) => id))
  const cities = await carrier.cities!(context, {})
  check(cities.length > 0, 'there are cities')
  for (const city of cities) fits(City, city, 'city')
  unique(
    cities.map(({ id }) => id),
    'ids',
  )
  same(
    cities.filter(({ stateId }) => !states.has(stateId)),
    [],
    'cities in no state',
  )
  const { stateId } = cities[0]!
  const some = await carrier.cities!(context, { stateId })
  same(some.length, cities.filter((city) => city.stateId === stateId).length, `cities of state ${stateId}`)
  same(
    some.filter((city) => city.stateId !== stateId),
    [],
    'cities of other states',
  )
}

async function centersAreSane({ carrier, open }: Bench): Promise<void> {
  const { context } = open()
  const states = new Set((await carrier.states!(context)).map(({ id }) => id))
  const centers = await carrier.centers!(context, {})
  for (const center of centers) fits(Center, center, 'centre')
  unique(
    centers.map(({ id }) => id),
    'ids',
  )
  same(
    centers.filter(({ stateId }) => !states.has(stateId)),
    [],
    'centres in no state',
  )
  const stateId = centers[0]?.stateId
  if (!stateId) return
  const some = await carrier.centers!(context, { stateId })
  check(some.length > 0 && some.every((center) => center.stateId === stateId), `only the centres of state ${stateId}`)
}

async function goesToCenter({ carrier, rig, open, sent }: Bench): Promise<void> {
  const desk = open()
  const { destination } = rig.shipment()
  const state = (await carrier.states!(desk.context)).find(({ code }) => code === destination.stateCode)
  check(state, `state ${destination.stateCode} is listed`)
  const [center] = await carrier.centers!(desk.context, { stateId: state.id })
  check(center, `there is a centre in ${state.name}`)
  const one = await sent({ destination: { ...destination, cityName: center.cityName, deliveryType: 'pickup', pickupId: center.id } }, desk)
  same(await rig.parcelsOf(desk, one.shipment.reference), [one.sent.trackingId], 'parcels at the carrier')
}

async function feesAreSane({ carrier, rig, open }: Bench): Promise<void> {
  const { stateCode } = rig.shipment().destination
  const fees = await carrier.fees!(open().context, { stateCode })
  check(fees.length > 0, `there are fees to ${stateCode}`)
  for (const fee of fees) fits(Fee, fee, 'fee')
  same(
    fees.filter((fee) => fee.stateCode !== stateCode),
    [],
    'fees to other states',
  )
  check(
    fees.some(({ home, pickup }) => (home ?? pickup ?? 0) > 0),
    'delivery is not free',
  )
}

async function ratesAreSane({ carrier, rig, open }: Bench): Promise<void> {
  const { context } = open()
  const { stateCode, cityName } = rig.shipment().destination
  const quote = async (more: object) => carrier.rates!(context, { stateCode, cityName, deliveryType: 'home', ...more })
  const light = await quote({ weightKg: 1 })
  check(light.length > 0, `there are rates to ${cityName}`)
  for (const rate of light) fits(Rate, rate, 'rate')
  const heavy = await quote({ weightKg: 30 })
  const large = await quote({ weightKg: 1, dimensions: { lengthCm: 80, widthCm: 60, heightCm: 60 } })
  for (const [index, rate] of light.entries()) {
    check(priceIn(heavy, index) >= rate.price, 'heavy is not cheaper than light')
    check(priceIn(large, index) >= rate.price, 'large is not cheaper than small')
  }
}

const priceIn = (rates: readonly Price[], index: number) => rates[index]?.price ?? Number.NaN

/** An unknown city must not turn into another one silently. */
async function isNeverMoved({ carrier, rig, open }: Bench): Promise<void> {
  const desk = open()
  const { destination } = rig.shipment()
  const cityName = 'Xyzzyx Qwfpgj'
  const attempt = Promise.resolve(carrier.send(desk.context, rig.shipment({ destination: { ...destination, cityName } })))
  const sent = await attempt.catch((error: unknown) => {
    check((error as { reason?: string }).reason === 'refused', `an unknown city is refused, not ${String(error)}`)
  })
  if (!sent || !carrier.track) return
  const [parcel] = await carrier.track(desk.context, [sent.trackingId])
  same(parcel?.cityName ?? cityName, cityName, 'city')
}
