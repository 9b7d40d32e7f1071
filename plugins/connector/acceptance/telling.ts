import { assertEqual, assertFits, check, requireMember } from '../../acceptance/checks.ts'
import type { Desk } from '../../acceptance/desk.ts'
import { assertIgnored, eventsIn, isProven } from '../../acceptance/webhooks.ts'
import type { InboundRequest } from '../../adapter.ts'
import type { ConnectorAdapter } from '../kind.ts'
import { LinkAnswered } from '../linking.model.ts'
import { ReadOrder, ShopEvent, Subscribed } from '../model.ts'
import { ADDRESS, assertSameOrder, type Bench, type Draft, pullAll, withCredentials } from './bench.ts'
import { FORM_SKIP_REASON } from './reading.ts'
import type { Rig } from './rig.ts'

/** Cases about subscriptions, callbacks, pushed statuses and links. */
export const callbackCases = (platform: ConnectorAdapter, rig: Rig): Draft[] => {
  const noCallbacks = !platform.webhook && 'it has no callbacks'
  const noSubscription = !platform.subscribe && 'it has no subscriptions'
  return [
    { name: 'subscribing again adds no second subscription', unless: noSubscription, run: subscribesOnce },
    { name: 'subscribing again revives subscriptions that the shop disabled', unless: noSubscription, run: revives },
    {
      name: 'unsubscribing ends all subscriptions',
      unless: noSubscription || (!platform.unsubscribe && 'it has no unsubscribe'),
      run: unsubscribes,
    },
    { name: 'only callbacks with a valid proof of every byte are accepted', unless: noCallbacks, run: verifiesProof },
    { name: 'a callback and pull give the same order', unless: noCallbacks, run: agreesWithPull },
    { name: 'a deleted order is reported', unless: noCallbacks || (rig.isForm && FORM_SKIP_REASON), run: reportsDeleted },
    { name: 'signed garbage is ignored', unless: noCallbacks, run: survivesGarbage },
    { name: 'a stored callback is read again without its proof', unless: noCallbacks, run: readsStored },
    { name: 'a pushed status is stored once', unless: !platform.pushStatus && 'it has no pushStatus', run: pushesOnce },
    {
      name: 'a pushed status is read back with the same meaning',
      unless: (!platform.pushStatus && 'it has no pushStatus') || (rig.readsNoPush && 'a pushed status does not show in its orders'),
      run: pushesRightly,
    },
    { name: 'the keys that a shop sends are parsed', unless: !platform.link && 'it has no link', run: readsKeys },
  ]
}

async function subscribe(bench: Bench, desk = bench.open()): Promise<Desk> {
  const answer = await bench.platform.subscribe?.(desk.context, { address: ADDRESS })
  assertFits(Subscribed, answer, 'answer')
  return withCredentials(bench, desk, answer?.credentials ?? {})
}

async function subscribesOnce(bench: Bench): Promise<void> {
  const desk = await subscribe(bench)
  await subscribe(bench, desk)
  const { subscriptions } = await bench.rig.seen(desk)
  check(
    subscriptions.length > 0 && subscriptions.every(({ isOn, address }) => isOn && address === ADDRESS),
    'all subscriptions are active, for our address',
  )
  assertEqual(new Set(subscriptions.map(({ topic }) => topic)).size, subscriptions.length, 'subscriptions with different topics')
}

async function revives(bench: Bench): Promise<void> {
  const desk = await subscribe(bench)
  const before = (await bench.rig.seen(desk)).subscriptions.length
  await requireMember(bench.rig.switchOff, 'switchOff')(desk)
  assertEqual(
    (await bench.rig.seen(desk)).subscriptions.some(({ isOn }) => isOn),
    false,
    'an active subscription',
  )
  const answer = await bench.platform.subscribe?.(desk.context, { address: ADDRESS })
  assertEqual(answer?.revived, before, 'revived subscriptions')
  const { subscriptions } = await bench.rig.seen(desk)
  assertEqual([subscriptions.length, subscriptions.every(({ isOn }) => isOn)], [before, true], 'subscriptions')
}

async function unsubscribes(bench: Bench): Promise<void> {
  const desk = await subscribe(bench)
  for (let count = 0; count < 2; count += 1) await bench.platform.unsubscribe?.(desk.context, { address: ADDRESS })
  assertEqual((await bench.rig.seen(desk)).subscriptions, [], 'subscriptions')
}

/** Opens a connection, subscribed if the platform has subscriptions. */
const openSubscribed = (bench: Bench) => (bench.platform.subscribe ? subscribe(bench) : Promise.resolve(bench.open()))

async function verifiesProof(bench: Bench): Promise<void> {
  const { platform, rig } = bench
  const desk = await openSubscribed(bench)
  const [id = ''] = await rig.place(desk, 1)
  const request = await requireMember(rig.callback, 'callback')(desk, id)
  const verify = (change: object, own = desk) => isProven(platform, { ...request, ...change }, own.context)
  assertEqual(await verify({}), true, 'its own callback')
  const other = request.body.slice()
  other[other.length - 1] = (other.at(-1) ?? 0) ^ 1
  if (!rig.provesCallerAlone) assertEqual(await verify({ body: other }), false, 'a callback with another byte')
  assertEqual(await verify({ headers: {} }), false, 'a callback without its proof')
  const header = requireMember(rig.proof, 'proof')
  for (const proof of ['', 'AAAA', `${request.headers[header]}A`, String(request.headers[header]).slice(1)])
    assertEqual(await verify({ headers: { ...request.headers, [header]: proof } }), false, `the proof ${proof.slice(0, 4)}…`)
  const otherDesk = bench.open({ credentials: { ...rig.credentials, [rig.secret ?? 'webhookSecret']: 'a secret of somebody else' } })
  assertEqual(await verify({}, otherDesk), false, 'a callback for another account')
}

/** Parses a callback into events, and reads the orders that it only names. */
async function eventsOf({ platform }: Bench, { context }: Desk, request: InboundRequest): Promise<ShopEvent[]> {
  const parsed = await eventsIn<ShopEvent>(platform, request, context)
  for (const one of parsed) assertFits(ShopEvent, one, 'event')
  const read = async (externalId: string): Promise<ShopEvent> => {
    const answer = await requireMember(platform.readOrder, 'readOrder')(context, { externalId })
    assertFits(ReadOrder, answer, 'an order')
    return answer ?? { gone: externalId }
  }
  return Promise.all(parsed.map((one) => (one.changed === undefined ? one : read(one.changed))))
}

async function agreesWithPull(bench: Bench): Promise<void> {
  const { rig } = bench
  const desk = await openSubscribed(bench)
  const [id = ''] = await rig.place(desk, 2)
  const read = (await pullAll(bench, desk, null)).find(({ externalId }) => externalId === id)
  const request = await requireMember(rig.callback, 'callback')(desk, id)
  for (let count = 0; count < 2; count += 1) {
    const news = await eventsOf(bench, desk, request)
    assertEqual(news.length, 1, 'events')
    assertSameOrder(
      news[0]?.order,
      read && rig.saysNoChanges ? { ...read, updatedAt: news[0]?.order?.updatedAt ?? '' } : read,
      'order in the callback',
    )
  }
}

async function reportsDeleted(bench: Bench): Promise<void> {
  const desk = await openSubscribed(bench)
  const [id = ''] = await bench.rig.place(desk, 1)
  const request = await requireMember(bench.rig.gone, 'gone')(desk, id)
  assertEqual(await isProven(bench.platform, request, desk.context), true, 'its own callback')
  const [news] = await eventsOf(bench, desk, request)
  assertEqual(
    [news?.gone ?? news?.order?.externalId, news?.gone === undefined ? news?.order?.status : 'cancelled'],
    [id, 'cancelled'],
    'event',
  )
}

const garbage = [
  '',
  'null',
  '[]',
  '{}',
  '5',
  '{"id":{}}',
  '{"order":[null,1]}',
  '{"id":1,"status":"toString"}',
  '{"id":{"a":1},"order_status":{}}',
  '\u0000{',
  '{"id":',
]

async function survivesGarbage(bench: Bench): Promise<void> {
  const desk = await openSubscribed(bench)
  for (const text of garbage) {
    const request = await requireMember(bench.rig.signed, 'signed')(desk, new TextEncoder().encode(text))
    await assertIgnored(bench.platform, request, desk.context, `events in ${text}`)
  }
}

/** Checks that a callback from the inbox, whose secrets were removed, gives the same events as when it arrived. */
async function readsStored({ platform, rig, ...bench }: Bench): Promise<void> {
  const desk = await openSubscribed({ platform, rig, ...bench })
  const [id = ''] = await rig.place(desk, 1)
  const request = await requireMember(rig.callback, 'callback')(desk, id)
  const { [requireMember(rig.proof, 'proof')]: _, ...headers } = request.headers
  const stored = { ...request, url: new URL(request.url, ADDRESS).pathname, headers, isStored: true } as const
  assertEqual(
    await eventsIn<ShopEvent>(platform, stored, desk.context),
    await eventsIn<ShopEvent>(platform, request, desk.context),
    'events',
  )
}

async function pushesOnce({ platform, rig, open }: Bench): Promise<void> {
  const desk = open()
  const [id = ''] = await rig.place(desk, 1)
  const pushed = { externalId: id, carrier: 'Atlas', trackingId: 'TRK-1' }
  for (const status of ['confirmed', 'sent', 'sent', 'delivered', 'delivered'] as const)
    await platform.pushStatus?.(desk.context, { ...pushed, status })
  const numbers = async () => (await rig.seen(desk)).trackingIds
  assertEqual(await numbers(), rig.keepsNoNumber ? [] : ['TRK-1'], 'stored tracking numbers')
  await platform.pushStatus?.(desk.context, { ...pushed, trackingId: 'TRK-2', status: 'delivered' })
  assertEqual(await numbers(), rig.keepsNoNumber ? [] : ['TRK-2'], 'stored tracking numbers after a change')
}

/** Checks that a delivered order is read as fulfilled, and a cancelled one as cancelled, whatever the shop calls it. */
async function pushesRightly(bench: Bench): Promise<void> {
  const { platform, rig } = bench
  const desk = bench.open()
  for (const [status, expected] of [
    ['confirmed', 'open'],
    ['delivered', 'fulfilled'],
    ['cancelled', 'cancelled'],
  ] as const) {
    const [externalId = ''] = await rig.place(desk, 1)
    await platform.pushStatus?.(desk.context, { externalId, status })
    const read = (await pullAll(bench, desk, null)).find((order) => order.externalId === externalId)
    assertEqual(read?.status, expected, `status read after a push of ${status}`)
  }
}

async function readsKeys({ platform, rig, open }: Bench): Promise<void> {
  const { context } = open()
  const asked = {
    shop: 'shop.example',
    app: 'Serai',
    state: 'a-state-that-works-once',
    returnUrl: 'https://ours.example/back',
    callbackUrl: 'https://ours.example/keys',
    webhookUrl: 'https://ours.example/webhook',
  }
  const made = await platform.link?.address(context, asked)
  const url = new URL(made?.url ?? '')
  check(url.protocol === 'https:' && decodeURIComponent(url.href).includes(asked.state), 'the address contains the state')
  const answer = await platform.link?.read(requireMember(rig.keys, 'keys')(asked), context)
  assertFits(LinkAnswered, answer, 'keys')
  assertEqual(answer?.state, asked.state, 'state')
  assertEqual(answer?.credentials, requireMember(rig.sentKeys, 'sentKeys'), 'keys')
}
