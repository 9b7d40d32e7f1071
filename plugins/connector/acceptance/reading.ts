import { assertEqual, assertUnique, check, expectFailure, requireMember } from '../../acceptance/checks.ts'
import { assertDefinition, assertFields, assertRateWindows } from '../../acceptance/definition.ts'
import type { Desk } from '../../acceptance/desk.ts'
import { CONTRACT, type ConnectorAdapter, connector as kind } from '../kind.ts'
import { type Bench, type Draft, hasCalls, pullAll } from './bench.ts'
import type { ExternalOrder, Rig, SeenOrder } from './rig.ts'

const MANY = 120
/** Deadline in milliseconds for all pages together. In the server, each page has its own. */
const LONG_MS = 60_000
const nobody = 'it makes no calls'
/** Reason to skip cases about statuses and deletions. */
export const FORM_SKIP_REASON = 'its orders are answers to a form'

/** Cases about the definition and reading orders. */
export const readingCases = (platform: ConnectorAdapter, rig: Rig): Draft[] => {
  const unless = !hasCalls(platform, rig) && nobody
  return [
    { name: 'the definition is sane', run: ({ platform: it }) => definitionIsSane(it) },
    {
      name: 'the connection test passes with good credentials',
      run: async ({ platform: it, open }) => assertEqual(typeof (await it.testConnection(open().context)), 'object', 'answer'),
    },
    { name: 'wrong credentials are reported as unauthorized', unless, run: turnsDown },
    { name: 'each order of all pages is read once', run: readsAll },
    {
      name: 'an order deleted while pages are read does not hide others',
      unless: !rig.discard && 'its orders cannot be deleted',
      run: hidesNoOther,
    },
    { name: 'orders are read as the shop has them', run: readsRightly },
    {
      name: 'a piece removed from an order is no longer read',
      unless: !rig.reduce && 'its orders cannot be reduced',
      run: readsWhatIsLeft,
    },
    {
      name: 'unchanged orders are left out',
      unless: (rig.saysNoChanges && 'its orders have no time of change') || (rig.isForm && FORM_SKIP_REASON),
      run: leavesOut,
    },
    {
      name: 'an incomplete order is not read',
      unless: !rig.unfinished && 'it has no incomplete orders',
      run: leavesUnfinished,
    },
    { name: 'fulfilled and cancelled orders are read with their status', unless: rig.isForm && FORM_SKIP_REASON, run: readsCancelled },
    { name: 'failures of the shop are reported with their reason', unless, run: tellsFailures },
  ]
}

function definitionIsSane(platform: ConnectorAdapter): void {
  assertDefinition(platform, { name: 'connector', contract: CONTRACT })
  assertFields(platform)
  assertRateWindows(platform)
  assertEqual(kind.problems?.(platform) ?? [], [], 'problems')
}

async function turnsDown({ platform, rig, open }: Bench): Promise<void> {
  const bad = { credentials: { ...rig.credentials, ...requireMember(rig.badCredentials, 'badCredentials') } }
  await expectFailure(platform.testConnection(open(bad).context), ['unauthorized'], 'connection test')
  await expectFailure(platform.pull(open(bad).context, { since: null, cursor: null }), ['unauthorized'], 'pull')
}

async function readsAll(bench: Bench): Promise<void> {
  const desk = bench.open({ deadlineMs: LONG_MS })
  const placed = await bench.rig.place(desk, MANY)
  const orders = await pullAll(bench, desk, null)
  assertUnique(
    orders.map(({ externalId }) => externalId),
    'orders',
  )
  const found = new Set(orders.map(({ externalId }) => externalId))
  assertEqual(
    placed.filter((id) => !found.has(id)),
    [],
    'missing orders',
  )
}

/**
 * Deletes an order of each page after it was read. Some pages also get a new order or a changed one, so that the total number stays the
 * same.
 */
async function hidesNoOther(bench: Bench): Promise<void> {
  const { rig } = bench
  const desk = bench.open({ deadlineMs: LONG_MS })
  const placed = await rig.place(desk, MANY)
  const orders = await pullAll(bench, desk, null, async ([first, second], page) => {
    if (first) await requireMember(rig.discard, 'discard')(desk, first.externalId)
    if (first && page % 3 === 1) await rig.place(desk, 1)
    if (second && page % 3 === 2) await rig.become(desk, second.externalId, 'cancelled')
  })
  const found = new Set(orders.map(({ externalId }) => externalId))
  assertEqual(
    placed.filter((id) => !found.has(id)),
    [],
    'missing orders',
  )
}

async function readsWhatIsLeft(bench: Bench): Promise<void> {
  const desk = bench.open()
  const [id = ''] = await bench.rig.place(desk, 1)
  await requireMember(bench.rig.reduce, 'reduce')(desk, id)
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
    check(expected, `order ${order.externalId} exists in the shop`)
    assertEqual(comparable(asSeen(order, expected)), comparable(expected), `order ${order.externalId}`)
    check(order.raw !== undefined, `order ${order.externalId} has its raw data beside it`)
  }
}

/** Converts an order to the form of the simulator's records. */
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

/** Normalizes amounts, phone numbers and times for a comparison. */
const comparable = ({ total, unitPrice, delivery, phone, createdAt, ...rest }: SeenOrder) => ({
  ...rest,
  amounts: [total, unitPrice, delivery].map(Number),
  phone: phone.replace(/\D/g, ''),
  ...(createdAt !== undefined && { madeAt: Math.floor(Date.parse(createdAt) / 1000) }),
})

async function leavesUnfinished(bench: Bench): Promise<void> {
  const desk = bench.open()
  const [placed = ''] = await bench.rig.place(desk, 1)
  await requireMember(bench.rig.unfinished, 'unfinished')(desk)
  const read = (await pullAll(bench, desk, null)).map(({ externalId }) => externalId)
  assertEqual(read, [placed], 'orders')
}

async function leavesOut(bench: Bench): Promise<void> {
  const desk = bench.open()
  const placed = await bench.rig.place(desk, 5)
  const newest = (await pullAll(bench, desk, null)).map(({ updatedAt }) => Date.parse(updatedAt)).reduce((a, b) => Math.max(a, b), 0)
  await bench.rig.become(desk, placed[0] ?? '', 'cancelled')
  const since = await pullAll(bench, desk, new Date(newest + 1000).toISOString())
  assertEqual(
    since.map(({ externalId }) => externalId),
    [placed[0]],
    'orders changed since then',
  )
}

async function readsCancelled(bench: Bench): Promise<void> {
  const desk = bench.open()
  const [id = ''] = await bench.rig.place(desk, 1)
  for (const status of ['fulfilled', 'cancelled'] as const) {
    await bench.rig.become(desk, id, status)
    assertEqual((await pullAll(bench, desk, null)).find(({ externalId }) => externalId === id)?.status, status, 'status')
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
    requireMember(rig.fail, 'fail')(fault)
    const error = await expectFailure(platform.pull(open().context, asked), reasons, fault)
    if (fault === 'rate_limited') check(error.upstream.retryAfterSeconds === 2, 'the time to wait is reported')
    rig.calm()
  }
}
