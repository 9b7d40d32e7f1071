import { assertEqual, assertFits, assertUnique, check, requireMember, skipCase } from '../../acceptance/checks.ts'
import type { Carrier, Rate as Price, Shipment } from '../contract.ts'
import { StockProduct } from '../model.ts'
import { Center, City, Fee, Rate, ServiceFee, State } from '../places.model.ts'
import { foldName } from '../toolkit/places.ts'
import type { Bench } from './bench.ts'
import type { Draft } from './draft.ts'
import type { Rig } from './rig.ts'

/** Cases about places, fees, rates and unknown destinations. */
export const placeCases = (carrier: Carrier, rig: Rig): Draft[] => [
  { name: 'states have unique ids and codes', unless: !carrier.states && 'it lists no states', run: statesAreSane },
  {
    name: 'cities are in existing states',
    unless: !(carrier.states && carrier.cities) && 'it lists no cities',
    run: citiesAreSane,
  },
  {
    name: 'centres are in existing states',
    unless: !(carrier.states && carrier.centers) && 'it has no centres',
    run: centersAreSane,
  },
  {
    name: 'a parcel goes to a centre',
    unless: !(carrier.centers && carrier.states && carrier.deliveryTypes.includes('pickup')) && 'it has no centres',
    run: goesToCenter,
  },
  { name: 'fees are amounts', unless: !carrier.fees && 'it has no fees', run: feesAreSane },
  { name: 'rates grow with weight and size', unless: !carrier.rates && 'it has no rates', run: ratesAreSane },
  {
    name: 'service fees are listed',
    unless: !carrier.serviceFees && 'it has no service fees',
    run: async ({ carrier, rig, open }) => {
      const fees = await carrier.serviceFees!(open().context)
      for (const fee of fees) assertFits(ServiceFee, fee, 'service fee')
      const told = new Set(fees.flatMap(({ percent, amount }) => [percent, amount]).filter((charge) => charge !== undefined))
      assertEqual([...told].sort(), [...new Set(requireMember(rig.charges, 'charges'))].sort(), 'percentages and amounts')
    },
  },
  {
    name: 'stock is listed',
    unless: !carrier.stockProducts && 'it has no stock',
    run: async ({ carrier, rig, open }) => {
      const products = await carrier.stockProducts!(open().context)
      for (const product of products) assertFits(StockProduct, product, 'product')
      const told = products.map(({ sku, quantity }) => `${sku ?? '–'}: ${quantity}`)
      assertEqual(
        told.sort(),
        requireMember(rig.stock, 'stock')
          .map(({ sku, quantity }) => `${sku ?? '–'}: ${quantity}`)
          .sort(),
        'what lies there',
      )
    },
  },
  { name: 'fees are those of the carrier', unless: !carrier.fees && 'it has no fees', run: feesAreIts },
  { name: 'rates are those of the carrier', unless: !carrier.rates && 'it has no rates', run: ratesAreIts },
  ...Object.entries(nowhere(carrier, rig)).map(([what, change]) => ({
    name: `a parcel to ${what} is refused or sent there, never elsewhere`,
    run: (bench: Bench) => isNeverMoved(bench, change),
  })),
]

async function statesAreSane({ carrier, rig, open }: Bench): Promise<void> {
  const states = await carrier.states!(open().context)
  check(states.length > 0, 'there are states')
  for (const state of states) assertFits(State, state, 'state')
  assertUnique(
    states.map(({ id }) => id),
    'ids',
  )
  assertUnique(
    states.flatMap(({ code }) => code ?? []),
    'codes',
  )
  const { stateCode, stateName } = rig.shipment().destination
  assertEqual(foldName(states.find(({ code }) => code === stateCode)?.name ?? ''), foldName(stateName), `name of state ${stateCode}`)
}

async function citiesAreSane({ carrier, open }: Bench): Promise<void> {
  const { context } = open()
  const states = new Set((await carrier.states!(context)).map(({ id }) => id))
  const cities = await carrier.cities!(context, {})
  check(cities.length > 0, 'there are cities')
  for (const city of cities) assertFits(City, city, 'city')
  assertUnique(
    cities.map(({ id }) => id),
    'ids',
  )
  assertEqual(
    cities.filter(({ stateId }) => !states.has(stateId)),
    [],
    'cities in no state',
  )
  const { stateId } = cities[0]!
  const some = await carrier.cities!(context, { stateId })
  assertEqual(some.length, cities.filter((city) => city.stateId === stateId).length, `cities of state ${stateId}`)
  assertEqual(
    some.filter((city) => city.stateId !== stateId),
    [],
    'cities of other states',
  )
}

async function centersAreSane({ carrier, open }: Bench): Promise<void> {
  const { context } = open()
  const states = new Set((await carrier.states!(context)).map(({ id }) => id))
  const centers = await carrier.centers!(context, {})
  for (const center of centers) assertFits(Center, center, 'centre')
  check(centers.length === 0 || centers.some(({ address }) => address.trim() !== ''), 'some centre has an address')
  assertUnique(
    centers.map(({ id }) => id),
    'ids',
  )
  assertEqual(
    centers.filter(({ stateId }) => !states.has(stateId)),
    [],
    'centres in no state',
  )
  const stateId = centers[0]?.stateId
  if (!stateId) skipCase('it has no centres')
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
  assertEqual(await rig.parcelsOf(desk, one.shipment.reference), [one.sent.trackingId], 'parcels at the carrier')
}

async function feesAreSane({ carrier, rig, open }: Bench): Promise<void> {
  const { stateCode } = rig.shipment().destination
  const fees = await carrier.fees!(open().context, { stateCode })
  check(fees.length > 0, `there are fees to ${stateCode}`)
  for (const fee of fees) assertFits(Fee, fee, 'fee')
  assertEqual(
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
  for (const rate of light) assertFits(Rate, rate, 'rate')
  const heavy = await quote({ weightKg: 30 })
  const large = await quote({ weightKg: 1, dimensions: { lengthCm: 80, widthCm: 60, heightCm: 60 } })
  for (const [index, rate] of light.entries()) {
    check(priceIn(heavy, index) >= rate.price, 'heavy is not cheaper than light')
    check(priceIn(large, index) >= rate.price, 'large is not cheaper than small')
  }
}

const priceIn = (rates: readonly Price[], index: number) => rates[index]?.price ?? Number.NaN

/** Destinations in the state of the usual shipment, and in another one. */
const priced = (rig: Rig): Pick<Shipment['destination'], 'stateCode' | 'stateName' | 'cityName'>[] => [
  rig.shipment().destination,
  { stateCode: '16', stateName: 'Alger', cityName: 'Alger Centre' },
]

async function feesAreIts({ carrier, rig, open }: Bench): Promise<void> {
  const { context } = open()
  for (const { stateCode, cityName } of priced(rig)) {
    const prices = requireMember(rig.prices, 'prices')({ stateCode, cityName })
    const fees = await carrier.fees!(context, { stateCode })
    const own = fees.find((fee) => foldName(fee.cityName ?? '') === foldName(cityName)) ?? fees.find((fee) => fee.cityName === undefined)
    assertEqual(
      { home: own?.home, pickup: own?.pickup },
      { home: prices.home, pickup: prices.pickup },
      `fees to ${cityName} (${stateCode})`,
    )
    if (prices.returnFee !== undefined) assertEqual(own?.returnFee, prices.returnFee, `fee of a return from ${cityName}`)
  }
}

async function ratesAreIts({ carrier, rig, open }: Bench): Promise<void> {
  const { context } = open()
  for (const { stateCode, cityName } of priced(rig)) {
    const prices = requireMember(rig.prices, 'prices')({ stateCode, cityName })
    const rates = await carrier.rates!(context, { stateCode, cityName, weightKg: 1 })
    for (const deliveryType of ['home', 'pickup'] as const) {
      const told = rates.filter((rate) => rate.deliveryType === deliveryType).map(({ price }) => price)
      const price = prices[deliveryType]
      check(
        price === null ? told.length === 0 : told.includes(price),
        `${deliveryType} to ${cityName} is ${price}, not ${told.join(' or ')}`,
      )
    }
    assertEqual([...new Set(rates.map(({ currency }) => currency))], [carrier.currency], 'currency')
    const toHomes = await carrier.rates!(context, { stateCode, cityName, weightKg: 1, deliveryType: 'home' })
    assertEqual([...new Set(toHomes.map(({ deliveryType }) => deliveryType))], ['home'], 'ways of delivery when one is asked for')
  }
}

/** Returns changes that lead to unknown places, by their names. */
function nowhere({ deliveryTypes }: Carrier, { lacks }: Rig): Record<string, Partial<Shipment['destination']>> {
  const pickup = { deliveryType: 'pickup', pickupId: 'no-such-centre' } as const
  return {
    'an unknown city': { cityName: 'Xyzzyx Qwfpgj' },
    'a city of another state': { cityName: 'Tamanrasset' },
    // A city of the first state, to notice an adapter that takes that state as a default.
    'an unknown state': { stateCode: '99', stateName: 'Qwfpgj', cityName: 'Adrar' },
    'an unknown state with a city of the capital': { stateCode: '99', stateName: 'Qwfpgj', cityName: 'Alger Centre' },
    'an unknown state with a known city': { stateCode: '99', stateName: 'Qwfpgj' },
    ...(deliveryTypes.includes('pickup') && !lacks?.pickupId && { 'an unknown centre': pickup }),
  }
}

/** Checks that an unknown place is not silently replaced by another one. */
async function isNeverMoved({ carrier, rig, open }: Bench, change: Partial<Shipment['destination']>): Promise<void> {
  const desk = open()
  const destination = { ...rig.shipment().destination, ...change }
  const shipment = rig.shipment({ destination })
  const sent = await Promise.resolve(carrier.send(desk.context, shipment)).catch((error: unknown) => {
    check((error as { reason?: string }).reason === 'refused', `an unknown place is refused, not ${String(error)}`)
  })
  const { parcels } = await requireMember(rig.seen, 'seen')(shipment.reference)
  if (!sent) return assertEqual(parcels.length, 0, 'parcels at the carrier')
  const [there] = parcels
  const city = rig.lacks?.cityName ? destination.cityName : there?.cityName
  assertEqual([there?.stateCode, foldName(city ?? '')], [destination.stateCode, foldName(destination.cityName)], 'destination')
  assertEqual([there?.deliveryType, there?.pickupId], [destination.deliveryType, destination.pickupId ?? null], 'centre')
}
