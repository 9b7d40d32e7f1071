import { check, fits, needed, same } from '../../acceptance/checks.ts'
import type { Desk } from '../../acceptance/desk.ts'
import type { InboundRequest } from '../../adapter.ts'
import type { ConnectorAdapter } from '../kind.ts'
import { LinkAnswered, ReadOrder, ShopNews, Subscribed } from '../model.ts'
import { ADDRESS, type Bench, type Draft, isSameOrder, pullAll, withCredentials } from './bench.ts'
import { form } from './reading.ts'
import type { Rig } from './rig.ts'

export const tellingCases = (platform: ConnectorAdapter, rig: Rig): Draft[] => {
  const deaf = !platform.webhook && 'it calls nobody back'
  const unasked = !platform.subscribe && 'it is not asked to call back'
  return [
    { name: 'asked to call back, it does so once, however often it was asked', unless: unasked, run: subscribesOnce },
    { name: 'what the shop switched off is on again', unless: unasked, run: revives },
    { name: 'it calls no more when it is told so', unless: unasked || (!platform.unsubscribe && 'it cannot be told so'), run: ends },
    { name: 'its own callbacks are believed, byte for byte, and no others', unless: deaf, run: believes },
    { name: 'a callback and what is read say the same', unless: deaf, run: saysTheSame },
    { name: 'an order that was thrown away is told as such', unless: deaf || (rig.isForm && form), run: tellsGone },
    { name: 'garbage that is rightly signed breaks nothing', unless: deaf, run: survivesGarbage },
    { name: 'what became of an order stands there once', unless: !platform.pushStatus && 'it is told nothing', run: pushesOnce },
    {
      name: 'what became of an order is read again as such',
      unless: (!platform.pushStatus && 'it is told nothing') || (rig.readsNoPush && 'it keeps what it is told apart'),
      run: pushesRightly,
    },
    { name: 'the keys that a shop sends are read', unless: !platform.link && 'it sends no keys', run: readsKeys },
  ]
}

async function subscribed(bench: Bench, desk = bench.open()): Promise<Desk> {
  const answer = await bench.platform.subscribe?.(desk.context, { address: ADDRESS })
  fits(Subscribed, answer, 'answer')
  return withCredentials(bench, desk, answer?.credentials ?? {})
}

async function subscribesOnce(bench: Bench): Promise<void> {
  const desk = await subscribed(bench)
  await subscribed(bench, desk)
  const { subscriptions } = await bench.rig.seen(desk)
  check(subscriptions.length > 0 && subscriptions.every(({ isOn, address }) => isOn && address === ADDRESS), 'it calls our address')
  same(new Set(subscriptions.map(({ topic }) => topic)).size, subscriptions.length, 'subscriptions, each of a kind')
}

async function revives(bench: Bench): Promise<void> {
  const desk = await subscribed(bench)
  const before = (await bench.rig.seen(desk)).subscriptions.length
  await needed(bench.rig.switchOff, 'switchOff')(desk)
  same(
    (await bench.rig.seen(desk)).subscriptions.some(({ isOn }) => isOn),
    false,
    'something is on',
  )
  const answer = await bench.platform.subscribe?.(desk.context, { address: ADDRESS })
  same(answer?.revived, before, 'subscriptions that are on again')
  const { subscriptions } = await bench.rig.seen(desk)
  same([subscriptions.length, subscriptions.every(({ isOn }) => isOn)], [before, true], 'subscriptions')
}

async function ends(bench: Bench): Promise<void> {
  const desk = await subscribed(bench)
  for (let count = 0; count < 2; count += 1) await bench.platform.unsubscribe?.(desk.context, { address: ADDRESS })
  same((await bench.rig.seen(desk)).subscriptions, [], 'subscriptions')
}

/** A connection that has been asked to call back, where it can be. */
const hearing = (bench: Bench) => (bench.platform.subscribe ? subscribed(bench) : Promise.resolve(bench.open()))

async function believes(bench: Bench): Promise<void> {
  const { platform, rig } = bench
  const desk = await hearing(bench)
  const [id = ''] = await rig.place(desk, 1)
  const request = await needed(rig.callback, 'callback')(desk, id)
  const verify = (change: object, own = desk) => platform.webhook?.verify({ ...request, ...change }, own.context)
  same(await verify({}), true, 'its own callback')
  const other = request.body.slice()
  other[other.length - 1] = (other.at(-1) ?? 0) ^ 1
  if (!rig.provesCallerAlone) same(await verify({ body: other }), false, 'one with another byte')
  same(await verify({ headers: {} }), false, 'one without its proof')
  const header = needed(rig.proof, 'proof')
  for (const proof of ['', 'AAAA', `${request.headers[header]}A`, String(request.headers[header]).slice(1)])
    same(await verify({ headers: { ...request.headers, [header]: proof } }), false, `the proof ${proof.slice(0, 4)}…`)
  const stranger = bench.open({ credentials: { ...rig.credentials, [rig.secret ?? 'webhookSecret']: 'a secret of somebody else' } })
  same(await verify({}, stranger), false, "somebody else's callback")
}

/** What a callback tells, with what is read where it tells only of which order. */
async function heard({ platform }: Bench, { context }: Desk, request: InboundRequest): Promise<ShopNews[]> {
  const told = (await platform.webhook?.parse(request, context)) ?? []
  for (const one of told) fits(ShopNews, one, 'news')
  const read = async (externalId: string): Promise<ShopNews> => {
    const answer = await needed(platform.readOrder, 'readOrder')(context, { externalId })
    fits(ReadOrder, answer, 'an order')
    return answer ?? { gone: externalId }
  }
  return Promise.all(told.map((one) => (one.changed === undefined ? one : read(one.changed))))
}

async function saysTheSame(bench: Bench): Promise<void> {
  const { rig } = bench
  const desk = await hearing(bench)
  const [id = ''] = await rig.place(desk, 2)
  const read = (await pullAll(bench, desk, null)).find(({ externalId }) => externalId === id)
  const request = await needed(rig.callback, 'callback')(desk, id)
  for (let count = 0; count < 2; count += 1) {
    const news = await heard(bench, desk, request)
    same(news.length, 1, 'news')
    isSameOrder(news[0]?.order, read && rig.saysNoChanges ? { ...read, updatedAt: news[0]?.order?.updatedAt ?? '' } : read, 'what is told')
  }
}

async function tellsGone(bench: Bench): Promise<void> {
  const desk = await hearing(bench)
  const [id = ''] = await bench.rig.place(desk, 1)
  const request = await needed(bench.rig.gone, 'gone')(desk, id)
  same(await bench.platform.webhook?.verify(request, desk.context), true, 'its own callback')
  const [news] = await heard(bench, desk, request)
  same([news?.gone ?? news?.order?.externalId, news?.gone === undefined ? news?.order?.status : 'cancelled'], [id, 'cancelled'], 'news')
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
  const desk = await hearing(bench)
  for (const text of garbage) {
    const request = await needed(bench.rig.signed, 'signed')(desk, new TextEncoder().encode(text))
    same(await bench.platform.webhook?.parse(request, desk.context), [], `news in ${text}`)
  }
}

async function pushesOnce({ platform, rig, open }: Bench): Promise<void> {
  const desk = open()
  const [id = ''] = await rig.place(desk, 1)
  const told = { externalId: id, carrier: 'Atlas', trackingId: 'TRK-1' }
  for (const status of ['confirmed', 'sent', 'sent', 'delivered', 'delivered'] as const)
    await platform.pushStatus?.(desk.context, { ...told, status })
  const numbers = async () => (await rig.seen(desk)).trackingIds
  same(await numbers(), rig.keepsNoNumber ? [] : ['TRK-1'], 'numbers that stand there')
  await platform.pushStatus?.(desk.context, { ...told, trackingId: 'TRK-2', status: 'delivered' })
  same(await numbers(), rig.keepsNoNumber ? [] : ['TRK-2'], 'numbers that stand there, where it goes again under another')
}

/** Whatever the shop calls it: what arrived there is over, and so is what was called off. */
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
    same(read?.status, expected, `what is read of an order that was told to be ${status}`)
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
  check(url.protocol === 'https:' && decodeURIComponent(url.href).includes(asked.state), 'an address that holds the state')
  const answer = await platform.link?.read(needed(rig.keys, 'keys')(asked), context)
  fits(LinkAnswered, answer, 'keys')
  same(answer?.state, asked.state, 'state')
  same(answer?.credentials, needed(rig.sentKeys, 'sentKeys'), 'keys')
}
