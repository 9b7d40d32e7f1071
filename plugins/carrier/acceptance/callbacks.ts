import { assertEqual, assertFits, check, requireMember, skipCase } from '../../acceptance/checks.ts'
import { answerTo, eventsIn, isProven } from '../../acceptance/webhooks.ts'
import type { Carrier, InboundRequest } from '../contract.ts'
import { StatusReport } from '../model.ts'
import { statusReader } from '../statuses.ts'
import type { Bench } from './bench.ts'
import type { Draft } from './draft.ts'
import type { CallbackEvent } from './rig.ts'

const none = 'it has no callbacks'

/** Cases about callbacks. */
export const callbackCases = (carrier: Carrier): Draft[] => {
  const unless = !carrier.webhook && none
  return [
    {
      name: 'a challenge is answered',
      unless: !carrier.webhook?.challenges && 'it sends no challenge',
      run: answersChallenge,
    },
    { name: 'a signed callback is accepted', unless, run: isBelieved },
    { name: 'a forged callback is rejected', unless, run: isNotBelieved },
    {
      name: 'a callback of long ago or from the future is rejected',
      unless: unless || (carrier.webhook?.unsigned && 'it signs nothing'),
      run: growsOld,
    },
    { name: 'without a secret every callback is rejected', unless, run: believesNothing },
    { name: 'a callback is parsed with its times and ids', unless, run: isRead },
    { name: 'callbacks out of order keep their own times', unless, run: keepsTimes },
    { name: 'the same callback twice has the same id', unless, run: keepsIds },
    { name: 'a bad event does not hide the others', unless, run: hidesNone },
    { name: 'an unknown raw status in a callback is reported unchanged', unless, run: passesUnknownOn },
    { name: 'signed garbage is ignored', unless, run: survivesGarbage },
    { name: 'two events of one id are two', unless, run: keepsBoth },
  ]
}

const minute = (count: number) => new Date(Date.UTC(2026, 0, 5, 10, count)).toISOString()

const event = (trackingId: string, carrierStatus: string, count: number): CallbackEvent & object => ({
  trackingId,
  carrierStatus,
  at: minute(count),
  eventId: `event-${trackingId}-${count}`,
})

async function answersChallenge({ carrier, rig, open }: Bench): Promise<void> {
  const { context } = open()
  const token = 'token-1234.abc'
  const asked = requireMember(rig.challenge, 'challenge')(token)
  const answer = await answerTo(carrier, asked, context)
  check(answer && answer.status >= 200 && answer.status < 300, 'the answer is a success')
  check(answer.body.includes(token), 'the answer holds the token')
  const other: InboundRequest = { ...asked, url: asked.url.split('?')[0]! }
  assertEqual(await answerTo(carrier, other, context), null, 'answer to a request that is not a challenge')
  assertEqual(await answerTo(carrier, await requireMember(rig.callback, 'callback')([]), context), null, 'answer to a callback')
}

async function isBelieved({ carrier, rig, sent }: Bench): Promise<void> {
  const one = await sent()
  const request = await requireMember(rig.callback, 'callback')([event(one.sent.trackingId, rig.raw.moving, 1)])
  assertEqual(await isProven(carrier, request, one.desk.context), true, 'a signed callback')
}

async function isNotBelieved({ carrier, rig, sent, open }: Bench): Promise<void> {
  const one = await sent()
  const request = await requireMember(rig.callback, 'callback')([event(one.sent.trackingId, rig.raw.moving, 1)])
  for (const [what, forged] of Object.entries(carrier.webhook!.unsigned ? wrongAddresses(request) : forgeries(request))) {
    assertEqual(await isProven(carrier, forged, one.desk.context), false, what)
  }
  const secrets = Object.entries(carrier.credentials).filter(([, field]) => field.secret)
  const changed = Object.fromEntries(secrets.map(([name]) => [name, 'another-secret-0987654321']))
  const other = open({ credentials: { ...rig.credentials, ...changed } })
  assertEqual(await isProven(carrier, request, other.context), false, 'a callback signed for another account')
}

function forgeries(request: InboundRequest): Record<string, InboundRequest> {
  const { headers, body } = request
  const flipped = body.slice()
  flipped[flipped.length >> 1]! ^= 1
  const signatures = Object.keys(headers).filter((name) => name !== 'content-type')
  const withHeaders = (change: (value: string) => string) => ({
    ...request,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, signatures.includes(name) ? change(value) : value])),
  })
  const proofs = signatures.filter((name) => /sign|hmac|digest|token|secret/i.test(name))
  const without = (name: string) => Object.fromEntries(Object.entries(headers).filter(([other]) => other !== name))
  const lastChanged = (value: string) => value.slice(0, -1) + (value.endsWith('0') ? '1' : '0')
  return {
    'a body with one bit changed': { ...request, body: flipped },
    'a body with one byte more': { ...request, body: new Uint8Array([...body, 0x20]) },
    'no signature': { ...request, headers: { 'content-type': 'application/json' } },
    'an empty signature': withHeaders(() => ''),
    'a signature with its last digit changed': withHeaders(lastChanged),
    'half a signature': withHeaders((value) => value.slice(0, value.length >> 1)),
    'a signature of nonsense': withHeaders((value) => value.replace(/[0-9a-f]/gi, 'z')),
    ...Object.fromEntries(
      proofs.flatMap((name) => [
        [`no ${name}, and all else`, { ...request, headers: without(name) }],
        [`an empty ${name}, and all else`, { ...request, headers: { ...headers, [name]: '' } }],
      ]),
    ),
  }
}

const HOUR_MS = 3_600_000
const isTime = ([name, value]: readonly [string, string]) => /time|stamp/i.test(name) && /^\d{10}(\d{3})?$/.test(value)

/**
 * Checks that the signed time limits a callback: the same bytes are rejected an hour later and earlier, and a changed time makes the
 * signature invalid.
 */
async function growsOld({ carrier, rig, sent, open }: Bench): Promise<void> {
  const one = await sent()
  const request = await requireMember(rig.callback, 'callback')([event(one.sent.trackingId, rig.raw.moving, 1)])
  const [stamp] = Object.entries(request.headers).filter(isTime)
  if (!stamp) skipCase('no header of its callbacks has the time of signing')
  for (const [ms, when] of [
    [HOUR_MS, 'ago'],
    [-HOUR_MS, 'ahead'],
  ] as const)
    assertEqual(
      await isProven(carrier, request, open({ now: () => Date.now() + ms }).context),
      false,
      `a callback that was signed an hour ${when}`,
    )
  const headers = { ...request.headers, [stamp[0]]: String(Number(stamp[1]) + 1) }
  assertEqual(await isProven(carrier, { ...request, headers }, one.desk.context), false, 'a callback under another time')
}

/** Changes the address of a callback, which is the proof for a carrier without signatures. */
function wrongAddresses(request: InboundRequest): Record<string, InboundRequest> {
  const [path, query = ''] = request.url.split('?')
  return {
    'no token': { ...request, url: path! },
    'an empty token': { ...request, url: `${path}?token=` },
    'a token with its last letter changed': { ...request, url: `${path}?${query.slice(0, -1)}${query.endsWith('0') ? '1' : '0'}` },
    'half a token': { ...request, url: `${path}?${query.slice(0, query.length >> 1)}` },
  }
}

async function believesNothing({ carrier, rig, sent, open }: Bench): Promise<void> {
  const one = await sent()
  const request = await requireMember(rig.callback, 'callback')([event(one.sent.trackingId, rig.raw.moving, 1)])
  const optional = Object.entries(carrier.credentials).filter(([, field]) => field.secret && field.optional)
  if (optional.length === 0) skipCase('its secret is required')
  const { context } = open({
    credentials: { ...rig.credentials, ...Object.fromEntries(optional.map(([name]) => [name, undefined])) },
  })
  assertEqual(await isProven(carrier, request, context), false, 'a callback when no secret is set')
}

async function isRead({ carrier, rig, sent }: Bench): Promise<void> {
  const one = await sent()
  const told = event(one.sent.trackingId, rig.raw.delivered, 3)
  const [report, ...others] = await eventsIn(carrier, await requireMember(rig.callback, 'callback')([told]), one.desk.context)
  check(report && others.length === 0, 'one report')
  assertFits(StatusReport, report, 'report')
  assertEqual(report.trackingId, told.trackingId, 'tracking number')
  assertEqual(Date.parse(report.at), Date.parse(told.at), 'time at the carrier')
  assertEqual(report.eventId, told.eventId, 'event id')
  const read = statusReader(carrier.statuses)
  assertEqual(read(report.carrierStatus ?? '')?.status, 'delivered', 'meaning')
  const [back] = await eventsIn(
    carrier,
    await requireMember(rig.callback, 'callback')([event(one.sent.trackingId, rig.raw.returned, 4)]),
    one.desk.context,
  )
  assertEqual(read(back?.carrierStatus ?? '')?.status, 'returned', 'meaning of a returned parcel')
}

async function keepsTimes({ carrier, rig, sent }: Bench): Promise<void> {
  const one = await sent()
  const told = [event(one.sent.trackingId, rig.raw.delivered, 9), event(one.sent.trackingId, rig.raw.moving, 4)]
  const reports = await eventsIn(carrier, await requireMember(rig.callback, 'callback')(told), one.desk.context)
  const seen = reports.map(({ carrierStatus, at }) => [carrierStatus, Date.parse(at)])
  assertEqual(seen.sort(), told.map(({ carrierStatus, at }) => [carrierStatus, Date.parse(at)]).sort(), 'reports')
}

async function keepsIds({ carrier, rig, sent }: Bench): Promise<void> {
  const one = await sent()
  const request = await requireMember(rig.callback, 'callback')([event(one.sent.trackingId, rig.raw.moving, 5)])
  const first = await eventsIn(carrier, request, one.desk.context)
  assertEqual(await eventsIn(carrier, request, one.desk.context), first, 'reports of the repeated callback')
  check(first[0]?.eventId, 'there is an event id')
}

/** One id may cover several events. */
async function keepsBoth({ carrier, rig, sent }: Bench): Promise<void> {
  const one = await sent()
  const first = event(one.sent.trackingId, rig.raw.moving, 2)
  const told = [first, { ...event(one.sent.trackingId, rig.raw.delivered, 8), eventId: first.eventId }]
  const reports = await eventsIn(carrier, await requireMember(rig.callback, 'callback')(told), one.desk.context)
  assertEqual(
    reports.map(({ carrierStatus }) => carrierStatus).sort(),
    told.map(({ carrierStatus }) => carrierStatus).sort(),
    'raw statuses',
  )
}

async function hidesNone({ carrier, rig, sent }: Bench): Promise<void> {
  const one = await sent()
  const told = event(one.sent.trackingId, rig.raw.moving, 6)
  const reports = await eventsIn(carrier, await requireMember(rig.callback, 'callback')([null, told, null]), one.desk.context)
  assertEqual(
    reports.map(({ eventId }) => eventId),
    [told.eventId],
    'reports',
  )
  check(one.desk.logged.length > 0, 'the ignored event is logged')
}

async function passesUnknownOn({ carrier, rig, sent }: Bench): Promise<void> {
  const one = await sent()
  const request = await requireMember(rig.callback, 'callback')([event(one.sent.trackingId, rig.raw.unknown, 7)])
  const [report] = await eventsIn(carrier, request, one.desk.context)
  assertEqual(report?.carrierStatus, rig.raw.unknown, 'raw status')
}

async function survivesGarbage({ carrier, rig, open }: Bench): Promise<void> {
  const { context } = open()
  for (const text of ['', 'null', '[]', '{}', '{"events":5}', '{"type":"toString","events":[{}]}', '{"events":[null,1,"x"]}', '\u0000{']) {
    const request = await requireMember(rig.signed, 'signed')(new TextEncoder().encode(text))
    assertEqual(await eventsIn(carrier, request, context), [], `reports in ${JSON.stringify(text)}`)
  }
}
