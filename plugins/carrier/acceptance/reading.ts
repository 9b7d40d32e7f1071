import { assertEqual, assertFits, assertUnique, check, expectFailure, requireMember, skipCase } from '../../acceptance/checks.ts'
import type { Carrier, CarrierParcel as Parcel, StatusRule } from '../contract.ts'
import { CarrierParcel, Label } from '../model.ts'
import { statusReader } from '../statuses.ts'
import { foldName } from '../toolkit/places.ts'
import { otherCity } from './arrival.ts'
import { type Bench, findRecordedParcel } from './bench.ts'
import type { Draft } from './draft.ts'
import type { Rig } from './rig.ts'
import { majorOf } from './seen.ts'

const noTracking = 'it does not track'

/** Cases about reading parcels and labels. */
export const readingCases = (carrier: Carrier, rig: Rig): Draft[] => [
  { name: 'a parcel is tracked', unless: !carrier.track && noTracking, run: isTracked },
  {
    name: 'several parcels are tracked, and unknown ones are left out',
    unless: !carrier.track && noTracking,
    run: tracksSeveral,
  },
  { name: 'the history is sorted oldest first', unless: !carrier.track && noTracking, run: keepsHistory },
  {
    name: 'times are read in the zone of the carrier',
    unless: (!carrier.track && noTracking) || rig.lacks?.times,
    run: tellsTimes,
  },
  { name: 'a current event has the current time', unless: !carrier.track && noTracking, run: tellsNothingLater },
  { name: 'a returned parcel is not delivered', unless: !carrier.track && noTracking, run: tellsReturns },
  {
    name: 'raw statuses have the meanings of the documentation',
    unless: !rig.meanings && 'the rig has no list of meanings',
    run: meanWhatTheyMean,
  },
  {
    name: 'the delivery fee is that of the carrier',
    unless: (!carrier.track && noTracking) || rig.lacks?.deliveryFee,
    run: tellsFee,
  },
  { name: 'a parcel is told to be where it goes', unless: !carrier.track && noTracking, run: tellsPlace },
  { name: 'an unknown raw status is reported unchanged', unless: !carrier.track && noTracking, run: passesUnknownOn },
  { name: 'personal data are not masked', unless: !carrier.track && noTracking, run: givesNoMasks },
  { name: 'each parcel is listed exactly once', unless: !carrier.list && 'it does not list', run: listsAll },
  { name: 'labels can be printed', unless: !carrier.labels && 'it prints no labels', run: printsLabels },
  ...(['malformed', 'mumbled'] as const).map((how) => ({
    name: `an unreadable response is not taken as an empty one: ${how}`,
    unless: (!rig.garbleReads && carrier.net.length === 0 && 'it makes no calls') || (!carrier.track && noTracking),
    run: (bench: Bench) => toldApart(bench, how),
  })),
]

const trackOne = async ({ carrier }: Bench, { desk, sent }: Awaited<ReturnType<Bench['sent']>>): Promise<Parcel> => {
  const [parcel, ...others] = await carrier.track!(desk.context, [sent.trackingId])
  check(parcel && others.length === 0, 'one parcel is tracked')
  assertFits(CarrierParcel, parcel, 'parcel')
  check(!Number.isNaN(Date.parse(parcel.at)) && /(Z|[+-]\d\d:\d\d)$/.test(parcel.at), `${parcel.at} is an instant with a zone`)
  return parcel
}

async function isTracked(bench: Bench): Promise<void> {
  const one = await bench.sent()
  const parcel = await trackOne(bench, one)
  assertEqual(parcel.trackingId, one.sent.trackingId, 'tracking number')
  if (parcel.reference !== undefined || !bench.rig.lacks?.reference) assertEqual(parcel.reference, one.shipment.reference, 'reference')
  const read = statusReader(bench.carrier.statuses)
  check(read(parcel.carrierStatus), `${parcel.carrierStatus} is in the table`)
  await bench.rig.advance(one.desk, one.sent.trackingId, bench.rig.raw.delivered)
  assertEqual(read((await trackOne(bench, one)).carrierStatus)?.status, 'delivered', 'status once delivered')
}

async function tracksSeveral({ carrier, sent }: Bench): Promise<void> {
  const one = await sent()
  const other = await sent({}, one.desk)
  const wanted = [one.sent.trackingId, other.sent.trackingId]
  const found = await carrier.track!(one.desk.context, [...wanted, 'no-such-parcel'])
  assertEqual(found.map(({ trackingId }) => trackingId).sort(), wanted.sort(), 'parcels')
  assertEqual(await carrier.track!(one.desk.context, []), [], 'parcels when none is requested')
}

async function keepsHistory(bench: Bench): Promise<void> {
  const one = await bench.sent()
  const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
  await bench.rig.advance(one.desk, one.sent.trackingId, bench.rig.raw.moving, at(1))
  await bench.rig.advance(one.desk, one.sent.trackingId, bench.rig.raw.delivered, at(2))
  const { history, carrierStatus } = await trackOne(bench, one)
  if (!history) skipCase(requireMember(bench.rig.lacks?.history, 'history, nor a reason in lacks,'))
  const times = history.map((step) => Date.parse(step.at))
  assertEqual(
    times,
    [...times].sort((a, b) => a - b),
    'times',
  )
  assertEqual(history.at(-1)?.carrierStatus, carrierStatus, 'the last step')
  check(
    history.some((step) => step.carrierStatus === bench.rig.raw.moving),
    'the history has the step in between',
  )
}

const second = (ms: number) => Math.floor(ms / 1000)
const timesOf = ({ at, history = [] }: Parcel) => [at, ...history.map((step) => step.at)].map((time) => second(Date.parse(time)))

/** Checks that an event is found with its own time, and that no time is later. */
async function tellsTimes(bench: Bench): Promise<void> {
  const one = await bench.sent()
  const at = new Date((second(Date.now()) + 120) * 1000).toISOString()
  await bench.rig.advance(one.desk, one.sent.trackingId, bench.rig.raw.moving, at)
  const told = await trackOne(bench, one)
  const times = timesOf(told)
  assertEqual(second(Date.parse(told.at)), second(Date.parse(at)), `seconds at which it came to ${told.carrierStatus}`)
  check(times.includes(second(Date.parse(at))), `the step at ${at} has its time, not ${new Date(times[0]! * 1000).toISOString()}`)
  check(
    times.every((time) => time <= second(Date.parse(at))),
    `no time is later than ${at}`,
  )
}

const slackSeconds = 600

async function tellsNothingLater(bench: Bench): Promise<void> {
  const one = await bench.sent()
  const now = second(Date.now())
  const listed = await bench.carrier.list?.(one.desk.context, { limit: 100 })
  const shown = [await trackOne(bench, one), ...(listed?.rows ?? []).filter(({ trackingId }) => trackingId === one.sent.trackingId)]
  const wrong = shown.flatMap(timesOf).filter((time) => Math.abs(time - now) > slackSeconds)
  assertEqual(
    wrong.map((time) => new Date(time * 1000).toISOString()),
    [],
    'times other than now',
  )
}

async function tellsReturns(bench: Bench): Promise<void> {
  const { rig, carrier } = bench
  const one = await bench.sent()
  const read = statusReader(carrier.statuses)
  for (const status of ['returning', 'returned'] as const) {
    await rig.advance(one.desk, one.sent.trackingId, requireMember(rig.raw[status], `raw.${status}`))
    assertEqual(read((await trackOne(bench, one)).carrierStatus)?.status, status, `meaning of "${rig.raw[status]}"`)
  }
  const listed = await carrier.list?.(one.desk.context, { limit: 100 })
  const row = listed?.rows.find(({ trackingId }) => trackingId === one.sent.trackingId)
  if (row) assertEqual(read(row.carrierStatus)?.status, 'returned', 'meaning in the list')
}

const meaningOf = (rule: StatusRule) => (typeof rule === 'object' ? (rule ?? {}) : { status: rule })

function meanWhatTheyMean({ carrier, rig }: Bench): void {
  const read = statusReader(carrier.statuses)
  const wrong = Object.entries(rig.meanings!).flatMap(([raw, rule]) => {
    const [{ status, cash, flag }, found] = [meaningOf(rule) as { status?: string; cash?: string; flag?: string }, read(raw)]
    const isRight =
      found && found.status === status && (cash === undefined || found.cash === cash) && (flag === undefined || found.flag === flag)
    const words = (meaning: object) => Object.values(meaning).join(', ') || 'nothing'
    return isRight ? [] : [`"${raw}" is ${found ? words(found) : 'unknown'}, not ${words(meaningOf(rule))}`]
  })
  assertEqual(wrong, [], 'raw statuses that mean something else')
}

async function tellsFee(bench: Bench): Promise<void> {
  const one = await bench.sent()
  const { deliveryFee } = await findRecordedParcel(bench, one.shipment.reference)
  assertEqual((await trackOne(bench, one)).deliveryFee, deliveryFee && majorOf(deliveryFee), 'delivery fee')
}

/** State and city may be left out, and are never another's. */
async function tellsPlace(bench: Bench): Promise<void> {
  const desk = bench.open()
  const { destination } = bench.rig.shipment()
  const cityName = (await otherCity(bench, desk)) ?? destination.cityName
  const { cityName: city, stateName: state } = await trackOne(bench, await bench.sent({ destination: { ...destination, cityName } }, desk))
  if (state !== undefined) assertEqual(foldName(state), foldName(destination.stateName), 'state')
  if (city !== undefined) assertEqual(foldName(city), foldName(cityName), 'city')
  if (state === undefined && city === undefined) skipCase('it tells no place')
}

async function passesUnknownOn(bench: Bench): Promise<void> {
  const one = await bench.sent()
  const { unknown } = bench.rig.raw
  await bench.rig.advance(one.desk, one.sent.trackingId, unknown)
  assertEqual((await trackOne(bench, one)).carrierStatus, unknown, 'raw status')
  assertEqual(statusReader(bench.carrier.statuses)(unknown) === undefined, true, 'it is not in the table')
}

async function givesNoMasks(bench: Bench): Promise<void> {
  const parcel = await trackOne(bench, await bench.sent())
  check(!/\*{2,}/.test(JSON.stringify(parcel)), 'the parcel has no masked values')
}

async function listsAll({ carrier, sent, open }: Bench): Promise<void> {
  const desk = open()
  const wanted: string[] = []
  for (let count = 0; count < 5; count++) wanted.push((await sent({}, desk)).sent.trackingId)
  const found: string[] = []
  let cursor: string | null = null
  do {
    const page: Awaited<ReturnType<NonNullable<Carrier['list']>>> = await carrier.list!(desk.context, {
      limit: 2,
      ...(cursor && { cursor }),
    })
    check(page.rows.length <= 2, 'a page is not longer than requested')
    for (const row of page.rows) assertFits(CarrierParcel, row, 'row')
    found.push(...page.rows.map(({ trackingId }) => trackingId))
    cursor = page.nextCursor
  } while (cursor !== null && found.length < 100_000)
  assertUnique(found, 'parcels listed')
  assertEqual(
    wanted.filter((trackingId) => !found.includes(trackingId)),
    [],
    'missing parcels',
  )
}

async function printsLabels({ carrier, sent }: Bench): Promise<void> {
  const one = await sent()
  const [label] = await carrier.labels!(one.desk.context, [one.sent.trackingId])
  assertFits(Label, label, 'label')
  check(label?.base64 || label?.url?.startsWith('https://'), 'a label has bytes or an address')
  if (label?.base64 && label.contentType === 'application/pdf') check(atob(label.base64).startsWith('%PDF-'), 'a PDF is a PDF')
  const other = await sent({}, one.desk)
  const wanted = [one.sent.trackingId, other.sent.trackingId]
  const several = await carrier.labels!(one.desk.context, wanted)
  assertEqual(
    several.flatMap(({ trackingId, trackingIds = [] }) => [...(trackingId ? [trackingId] : []), ...trackingIds]).sort(),
    wanted.sort(),
    'parcels on labels',
  )
  await expectFailure(carrier.labels!(one.desk.context, ['no-such-parcel']), ['not_found', 'refused'], 'label of an unknown parcel')
}

async function toldApart({ carrier, rig, sent }: Bench, how: 'malformed' | 'mumbled'): Promise<void> {
  const one = await sent()
  requireMember(rig.garbleReads, 'garbleReads')(how)
  await expectFailure(carrier.track!(one.desk.context, [one.sent.trackingId]), ['unavailable'], 'track')
  if (carrier.list) await expectFailure(carrier.list(one.desk.context, { limit: 2 }), ['unavailable'], 'list')
  if (carrier.findByReference) {
    await expectFailure(carrier.findByReference(one.desk.context, one.shipment.reference), ['unavailable'], 'look-up')
  }
}
