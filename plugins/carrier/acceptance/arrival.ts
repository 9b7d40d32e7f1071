import { assertEqual, check, requireMember } from '../../acceptance/checks.ts'
import type { Desk } from '../../acceptance/desk.ts'
import type { Carrier, Shipment } from '../contract.ts'
import { foldName } from '../toolkit/places.ts'
import { type Bench, findRecordedParcel } from './bench.ts'
import type { Draft } from './draft.ts'
import type { Lacking, Rig } from './rig.ts'
import { majorOf, type SeenParcel } from './seen.ts'

/** A shipment whose values differ from all defaults, so that none can stand for another. */
export const lively: Partial<Shipment> = {
  recipient: { name: 'Amina Ben Salah', phone: '+213550111222', phoneAlt: '+213661333444' },
  codAmount: 12_345,
  declaredValue: 9_870,
  weightKg: 2.35,
  dimensions: { lengthCm: 41, widthCm: 32, heightCm: 23 },
  contents: 'Chapeau de paille 42 x2',
  notes: 'Sonner deux fois',
}

interface Arrival {
  readonly what: string
  /** Property that the carrier's API may not have. */
  readonly lacking?: Lacking
  readonly is: (seen: SeenParcel, asked: Shipment) => unknown
  readonly shall: (asked: Shipment, rig: Rig) => unknown
}

const words = (text: string | null) => text?.replace(/\s+/g, ' ').trim()
/** Returns the requested text if the carrier's text contains it, else the carrier's text. */
const heldIn = (text: string | null, asked: string) => (asked !== '' && text?.includes(asked) ? asked : (words(text) ?? ''))

/** Properties of a parcel that are compared with the shipment. */
const arrivals: readonly Arrival[] = [
  // Some carriers store names in capitals.
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
  // A centre has its own address.
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
  {
    what: 'length, width and height',
    lacking: 'dimensionsCm',
    // A carrier may want a size where nobody said one.
    is: ({ dimensionsCm }, { dimensions }) => dimensions && dimensionsCm,
    shall: ({ dimensions }) => dimensions && [dimensions.lengthCm, dimensions.widthCm, dimensions.heightCm],
  },
  {
    what: 'the contents',
    lacking: 'contents',
    is: ({ contents }, asked) => heldIn(contents, asked.contents),
    shall: (asked) => asked.contents,
  },
  { what: 'the notes', lacking: 'notes', is: ({ notes }, asked) => heldIn(notes, asked.notes), shall: (asked) => asked.notes },
]

/** Everything arrived as it was asked for, but for what the interface has no place for. */
export function assertArrived(rig: Rig, seen: SeenParcel, asked: Shipment): void {
  for (const { what, lacking, is, shall } of arrivals) {
    const isLacking =
      lacking !== undefined && rig.lacks?.[lacking] !== undefined && (seen as Partial<Record<Lacking, unknown>>)[lacking] === null
    if (!isLacking) assertEqual(is(seen, asked), shall(asked, rig), what)
  }
}

/** Cases: every property of a shipment arrives at the carrier. */
export const arrivalCases = (carrier: Carrier, rig: Rig): Draft[] => {
  const noCentres = !carrier.deliveryTypes.includes('pickup') && 'it has no centres'
  const noDrafts = !carrier.validate && 'it knows no drafts'
  return [
    ...arrivals.map(({ what, lacking, is, shall }) => ({
      name: `a parcel arrives as requested: ${what}`,
      unless: lacking && rig.lacks?.[lacking],
      run: async (bench: Bench) => {
        const { shipment } = await bench.sent(lively)
        assertEqual(is(await findRecordedParcel(bench, shipment.reference), shipment), shall(shipment, bench.rig), what)
      },
    })),
    ...Object.entries(rig.variants ?? {}).map(([name, settings]) => ({
      name: `a parcel arrives as requested with other settings: ${name}`,
      run: (bench: Bench) => arrivesUnder(bench, name, settings),
    })),
    { name: 'the goods that an exchange brings back arrive', unless: !carrier.exchanges && 'it exchanges nothing', run: exchanges },
    { name: 'it arrives as asked in another city', run: arrivesElsewhere },
    { name: 'it arrives as asked at a centre', unless: noCentres, run: arrivesAtCentre },
    { name: 'each of several arrives as asked', unless: !carrier.sendMany && 'it sends one by one', run: severalArrive },
    { name: 'a parcel ships', run: ships },
    { name: 'each of several ships', unless: !carrier.sendMany && 'it sends one by one', run: severalShip },
    { name: 'a draft stays one until it is validated', unless: noDrafts, run: staysDraft },
    { name: 'what is cancelled is gone at the carrier', unless: !carrier.cancel && 'it cancels nothing', run: isGone },
  ]
}

async function exchanges(bench: Bench): Promise<void> {
  const takesBack = 'Old hat, grey x2'
  const [exchange, plain] = [await bench.sent({ takesBack }), await bench.sent()]
  assertEqual((await findRecordedParcel(bench, exchange.shipment.reference)).takesBack, takesBack, 'what is brought back')
  assertEqual((await findRecordedParcel(bench, plain.shipment.reference)).takesBack, null, 'what is brought back of no exchange')
}

async function arrives(bench: Bench, desk: Desk, change: Partial<Shipment> = {}): Promise<void> {
  const { shipment } = await bench.sent({ ...lively, ...change }, desk)
  assertArrived(bench.rig, await findRecordedParcel(bench, shipment.reference), shipment)
}

/** Settings may mark a parcel (fragile, to be opened), and the usual ones do not. */
async function arrivesUnder(bench: Bench, name: string, settings: Rig['settings']): Promise<void> {
  await arrives(bench, bench.open({ settings: { ...bench.rig.settings, ...settings } }))
  const marksUnder = async (under: Rig['settings'], expected: Readonly<Record<string, unknown>> | undefined, what: string) => {
    const { shipment } = await bench.sent({}, bench.open({ settings: { ...bench.rig.settings, ...under } }))
    if (expected) assertEqual((await findRecordedParcel(bench, shipment.reference)).marks, expected, what)
  }
  await marksUnder(settings, bench.rig.marks?.[name], `marks of a parcel under the settings "${name}"`)
  await marksUnder({}, bench.rig.marks?.usual, 'marks of a parcel under the usual settings')
}

/** A city of the same state that stands last in its list, so that it is not what comes first. */
export async function otherCity({ carrier, rig }: Bench, { context }: Desk): Promise<string | undefined> {
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
  for (const shipment of shipments) assertArrived(rig, await findRecordedParcel(bench, shipment.reference), shipment)
}

/** Opens a connection under which parcels ship immediately, or stay drafts. */
export function inMode({ carrier, rig, open }: Bench, mode: 'shipping' | 'draft'): Desk {
  if (!carrier.validate) return open()
  return open({ settings: { ...rig.settings, ...requireMember(rig.modes, 'modes')[mode] } })
}

async function ships(bench: Bench): Promise<void> {
  const { shipment } = await bench.sent({}, inMode(bench, 'shipping'))
  assertEqual((await findRecordedParcel(bench, shipment.reference)).state, 'confirmed', 'state at the carrier')
}

async function severalShip(bench: Bench): Promise<void> {
  const { carrier, rig } = bench
  const shipments = [rig.shipment(), rig.shipment(), rig.shipment()]
  await carrier.sendMany!(inMode(bench, 'shipping').context, shipments)
  for (const { reference } of shipments)
    assertEqual((await findRecordedParcel(bench, reference)).state, 'confirmed', 'state at the carrier')
}

async function staysDraft(bench: Bench): Promise<void> {
  const desk = inMode(bench, 'draft')
  const one = await bench.sent({}, desk)
  const other = await bench.sent({}, desk)
  const stateOf = async ({ shipment }: typeof one) => (await findRecordedParcel(bench, shipment.reference)).state
  assertEqual([await stateOf(one), await stateOf(other)], ['draft', 'draft'], 'states before')
  await bench.carrier.validate!(desk.context, one.sent.trackingId)
  assertEqual([await stateOf(one), await stateOf(other)], ['confirmed', 'draft'], 'states after one was validated')
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
  check((await findRecordedParcel(bench, other.shipment.reference)).state !== 'cancelled', 'the other parcel is still there')
}
