import { assertEqual, check, requireMember } from '../../acceptance/checks.ts'
import { assertIgnored, eventsIn, isProven } from '../../acceptance/webhooks.ts'
import type { PaymentAdapter } from '../kind.ts'
import type { CheckoutStatus, GatewayEvent } from '../model.ts'
import { assertPaymentState, type Bench, type CreatedCheckout, findRecordedCheckout, readCheckout } from './bench.ts'
import type { Draft } from './draft.ts'
import type { CallbackEvent, Rig } from './rig.ts'

const none = 'it has no callbacks'
const garbage = [
  '',
  'null',
  '[]',
  '{}',
  '5',
  '{"type":"toString","data":{}}',
  '{"type":{},"data":[null,1,"x"]}',
  '\u0000{',
  '{"data":{"id":',
]

/** Cases about parsing callbacks. */
export const callbackCases = (gateway: PaymentAdapter, rig: Rig): Draft[] => {
  const unless = !gateway.webhook && none
  return [
    ...(rig.tells ?? []).map((status) => ({
      name: `a callback for a checkout that is ${status} is parsed`,
      unless,
      run: (bench: Bench) => parsesStatus(bench, status),
    })),
    { name: 'a callback and read agree', unless, run: agreesWithRead },
    { name: 'a repeated callback is parsed to the same events', unless, run: repeats },
    { name: 'an event of an unknown type is ignored', unless, run: ignoresUnknown },
    { name: 'an event without meaning is ignored', unless, run: survivesNonsense },
    { name: 'a bad event does not hide the others', unless: unless || rig.lacks?.several, run: hidesNone },
    { name: 'several events of a callback are all parsed', unless: unless || rig.lacks?.several, run: parsesSeveral },
    {
      name: 'signed garbage is ignored',
      unless: unless || (!rig.proof?.signs && 'its proof signs no bytes'),
      run: survivesGarbage,
    },
    ...Object.keys(rig.spellings ?? {}).map((spelling) => ({
      name: `a callback with ${spelling} is parsed to the same event`,
      unless,
      run: (bench: Bench) => readsSpelling(bench, spelling),
    })),
  ]
}

async function eventsOf({ gateway, rig }: Bench, { desk }: CreatedCheckout, events: readonly CallbackEvent[]): Promise<GatewayEvent[]> {
  const request = await requireMember(rig.callback, 'callback')(desk, events)
  const news = await eventsIn(gateway, request, desk.context)
  for (const one of news) assertPaymentState(one)
  return news
}

async function onlyEvent(bench: Bench, one: CreatedCheckout, status: CheckoutStatus): Promise<GatewayEvent> {
  const [news, ...others] = await eventsOf(bench, one, [{ externalId: one.made.externalId, status }])
  check(news && others.length === 0, `one event, instead of ${others.length + (news ? 1 : 0)}`)
  return news
}

/** Checks both ids if the gateway has both: the gateway's id alone may still be unknown to the server. */
async function parsesStatus(bench: Bench, status: CheckoutStatus): Promise<void> {
  const one = await bench.make()
  const news = await onlyEvent(bench, one, status)
  assertEqual(news.status, status, 'status')
  assertEqual(news.externalId ?? one.made.externalId, one.made.externalId, "the gateway's id")
  if (bench.rig.lacks?.paymentId === undefined) assertEqual(news.paymentId, one.asked.paymentId, 'our id')
  const { paid, currency } = await findRecordedCheckout(bench, one.asked.paymentId)
  if (status !== 'paid') return assertEqual(news.amount ?? 0, 0, 'amount before the payment')
  assertEqual([news.amount ?? paid, news.currency ?? currency], [one.asked.amount, one.asked.currency], 'amount and currency')
}

async function agreesWithRead(bench: Bench): Promise<void> {
  const one = await bench.make()
  const news = await onlyEvent(bench, one, 'paid')
  const read = await readCheckout(bench, one)
  for (const name of ['status', 'externalId', 'paymentId', 'amount', 'currency', 'fee'] as const)
    if (news[name] !== undefined) assertEqual(news[name], read[name], name)
}

async function repeats(bench: Bench): Promise<void> {
  const { gateway, rig } = bench
  const one = await bench.make()
  const request = await requireMember(rig.callback, 'callback')(one.desk, [{ externalId: one.made.externalId, status: 'paid' }])
  const first = await eventsIn(gateway, request, one.desk.context)
  assertEqual(first.length, 1, 'events')
  assertEqual(await eventsIn(gateway, request, one.desk.context), first, 'events of the repeated callback')
  assertEqual((await readCheckout(bench, one)).amount, one.asked.amount, 'amount paid')
}

async function ignoresUnknown(bench: Bench): Promise<void> {
  const one = await bench.make()
  assertEqual(await eventsOf(bench, one, [{ externalId: one.made.externalId, status: 'unknown' }]), [], 'events')
  assertEqual((await readCheckout(bench, one)).status, 'open', 'status')
}

/** An event without meaning may lack its proof, if that is part of the event. */
async function survivesNonsense(bench: Bench): Promise<void> {
  const { gateway, rig } = bench
  const { desk } = await bench.make()
  const request = await requireMember(rig.callback, 'callback')(desk, [null])
  await assertIgnored(gateway, request, desk.context, 'events')
  if (await isProven(gateway, request, desk.context)) check(desk.logged.length > 0, 'the ignored event is logged')
}

async function hidesNone(bench: Bench): Promise<void> {
  const one = await bench.make()
  const event = { externalId: one.made.externalId, status: 'paid' } as const
  const news = await eventsOf(bench, one, [null, event, { ...event, status: 'unknown' }, null])
  assertEqual(
    news.map(({ status }) => status),
    ['paid'],
    'events',
  )
  check(one.desk.logged.length > 0, 'the ignored event is logged')
}

async function parsesSeveral(bench: Bench): Promise<void> {
  const one = await bench.make()
  const other = await bench.make({}, one.desk)
  const events = [one, other].map(({ made: { externalId } }) => ({ externalId, status: 'paid' }) as const)
  const news = await eventsOf(bench, one, events)
  assertEqual(
    news.map(({ externalId }) => externalId),
    events.map(({ externalId }) => externalId),
    'checkouts',
  )
}

async function survivesGarbage({ gateway, rig, open }: Bench): Promise<void> {
  const desk = open()
  for (const text of garbage) {
    const request = await requireMember(rig.signed, 'signed')(desk, new TextEncoder().encode(text))
    await assertIgnored(gateway, request, desk.context, `events in ${text}`)
  }
}

async function readsSpelling(bench: Bench, spelling: string): Promise<void> {
  const { at: _a, externalId: _e, paymentId: _p, ...expected } = await onlyEvent(bench, await bench.make(), 'paid')
  bench.rig.spellings?.[spelling]?.()
  const one = await bench.make()
  const { at: _b, externalId, paymentId, ...found } = await onlyEvent(bench, one, 'paid')
  assertEqual(found, expected, 'event')
  assertEqual(externalId ?? one.made.externalId, one.made.externalId, "the gateway's id")
  assertEqual(paymentId ?? one.asked.paymentId, one.asked.paymentId, 'our id')
}
