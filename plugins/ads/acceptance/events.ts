import { assertEqual, assertFits, assertUnique, check } from '../../acceptance/checks.ts'
import { type PixelEvent, Sent } from '../events.model.ts'
import { type Bench, type Draft, event } from './draft.ts'

/** SHA-256 of `john.doe@example.com`, of `213555123456` and of `+213555123456`. */
const EMAIL = '836f82db99121b3481011f16b49dfa5fbc714a0d1b1b9f784a1ebbbf5b39577f'
const PHONES = {
  digits: '57bc2227c5cf190ba5390a9a06771e92b4863d7054546c3856e44ec12e56a5e3',
  plus: 'e5cb565881c669f95be9c2626a9b6948a692f58e6770790e9a024b78213421f0',
}

/** SHA-256 of `dz`. */
const COUNTRY = '2a92270185a50d8020949f2cfb2125d1af1c2bd3dd92eada9210fcdb5c4310bf'

/** Cases about sent events. */
export const eventCases = (): Draft[] => [
  { name: 'an event arrives completely', run: arrives },
  { name: 'personal data arrive normalized and hashed', run: isHashed },
  { name: 'a phone number without its country code is left out', run: hasNoLocalPhone },
  { name: 'data that the platform wants unhashed arrive unchanged', run: staysPlain },
  { name: 'contents arrive with their prices and quantities', run: hasContents },
  { name: 'the click id arrives unchanged', run: hasClick },
  { name: 'a digest is not hashed again', run: isHashedOnce },
  { name: 'a rejected event does not affect the others', run: isParted },
  { name: 'a repeated event has the id of the first', run: isRepeated },
  { name: 'no request holds more than the platform takes', run: isBatched },
  { name: 'only a test event has the test code', run: isTested },
]

async function send({ adapter, rig, open }: Bench, events: readonly PixelEvent[]) {
  const before = (await rig.seen()).length
  const sent = await adapter.sendEvents(open().context, { pixelId: rig.pixelId, events: [...events] })
  assertFits(Sent, sent, 'answer')
  return { sent, seen: (await rig.seen()).slice(before) }
}

async function arrives(bench: Bench) {
  const one = event(bench.adapter)
  const { sent, seen } = await send(bench, [one])
  assertEqual(sent, { accepted: [one.id], refused: [] }, 'answer')
  const [first, ...others] = seen
  assertEqual(others, [], 'more than one')
  const { id, name, at, value, currency, orderId } = first ?? {}
  const { id: ownId, name: ownName, at: ownAt, value: ownValue, currency: ownCurrency, orderId: ownOrder } = one
  assertEqual(
    { id, name, at, value, currency, orderId },
    { id: ownId, name: ownName, at: ownAt, value: ownValue, currency: ownCurrency, orderId: ownOrder },
    'the event',
  )
}

async function isHashed(bench: Bench) {
  const { seen } = await send(bench, [event(bench.adapter)])
  assertEqual(seen[0]?.email, EMAIL, 'e-mail')
  assertEqual(seen[0]?.phone, PHONES[bench.rig.phone], 'telephone')
  if (seen[0]?.country) assertEqual(seen[0].country, COUNTRY, 'country')
  check(/^[0-9a-f]{64}$/.test(seen[0]?.externalId ?? ''), 'the customer is hashed')
  const words = (await bench.rig.calls()).map(({ body, query }) => `${body} ${query}`).join('\n')
  for (const plain of ['john.doe', 'John.Doe', '555 12-34-56', '555123456', 'customer-1'])
    check(!words.includes(plain), `"${plain}" stands in no request`)
}

async function hasNoLocalPhone(bench: Bench) {
  const { seen } = await send(bench, [event(bench.adapter, { person: { phone: '0555123456', externalId: 'customer-1' } })])
  assertEqual(seen.length, 1, 'events')
  assertEqual(seen[0]?.phone, null, 'telephone')
}

async function staysPlain(bench: Bench) {
  const person = { ip: '105.98.1.2', userAgent: 'Mozilla/5.0 (Linux)', externalId: 'customer-1' }
  const { seen } = await send(bench, [event(bench.adapter, { person, url: 'https://shop.example/p/basket' })])
  assertEqual([seen[0]?.ip, seen[0]?.userAgent], [person.ip, person.userAgent], 'unhashed data')
}

async function hasContents(bench: Bench) {
  const { seen } = await send(bench, [event(bench.adapter)])
  assertEqual(seen[0]?.contents, [{ id: 'SNK-42', quantity: 2, price: 3250.25 }], 'contents')
}

async function hasClick(bench: Bench) {
  const clicked = event(bench.adapter, { person: { externalId: 'customer-1', clickId: 'CLICK.42-x', browserId: 'browser.7' } })
  const { seen } = await send(bench, [clicked])
  assertEqual(seen[0]?.clickId, 'CLICK.42-x', 'click')
  if (seen[0]?.clickedAt !== null) assertEqual(seen[0]?.clickedAt, clicked.at * 1000, 'time of the click without clickedAt')
}

async function isHashedOnce(bench: Bench) {
  const { seen } = await send(bench, [event(bench.adapter, { person: { email: EMAIL, externalId: EMAIL } })])
  assertEqual([seen[0]?.email, seen[0]?.externalId], [EMAIL, EMAIL], 'digests')
}

async function isParted(bench: Bench) {
  const { adapter, rig } = bench
  const events = Array.from({ length: 9 }, () => event(adapter))
  const bad = rig.spoiled(event(adapter))
  const { sent, seen } = await send(bench, [...events.slice(0, 4), bad, ...events.slice(4)])
  assertEqual(sent.accepted.toSorted(), events.map(({ id }) => id).toSorted(), 'accepted')
  assertEqual(
    sent.refused.map(({ id }) => id),
    [bad.id],
    'refused',
  )
  check((sent.refused[0]?.why.length ?? 0) > 5, 'the rejection has a reason')
  assertEqual(seen.map(({ id }) => id).toSorted(), events.map(({ id }) => id).toSorted(), 'events that arrived')
}

async function isRepeated(bench: Bench) {
  const one = event(bench.adapter)
  const [first, second] = [await send(bench, [one]), await send(bench, [one])]
  assertEqual([first.seen[0]?.id, first.seen[0]?.name], [second.seen[0]?.id, second.seen[0]?.name], 'id and name')
}

async function isBatched(bench: Bench) {
  const { eventsAtOnce } = bench.adapter.limits
  const events = Array.from({ length: Math.min(1000, eventsAtOnce + 3) }, () => event(bench.adapter))
  const { sent, seen } = await send(bench, events)
  assertEqual(sent.accepted.length, events.length, 'accepted')
  assertUnique(
    seen.map(({ id }) => id),
    'events',
  )
  const sizes = [...Map.groupBy(seen, ({ request }) => request).values()].map((within) => within.length)
  check(Math.max(...sizes) <= eventsAtOnce, `a request held ${Math.max(...sizes)} events, at most ${eventsAtOnce} are allowed`)
}

async function isTested(bench: Bench) {
  const { adapter, rig, open } = bench
  const before = (await rig.seen()).length
  await adapter.testEvent(open().context, { pixelId: rig.pixelId, code: 'TEST12345', event: event(adapter) })
  assertEqual(
    (await rig.seen()).slice(before).map(({ testCode }) => testCode),
    ['TEST12345'],
    'codes of the test',
  )
  const { seen } = await send(bench, [event(adapter)])
  assertEqual(seen[0]?.testCode, null, 'code of an event that is no test')
}
