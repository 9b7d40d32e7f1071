import { check, needed, same } from '../../acceptance/checks.ts'
import type { Desk } from '../../acceptance/desk.ts'
import { type Carrier, type Change, changeFields, type Shipment } from '../contract.ts'
import { foldName } from '../toolkit/places.ts'
import { arrived, type Bench } from './bench.ts'
import type { Draft } from './draft.ts'
import type { Lacking, Rig } from './rig.ts'
import { majorOf, type SeenParcel } from './seen.ts'

/** Of everything another value than elsewhere, so that nothing can stand for something else. */
const lively: Partial<Shipment> = {
  recipient: { name: 'Amina Ben Salah', phone: '+213550111222', phoneAlt: '+213661333444' },
  codAmount: 12_345,
  declaredValue: 9_870,
  weightKg: 2.35,
}

interface Arrival {
  readonly what: string
  /** Where the carrier's interface may have no place for it. */
  readonly lacking?: Lacking
  readonly is: (seen: SeenParcel) => unknown
  readonly shall: (asked: Shipment, rig: Rig) => unknown
}

const words = (text: string | null) => text?.replace(/\s+/g, ' ').trim()

/** What is compared of each parcel that arrived, with what was asked for. */
const arrivals: readonly Arrival[] = [
  // Some carriers keep names in capitals.
  { what: 'the name', is: ({ name }) => words(name)?.toLowerCase(), shall: ({ recipient }) => words(recipient.name)?.toLowerCase() },
  { what: 'the first telephone', is: ({ phone }) => phone, shall: ({ recipient }) => recipient.phone },
  {
    what: 'the second telephone',
    lacking: 'phoneAlt',
    is: ({ phoneAlt }) => phoneAlt,
    shall: ({ recipient }) => recipient.phoneAlt ?? null,
  },
  { what: 'the way of delivery', is: ({ deliveryType }) => deliveryType, shall: ({ destination }) => destination.deliveryType },
  { what: 'the state', is: ({ stateCode }) => stateCode, shall: ({ destination }) => destination.stateCode },
  {
    what: 'the city',
    lacking: 'cityName',
    is: ({ cityName }) => foldName(cityName ?? ''),
    shall: ({ destination }) => foldName(destination.cityName),
  },
  // A centre has an address of its own.
  {
    what: 'the address',
    lacking: 'address',
    is: ({ address, deliveryType }) => (deliveryType === 'pickup' ? null : words(address)),
    shall: ({ destination }) => (destination.deliveryType === 'pickup' ? null : words(destination.address)),
  },
  {
    what: 'the centre',
    lacking: 'pickupId',
    is: ({ pickupId }) => pickupId,
    shall: ({ destination }) => destination.pickupId ?? null,
  },
  { what: 'the amount to collect', is: ({ cod }) => majorOf(cod), shall: ({ codAmount }) => codAmount },
  {
    what: 'the declared value',
    lacking: 'declaredValue',
    is: ({ declaredValue }) => declaredValue && majorOf(declaredValue),
    shall: ({ declaredValue }) => declaredValue,
  },
  {
    what: 'the weight in grams',
    lacking: 'weightGrams',
    is: ({ weightGrams }) => weightGrams,
    shall: ({ weightKg }, { weightStepGrams = 1 }) => Math.ceil(Math.round(weightKg * 1000) / weightStepGrams) * weightStepGrams,
  },
]

/** Everything arrived as it was asked for, but for what the interface has no place for. */
export function arrivedAs(rig: Rig, seen: SeenParcel, asked: Shipment): void {
  for (const { what, lacking, is, shall } of arrivals) {
    const isLacking = lacking !== undefined && lacking !== 'times' && rig.lacks?.[lacking] !== undefined && seen[lacking] === null
    if (!isLacking) same(is(seen), shall(asked, rig), what)
  }
}

export const arrivalCases = (carrier: Carrier, rig: Rig): Draft[] => {
  const noCentres = !carrier.deliveryTypes.includes('pickup') && 'it has no centres'
  const noDrafts = !carrier.validate && 'it knows no drafts'
  return [
    ...arrivals.map(({ what, lacking, is, shall }) => ({
      name: `it arrives as asked: ${what}`,
      unless: lacking && rig.lacks?.[lacking],
      run: async (bench: Bench) => {
        const { shipment } = await bench.sent(lively)
        same(is(await arrived(bench, shipment.reference)), shall(shipment, bench.rig), what)
      },
    })),
    ...Object.entries(rig.variants ?? {}).map(([name, settings]) => ({
      name: `it arrives as asked with other settings: ${name}`,
      run: (bench: Bench) => arrives(bench, bench.open({ settings: { ...bench.rig.settings, ...settings } })),
    })),
    { name: 'what is brought back in an exchange arrives', unless: !carrier.exchanges && 'it exchanges nothing', run: exchanges },
    { name: 'it arrives as asked in another city', run: arrivesElsewhere },
    { name: 'it arrives as asked at a centre', unless: noCentres, run: arrivesAtCentre },
    { name: 'each of several arrives as asked', unless: !carrier.sendMany && 'it sends one by one', run: severalArrive },
    { name: 'what is edited arrives, and nothing else changes', unless: !carrier.edit && 'it takes no edits', run: editArrives },
    {
      name: 'an edited address arrives or is refused',
      unless:
        (!carrier.edit && 'it takes no edits') || (!(carrier.editable ?? changeFields).includes('destination') && 'its addresses stay'),
      run: movesWhereAsked,
    },
    { name: 'a parcel ships', run: ships },
    { name: 'each of several ships', unless: !carrier.sendMany && 'it sends one by one', run: severalShip },
    { name: 'a draft stays one until it is validated', unless: noDrafts, run: staysDraft },
    { name: 'what is cancelled is gone at the carrier', unless: !carrier.cancel && 'it cancels nothing', run: isGone },
  ]
}

async function exchanges(bench: Bench): Promise<void> {
  const takesBack = 'Old hat, grey x2'
  const [exchange, plain] = [await bench.sent({ takesBack }), await bench.sent()]
  same((await arrived(bench, exchange.shipment.reference)).takesBack, takesBack, 'what is brought back')
  same((await arrived(bench, plain.shipment.reference)).takesBack, null, 'what is brought back of no exchange')
}

async function arrives(bench: Bench, desk: Desk, change: Partial<Shipment> = {}): Promise<void> {
  const { shipment } = await bench.sent({ ...lively, ...change }, desk)
  arrivedAs(bench.rig, await arrived(bench, shipment.reference), shipment)
}

/** A city of the same state that stands last in its list, so that it is not what comes first. */
async function otherCity({ carrier, rig }: Bench, { context }: Desk): Promise<string | undefined> {
  const { stateCode } = rig.shipment().destination
  const state = (await carrier.states?.(context))?.find(({ code }) => code === stateCode)
  const cities = state ? ((await carrier.cities?.(context, { stateId: state.id })) ?? []) : []
  return cities.findLast(({ home }) => home)?.name
}

async function arrivesElsewhere(bench: Bench): Promise<void> {
  const desk = bench.open()
  const { destination } = bench.rig.shipment()
  const cityName = (await otherCity(bench, desk)) ?? destination.cityName
  await arrives(bench, desk, { destination: { ...destination, cityName } })
}

/** The last centre of the state, so that it is not what comes first. */
async function atCentre({ carrier, rig }: Bench, { context }: Desk): Promise<Shipment['destination']> {
  const { destination } = rig.shipment()
  const state = (await carrier.states?.(context))?.find(({ code }) => code === destination.stateCode)
  const center = (await carrier.centers?.(context, { ...(state && { stateId: state.id }) }))?.at(-1)
  return { ...destination, cityName: center?.cityName ?? destination.cityName, deliveryType: 'pickup', pickupId: center?.id ?? '7' }
}

async function arrivesAtCentre(bench: Bench): Promise<void> {
  const desk = bench.open()
  await arrives(bench, desk, { destination: await atCentre(bench, desk) })
}

async function severalArrive(bench: Bench): Promise<void> {
  const { carrier, rig, open } = bench
  const desk = open()
  const { destination } = rig.shipment()
  const other: Partial<Shipment> = { codAmount: 777, weightKg: 6, destination: { ...destination, address: 'Rue des Autres 3' } }
  const shipments = [rig.shipment(lively), rig.shipment({ ...lively, ...other })]
  if (carrier.deliveryTypes.includes('pickup'))
    shipments.push(rig.shipment({ ...lively, codAmount: 888, destination: await atCentre(bench, desk) }))
  await carrier.sendMany!(desk.context, shipments)
  for (const shipment of shipments) arrivedAs(rig, await arrived(bench, shipment.reference), shipment)
}

/** As far as the definition lets it be asked for. */
/** What of a change the carrier takes. */
export const editableOf = ({ editable = changeFields }: Carrier, change: Change): Change =>
  Object.fromEntries(Object.entries(change).filter(([field]) => editable.includes(field as keyof Change)))

async function editArrives(bench: Bench): Promise<void> {
  const { desk, shipment, sent } = await bench.sent(lively)
  const change = editableOf(bench.carrier, {
    codAmount: 1_500,
    recipient: { name: 'Lina Test', phone: '+213661000000', phoneAlt: '+213770555666' },
    declaredValue: 5_550,
    weightKg: 6.4,
  })
  await bench.carrier.edit!(desk.context, sent.trackingId, change)
  arrivedAs(bench.rig, await arrived(bench, shipment.reference), { ...shipment, ...change })
}

async function movesWhereAsked(bench: Bench): Promise<void> {
  const { carrier, rig } = bench
  const { desk, shipment, sent } = await bench.sent(lively)
  const cityName = (await otherCity(bench, desk)) ?? shipment.destination.cityName
  const destination = { ...shipment.destination, cityName, address: 'Rue Neuve 8' }
  const isRefused = await Promise.resolve(carrier.edit!(desk.context, sent.trackingId, { destination })).then(
    () => false,
    (error: unknown) => (error as { reason?: string }).reason === 'refused' || Promise.reject(error),
  )
  arrivedAs(rig, await arrived(bench, shipment.reference), isRefused ? shipment : { ...shipment, destination })
}

/** A connection whose parcels ship at once, or stay drafts. */
function inMode({ carrier, rig, open }: Bench, mode: 'shipping' | 'draft'): Desk {
  if (!carrier.validate) return open()
  return open({ settings: { ...rig.settings, ...needed(rig.modes, 'modes')[mode] } })
}

async function ships(bench: Bench): Promise<void> {
  const { shipment } = await bench.sent({}, inMode(bench, 'shipping'))
  same((await arrived(bench, shipment.reference)).state, 'confirmed', 'state at the carrier')
}

async function severalShip(bench: Bench): Promise<void> {
  const { carrier, rig } = bench
  const shipments = [rig.shipment(), rig.shipment(), rig.shipment()]
  await carrier.sendMany!(inMode(bench, 'shipping').context, shipments)
  for (const { reference } of shipments) same((await arrived(bench, reference)).state, 'confirmed', 'state at the carrier')
}

async function staysDraft(bench: Bench): Promise<void> {
  const desk = inMode(bench, 'draft')
  const one = await bench.sent({}, desk)
  const other = await bench.sent({}, desk)
  const stateOf = async ({ shipment }: typeof one) => (await arrived(bench, shipment.reference)).state
  same([await stateOf(one), await stateOf(other)], ['draft', 'draft'], 'states before')
  await bench.carrier.validate!(desk.context, one.sent.trackingId)
  same([await stateOf(one), await stateOf(other)], ['confirmed', 'draft'], 'states after one was validated')
}

async function isGone(bench: Bench): Promise<void> {
  const { desk, shipment, sent } = await bench.sent()
  const other = await bench.sent({}, desk)
  await bench.carrier.cancel!(desk.context, sent.trackingId)
  const { parcels } = await bench.rig.seen(shipment.reference)
  check(
    parcels.every(({ state }) => state === 'cancelled'),
    `${sent.trackingId} is still with the carrier`,
  )
  check((await arrived(bench, other.shipment.reference)).state !== 'cancelled', 'the other parcel is still there')
}
