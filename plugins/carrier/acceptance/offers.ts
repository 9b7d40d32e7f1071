import { assertEqual, skipCase } from '../../acceptance/checks.ts'
import type { Carrier } from '../contract.ts'
import type { Bench } from './bench.ts'
import type { Draft } from './draft.ts'

/** Cases: listed places and prices agree with the parcels that the carrier accepts. */
export const offerCases = (carrier: Carrier): Draft[] => [
  {
    name: 'fees go to states that are listed',
    unless: !(carrier.fees && carrier.states) && 'it lists no states, or tells no fees',
    run: feesGoSomewhere,
  },
  {
    name: 'where it does not go, a fee is null and not nothing',
    unless: !carrier.fees && 'it tells no fees',
    run: noFeeIsFree,
  },
  {
    name: 'a state that is delivered to has a city that is',
    unless: !(carrier.states && carrier.cities) && 'it lists no cities',
    run: statesAreServed,
  },
  {
    name: 'a city that is listed without home delivery takes no parcel home, and one with it does',
    unless: !(carrier.states && carrier.cities) && 'it lists no cities',
    run: homesAreAsListed,
  },
]

async function feesGoSomewhere({ carrier, open }: Bench): Promise<void> {
  const { context } = open()
  const codes = new Set((await carrier.states!(context)).map(({ code }) => code))
  const strange = (await carrier.fees!(context, {})).map(({ stateCode }) => stateCode).filter((code) => !codes.has(code))
  assertEqual([...new Set(strange)], [], 'codes of states that are not listed')
}

async function noFeeIsFree({ carrier, open }: Bench): Promise<void> {
  const fees = await carrier.fees!(open().context, {})
  const free = fees.filter(({ home, pickup }) => home === 0 || pickup === 0)
  assertEqual(
    free.map(({ stateCode, cityName }) => `${stateCode} ${cityName ?? ''}`),
    [],
    'places to which delivery costs nothing',
  )
}

/** A state none of whose cities is listed says nothing. */
async function statesAreServed({ carrier, open }: Bench): Promise<void> {
  const { context } = open()
  const cities = Map.groupBy(await carrier.cities!(context, {}), ({ stateId }) => stateId)
  const isServed = (id: string) => cities.get(id)?.some(({ home, pickup }) => home || pickup) ?? true
  const wrong = (await carrier.states!(context)).filter(({ id, deliverable }) => deliverable && !isServed(id))
  assertEqual(
    wrong.map(({ name }) => name),
    [],
    'states that are delivered to, and none of their cities is',
  )
}

/** Sends parcels to cities that the list offers either to the door or at a pick-up point, and expects the carrier to agree. */
async function homesAreAsListed(bench: Bench): Promise<void> {
  const { carrier, rig, open } = bench
  const desk = open()
  const states = new Map((await carrier.states!(desk.context)).flatMap((state) => (state.code ? [[state.id, state]] : [])))
  const cities = (await carrier.cities!(desk.context, {})).filter(({ home, pickup, stateId }) => home !== pickup && states.has(stateId))
  const chosen = [cities.find(({ home }) => home), cities.find(({ home }) => !home)].filter((city) => city !== undefined)
  if (chosen.length === 0) skipCase('no city of its list has only one of home delivery and centres')
  for (const { name: cityName, stateId, home } of chosen) {
    const { code: stateCode = '', name: stateName = '' } = states.get(stateId) ?? {}
    const shipment = rig.shipment({ destination: { ...rig.shipment().destination, stateCode, stateName, cityName } })
    const isTaken = await Promise.resolve(carrier.send(desk.context, shipment)).then(
      () => true,
      (error: unknown) => (error as { reason?: string }).reason !== 'refused' && Promise.reject(error),
    )
    assertEqual(isTaken, home, `whether a parcel goes home in ${cityName}, as the list of cities says`)
  }
}
