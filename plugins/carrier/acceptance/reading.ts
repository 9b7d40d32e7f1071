import type { Draft } from '../acceptance.ts'
import type { Carrier, CarrierParcel as Parcel } from '../contract.ts'
import { CarrierParcel, Label } from '../model.ts'
import { statusReader } from '../statuses.ts'
import { type Bench, check, fails, fits, same, unique } from './bench.ts'
import type { Rig } from './rig.ts'

const noTracking = 'it does not track'

export const readingCases = (carrier: Carrier, rig: Rig): Draft[] => [
  { name: 'a parcel is tracked', unless: !carrier.track && noTracking, run: isTracked },
  {
    name: 'several parcels are tracked, unknown ones left out',
    unless: !carrier.track && noTracking,
    run: tracksSeveral,
  },
  { name: 'the history comes oldest first', unless: !carrier.track && noTracking, run: keepsHistory },
  { name: 'an unknown raw status is passed on as it is', unless: !carrier.track && noTracking, run: passesUnknownOn },
  { name: 'personal data is not given back masked', unless: !carrier.track && noTracking, run: givesNoMasks },
  { name: 'a list is read to its end, each parcel once', unless: !carrier.list && 'it does not list', run: listsAll },
  { name: 'labels can be printed', unless: !carrier.labels && 'it prints no labels', run: printsLabels },
  {
    name: 'an answer that cannot be read is told apart from none',
    unless: (!rig.garbleReads && 'its other side cannot be made to do that') || (!carrier.track && noTracking),
    run: toldApart,
  },
]

const trackOne = async ({ carrier }: Bench, { desk, sent }: Awaited<ReturnType<Bench['sent']>>): Promise<Parcel> => {
  const [parcel, ...others] = await carrier.track!(desk.context, [sent.trackingId])
  check(parcel && others.length === 0, 'one parcel is tracked')
  fits(CarrierParcel, parcel, 'parcel')
  check(!Number.isNaN(Date.parse(parcel.at)) && /(Z|[+-]\d\d:\d\d)$/.test(parcel.at), `${parcel.at} is an instant with a zone`)
  return parcel
}

async function isTracked(bench: Bench): Promise<void> {
  const one = await bench.sent()
  const parcel = await trackOne(bench, one)
  same(parcel.trackingId, one.sent.trackingId, 'tracking number')
  same(parcel.reference ?? one.shipment.reference, one.shipment.reference, 'reference')
  const read = statusReader(bench.carrier.statuses)
  check(read(parcel.carrierStatus), `${parcel.carrierStatus} is in the table`)
  await bench.rig.advance(one.desk, one.sent.trackingId, bench.rig.raw.delivered)
  same(read((await trackOne(bench, one)).carrierStatus)?.status, 'delivered', 'status once delivered')
}

async function tracksSeveral({ carrier, sent }: Bench): Promise<void> {
  const one = await sent()
  const other = await sent({}, one.desk)
  const wanted = [one.sent.trackingId, other.sent.trackingId]
  const found = await carrier.track!(one.desk.context, [...wanted, 'no-such-parcel'])
  same(found.map(({ trackingId }) => trackingId).sort(), wanted.sort(), 'parcels')
  same(await carrier.track!(one.desk.context, []), [], 'parcels when none is asked for')
}

async function keepsHistory(bench: Bench): Promise<void> {
  const one = await bench.sent()
  const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
  await bench.rig.advance(one.desk, one.sent.trackingId, bench.rig.raw.moving, at(1))
  await bench.rig.advance(one.desk, one.sent.trackingId, bench.rig.raw.delivered, at(2))
  const { history, carrierStatus } = await trackOne(bench, one)
  if (!history) return
  const times = history.map((step) => Date.parse(step.at))
  same(
    times,
    [...times].sort((a, b) => a - b),
    'times',
  )
  same(history.at(-1)?.carrierStatus, carrierStatus, 'the last step')
  check(
    history.some((step) => step.carrierStatus === bench.rig.raw.moving),
    'the step between is there',
  )
}

async function passesUnknownOn(bench: Bench): Promise<void> {
  const one = await bench.sent()
  const { unknown } = bench.rig.raw
  await bench.rig.advance(one.desk, one.sent.trackingId, unknown)
  same((await trackOne(bench, one)).carrierStatus, unknown, 'raw status')
  same(statusReader(bench.carrier.statuses)(unknown) === undefined, true, 'it is in no table')
}

async function givesNoMasks(bench: Bench): Promise<void> {
  const parcel = await trackOne(bench, await bench.sent())
  check(!/\*{2,}/.test(JSON.stringify(parcel)), 'nothing masked is in the parcel')
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
    check(page.rows.length <= 2, 'a page is no longer than asked for')
    for (const row of page.rows) fits(CarrierParcel, row, 'row')
    found.push(...page.rows.map(({ trackingId }) => trackingId))
    cursor = page.nextCursor
  } while (cursor !== null && found.length < 100_000)
  unique(found, 'parcels listed')
  same(
    wanted.filter((trackingId) => !found.includes(trackingId)),
    [],
    'parcels that are missing',
  )
}

async function printsLabels({ carrier, sent }: Bench): Promise<void> {
  const one = await sent()
  const [label] = await carrier.labels!(one.desk.context, [one.sent.trackingId])
  fits(Label, label, 'label')
  check(label?.base64 || label?.url?.startsWith('https://'), 'a label has bytes or an address')
  if (label?.base64 && label.contentType === 'application/pdf') check(atob(label.base64).startsWith('%PDF-'), 'a PDF is a PDF')
  await fails(carrier.labels!(one.desk.context, ['no-such-parcel']), ['not_found', 'refused'], 'label of nothing')
}

async function toldApart({ carrier, rig, sent }: Bench): Promise<void> {
  const one = await sent()
  rig.garbleReads!()
  await fails(carrier.track!(one.desk.context, [one.sent.trackingId]), ['unavailable'], 'track')
  if (carrier.list) await fails(carrier.list(one.desk.context, { limit: 2 }), ['unavailable'], 'list')
  if (carrier.findByReference) {
    await fails(carrier.findByReference(one.desk.context, one.shipment.reference), ['unavailable'], 'look-up')
  }
}
