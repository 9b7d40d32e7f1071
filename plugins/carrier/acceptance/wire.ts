import { callName } from '../../acceptance/calls.ts'
import { assertEqual, check, requireMember } from '../../acceptance/checks.ts'
import type { Carrier, RateWindow } from '../contract.ts'
import type { Bench } from './bench.ts'
import type { Draft } from './draft.ts'
import type { Rig } from './rig.ts'

const minuteMs = 60_000
const shiftMs = 60 * minuteMs

/** Cases about the calls as the simulator recorded them: their number and their times. */
export const wireCases = (carrier: Carrier): Draft[] => {
  const silent = carrier.net.length === 0 && 'it makes no calls'
  return [
    { name: 'its rate windows are within those of the carrier', unless: silent, run: windowsAreKept },
    { name: 'times in its calls come from its clock', unless: silent, run: followsItsClock },
    { name: 'a JSON body has a JSON content type', unless: silent, run: saysWhatItSends },
    {
      name: 'the maximum number of parcels is tracked in one call, within the quota',
      unless: !carrier.trackMax && 'it has no trackMax',
      run: tracksMost,
    },
    {
      name: 'the maximum number of parcels is sent in one batch, within the quota',
      unless: !carrier.sendMany && 'it sends one by one',
      run: sendsMost,
    },
    {
      name: 'batch sizes are within those of the carrier',
      unless: !carrier.trackMax && !carrier.sendMany && 'it has no batches',
      run: numbersAreKept,
    },
  ]
}

async function followsItsClock({ carrier, rig, open }: Bench): Promise<void> {
  const desk = open({ now: () => Date.now() + shiftMs })
  // The carrier may reject the call. Only the time in it counts, which is checked after every case.
  await Promise.resolve(carrier.send(desk.context, rig.shipment())).catch(() => {})
}

async function saysWhatItSends({ rig, sent }: Bench): Promise<void> {
  await sent()
  const { calls } = await rig.seen('')
  const wordless = calls.filter(({ body, headers }) => /^\s*[[{]/.test(body) && !/\bjson\b/i.test(headers['content-type'] ?? ''))
  assertEqual(wordless.map(callName), [], 'calls with JSON but without its content type')
}

function numbersAreKept({ carrier: { trackMax = 1, sendManyMax = 1 }, rig }: Bench): void {
  const { track = 1, sendMany = 1 } = requireMember(rig.limits, 'limits')
  check(trackMax <= track, `trackMax is ${trackMax}; the carrier allows ${track}`)
  check(sendManyMax <= sendMany, `sendManyMax is ${sendManyMax}; the carrier allows ${sendMany}`)
}

/** Returns the maximum number of calls that `windows` allow within a time. */
const mostWithin = (windows: readonly RateWindow[], seconds: number) =>
  Math.min(...windows.map((window) => window.calls * Math.ceil(seconds / window.seconds)))

function windowsAreKept({ carrier, rig }: Bench): void {
  for (const { calls, seconds } of requireMember(rig.limits, 'limits').windows) {
    const most = mostWithin(carrier.rateWindows, seconds)
    check(most <= calls, `the carrier allows ${calls} calls in ${seconds} s; the definition allows ${most}`)
  }
}

/** Runs `work` and checks that its calls are within the carrier's quota of a minute. */
async function withinQuota<V>(rig: Rig, what: string, work: () => Promise<V>): Promise<V> {
  const before = (await rig.seen('')).calls.length
  const result = await work()
  const made = (await rig.seen('')).calls.length - before
  const most = mostWithin(
    requireMember(rig.limits, 'limits').windows.filter(({ seconds }) => seconds >= minuteMs / 1000),
    minuteMs / 1000,
  )
  check(made <= most, `${what} makes ${made} calls; the quota of a minute is ${most}`)
  return result
}

/** Builds several shipments to different recipients. */
const several = (rig: Rig, count: number) =>
  Array.from({ length: count }, (_, at) =>
    rig.shipment({ recipient: { name: `Karim Test ${at}`, phone: `+2135500${String(10_000 + at).slice(-5)}` } }),
  )

async function tracksMost({ carrier, rig, open }: Bench): Promise<void> {
  const desk = open()
  const most = carrier.trackMax!
  const wanted = Math.min(most, rig.limits?.track ?? most)
  const trackingIds: string[] = []
  const shipments = several(rig, wanted)
  const atOnce = carrier.sendMany ? Math.min(carrier.sendManyMax!, rig.limits?.sendMany ?? Number.POSITIVE_INFINITY) : 1
  for (let at = 0; at < wanted; at += atOnce) {
    const some = shipments.slice(at, at + atOnce)
    const sent = carrier.sendMany ? await carrier.sendMany(desk.context, some) : [{ sent: await carrier.send(desk.context, some[0]!) }]
    trackingIds.push(...sent.flatMap((row) => row.sent?.trackingId ?? []))
  }
  assertEqual(trackingIds.length, wanted, 'parcels sent')
  // If the definition allows more than the carrier, unknown numbers fill the rest.
  const others = Array.from({ length: Math.min(most, 5_000) - wanted }, (_, at) => `no-such-parcel-${at}`)
  const found = await withinQuota(rig, `tracking ${most}`, async () => carrier.track!(desk.context, [...trackingIds, ...others]))
  assertEqual(found.map(({ trackingId }) => trackingId).sort(), trackingIds.sort(), 'parcels')
}

async function sendsMost({ carrier, rig, open }: Bench): Promise<void> {
  const desk = open({ settings: { ...rig.settings, ...rig.modes?.shipping } })
  // The first parcel fills the cache of data that are read only once (places, states).
  await carrier.send(desk.context, rig.shipment())
  const shipments = several(rig, Math.min(carrier.sendManyMax!, 1_000))
  const rows = await withinQuota(rig, `sending ${shipments.length}`, async () => carrier.sendMany!(desk.context, shipments))
  assertEqual(rows.filter(({ sent }) => sent).length, shipments.length, 'parcels sent')
}
