import { check, fails, needed, same, unique } from '../../acceptance/checks.ts'
import { fieldsAreSane, isSane, windowsAreSane } from '../../acceptance/definition.ts'
import type { Desk } from '../../acceptance/desk.ts'
import { CONTRACT, type ConnectorAdapter, connector as kind } from '../kind.ts'
import { asksSomebody, type Bench, type Draft, pullAll } from './bench.ts'
import type { ExternalOrder, Rig, SeenOrder } from './rig.ts'

const MANY = 120
/** For all of their pages, of which each has its own time in the server. */
const LONG_MS = 60_000
const nobody = 'it asks nobody'
/** Why nothing becomes of an order. */
export const form = 'its orders are answers to a form'

export const readingCases = (platform: ConnectorAdapter, rig: Rig): Draft[] => {
  const unless = !asksSomebody(platform, rig) && nobody
  return [
    { name: 'the definition is sane', run: ({ platform: it }) => definitionIsSane(it) },
    {
      name: 'the connection test passes with good credentials',
      run: async ({ platform: it, open }) => same(typeof (await it.testConnection(open().context)), 'object', 'answer'),
    },
    { name: 'wrong credentials are told as such', unless, run: turnsDown },
    { name: 'all orders are read, page by page', run: readsAll },
    {
      name: 'what is thrown away while pages are read hides no other',
      unless: !rig.discard && 'nothing is known to be thrown away there',
      run: hidesNoOther,
    },
    { name: 'what is read is what the shop has', run: readsRightly },
    {
      name: 'what was taken away of an order is none of it any more',
      unless: !rig.reduce && 'nothing is known to be taken away there',
      run: readsWhatIsLeft,
    },
    {
      name: 'orders from before are left out',
      unless: (rig.saysNoChanges && 'its orders do not say when they changed') || (rig.isForm && form),
      run: leavesOut,
    },
    {
      name: 'what is no order yet is not read',
      unless: !rig.unfinished && 'whatever it tells is an order',
      run: leavesUnfinished,
    },
    { name: 'what was called off is read as such', unless: rig.isForm && form, run: readsCancelled },
    { name: 'a shop that fails is told as one', unless, run: tellsFailures },
  ]
}

function definitionIsSane(platform: ConnectorAdapter): void {
  isSane(platform, { name: 'connector', contract: CONTRACT })
  fieldsAreSane(platform)
  windowsAreSane(platform)
  same(kind.problems?.(platform) ?? [], [], 'problems')
}

async function turnsDown({ platform, rig, open }: Bench): Promise<void> {
  const bad = { credentials: { ...rig.credentials, ...needed(rig.badCredentials, 'badCredentials') } }
  await fails(platform.testConnection(open(bad).context), ['unauthorized'], 'connection test')
  await fails(platform.pull(open(bad).context, { since: null, cursor: null }), ['unauthorized'], 'pull')
}

async function readsAll(bench: Bench): Promise<void> {
  const desk = bench.open({ deadlineMs: LONG_MS })
  const placed = await bench.rig.place(desk, MANY)
  const orders = await pullAll(bench, desk, null)
  unique(
    orders.map(({ externalId }) => externalId),
    'orders',
  )
  const found = new Set(orders.map(({ externalId }) => externalId))
  same(
    placed.filter((id) => !found.has(id)),
    [],
    'orders that were not read',
  )
}

/** After each page one that was on it is thrown away; another may be changed, or a new one made, so that there are as many as before. */
async function hidesNoOther(bench: Bench): Promise<void> {
  const { rig } = bench
  const desk = bench.open({ deadlineMs: LONG_MS })
  const placed = await rig.place(desk, MANY)
  const orders = await pullAll(bench, desk, null, async ([first, second], page) => {
    if (first) await needed(rig.discard, 'discard')(desk, first.externalId)
    if (first && page % 3 === 1) await rig.place(desk, 1)
    if (second && page % 3 === 2) await rig.become(desk, second.externalId, 'cancelled')
  })
  const found = new Set(orders.map(({ externalId }) => externalId))
  same(
    placed.filter((id) => !found.has(id)),
    [],
    'orders that were not read',
  )
}

async function readsWhatIsLeft(bench: Bench): Promise<void> {
  const desk = bench.open()
  const [id = ''] = await bench.rig.place(desk, 1)
  await needed(bench.rig.reduce, 'reduce')(desk, id)
  await readsAsSeen(bench, desk)
}

async function readsRightly(bench: Bench): Promise<void> {
  const desk = bench.open()
  await bench.rig.place(desk, 3)
  await readsAsSeen(bench, desk)
}

async function readsAsSeen(bench: Bench, desk: Desk): Promise<void> {
  const seen = new Map((await bench.rig.seen(desk)).orders.map((order) => [order.externalId, order]))
  for (const order of await pullAll(bench, desk, null)) {
    const expected = seen.get(order.externalId)
    check(expected, `order ${order.externalId} is one of the shop's`)
    same(comparable(asSeen(order, expected)), comparable(expected), `order ${order.externalId}`)
  }
}

/** What is read, as the shop has it in its books. */
const asSeen = ({ externalId, total, delivery, customer, address, items, createdAt }: ExternalOrder, expected: SeenOrder): SeenOrder => ({
  externalId,
  total,
  phone: customer.phone ?? '',
  city: address.city,
  lines: items.length,
  pieces: items.reduce((sum, { quantity }) => sum + quantity, 0),
  unitPrice: items[0]?.unitPrice ?? '',
  delivery,
  ...(expected.createdAt !== undefined && { createdAt: createdAt ?? '' }),
})

/** However amounts, numbers and times are written. */
const comparable = ({ total, unitPrice, delivery, phone, createdAt, ...rest }: SeenOrder) => ({
  ...rest,
  amounts: [total, unitPrice, delivery].map(Number),
  phone: phone.replace(/\D/g, ''),
  ...(createdAt !== undefined && { madeAt: Math.floor(Date.parse(createdAt) / 1000) }),
})

async function leavesUnfinished(bench: Bench): Promise<void> {
  const desk = bench.open()
  const [placed = ''] = await bench.rig.place(desk, 1)
  await needed(bench.rig.unfinished, 'unfinished')(desk)
  const read = (await pullAll(bench, desk, null)).map(({ externalId }) => externalId)
  same(read, [placed], 'orders')
}

async function leavesOut(bench: Bench): Promise<void> {
  const desk = bench.open()
  const placed = await bench.rig.place(desk, 5)
  const newest = (await pullAll(bench, desk, null)).map(({ updatedAt }) => Date.parse(updatedAt)).reduce((a, b) => Math.max(a, b), 0)
  await bench.rig.become(desk, placed[0] ?? '', 'cancelled')
  const since = await pullAll(bench, desk, new Date(newest + 1000).toISOString())
  same(
    since.map(({ externalId }) => externalId),
    [placed[0]],
    'orders that were changed since',
  )
}

async function readsCancelled(bench: Bench): Promise<void> {
  const desk = bench.open()
  const [id = ''] = await bench.rig.place(desk, 1)
  for (const status of ['fulfilled', 'cancelled'] as const) {
    await bench.rig.become(desk, id, status)
    same((await pullAll(bench, desk, null)).find(({ externalId }) => externalId === id)?.status, status, 'status')
  }
}

async function tellsFailures({ platform, rig, open }: Bench): Promise<void> {
  const asked = { since: null, cursor: null }
  for (const [fault, reasons] of [
    ['error', ['unavailable']],
    ['malformed', ['unavailable']],
    ['mumbled', ['unavailable']],
    ['rate_limited', ['rate_limited']],
  ] as const) {
    needed(rig.fail, 'fail')(fault)
    const error = await fails(platform.pull(open().context, asked), reasons, fault)
    if (fault === 'rate_limited') check(error.upstream.retryAfterSeconds === 2, 'it says when to ask again')
    rig.calm()
  }
}
