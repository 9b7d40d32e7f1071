import { assertEqual, assertFits, check, expectFailure, requireMember } from '../../acceptance/checks.ts'
import type { Desk } from '../../acceptance/desk.ts'
import type { FailureReason } from '../../adapter.ts'
import type { ConnectorAdapter } from '../kind.ts'
import { ReadOrder } from '../model.ts'
import { PublicProducts } from '../products.model.ts'
import { assertSameOrder, type Bench, type Draft, hasCalls, pullAll } from './bench.ts'
import type { Fault, Rig } from './rig.ts'

const ADDRESS = 'https://ours.example/v1/hook'

interface Operation {
  readonly name: string
  readonly has: (platform: ConnectorAdapter) => unknown
  /** True if its result is checked, so that an answer without meaning is a fault. */
  readonly reads: boolean
  readonly run: (platform: ConnectorAdapter, desk: Desk, id: string) => unknown
}

const operations: readonly Operation[] = [
  { name: 'the connection test', has: () => true, reads: false, run: (it, { context }) => it.testConnection(context) },
  { name: 'reading the list', has: () => true, reads: true, run: (it, { context }) => it.pull(context, { since: null, cursor: null }) },
  {
    name: 'reading one order',
    has: ({ readOrder }) => readOrder,
    reads: true,
    run: (it, { context }, externalId) => it.readOrder?.(context, { externalId }),
  },
  {
    name: 'pushing a status',
    has: ({ pushStatus }) => pushStatus,
    reads: false,
    run: (it, { context }, externalId) =>
      it.pushStatus?.(context, { externalId, status: 'delivered', carrier: 'Atlas', trackingId: 'TRK-9' }),
  },
  {
    name: 'telling stock',
    has: ({ pushStock }) => pushStock,
    reads: true,
    run: (it, { context }) => it.pushStock?.(context, [{ sku: 'B', available: 3 }]),
  },
  {
    name: 'asking to callbacks',
    has: ({ subscribe }) => subscribe,
    reads: false,
    run: (it, { context }) => it.subscribe?.(context, { address: ADDRESS }),
  },
  {
    name: 'ending callbacks',
    has: ({ unsubscribe }) => unsubscribe,
    reads: false,
    run: (it, { context }) => it.unsubscribe?.(context, { address: ADDRESS }),
  },
  {
    name: 'reading the products of the shop',
    has: ({ ownProducts }) => ownProducts,
    reads: true,
    run: (it, { context }) => it.ownProducts?.(context, { page: 1 }),
  },
]

const faults: readonly (readonly [fault: Fault, reason: FailureReason, description: string, needsReading: boolean])[] = [
  ['error', 'unavailable', 'a server error', false],
  ['rate_limited', 'rate_limited', 'a rate limit', false],
  ['malformed', 'unavailable', 'half an answer', true],
  ['mumbled', 'unavailable', 'an answer without meaning', true],
]

/** Cases about failures of the platform. An unknown outcome is never reported as done, deleted or empty. */
export const failureCases = (platform: ConnectorAdapter, rig: Rig): Draft[] => {
  const noCalls = !hasCalls(platform, rig) && 'it makes no calls'
  const lacks = ({ has }: Operation) => !has(platform) && 'it has no such member'
  return [
    ...operations.flatMap((operation) => [
      ...faults.map(([fault, reason, description, needsReading]) => ({
        name: `${operation.name}: ${description} is reported as such`,
        unless: noCalls || lacks(operation) || (needsReading && !operation.reads && 'its answer needs no content'),
        run: (bench: Bench) => failsBy(bench, operation, fault, reason),
      })),
      {
        name: `${operation.name}: wrong credentials are reported as unauthorized`,
        unless: noCalls || lacks(operation) || (operation.name === 'ending callbacks' && 'it has nothing to end'),
        run: (bench: Bench) => failsUnauthorized(bench, operation),
      },
      {
        name: `${operation.name}: a rate-limited call is not repeated by the adapter`,
        unless: noCalls || lacks(operation),
        run: (bench: Bench) => asksOnce(bench, operation),
      },
      {
        name: `${operation.name}: works again after a failure`,
        unless: noCalls || lacks(operation),
        run: (bench: Bench) => worksAgain(bench, operation),
      },
    ]),
    {
      name: 'a single order equals that of the list',
      unless: !platform.readOrder && 'it has no readOrder',
      run: readsTheSame,
    },
    {
      name: 'a deleted order is null, and an existing one is not',
      unless:
        (!platform.readOrder && 'it has no readOrder') ||
        (!rig.discard && 'its orders cannot be deleted') ||
        (rig.hidesDiscarded && 'an order that is not found may only be old'),
      run: tellsGoneAlone,
    },
    {
      name: 'the account is that of the shop, at each call',
      unless: (!platform.account && 'a setting identifies the shop') || (rig.account === undefined && 'the rig has no account'),
      run: saysAccount,
    },
    {
      name: 'all products are read, page by page, with their prices and SKUs',
      unless: (!platform.ownProducts && 'it has no ownProducts') || (!rig.products && 'the rig has no products'),
      run: readsOwnGoods,
    },
  ]
}

async function prepared({ platform, rig, open }: Bench, { name }: Operation): Promise<{ desk: Desk; id: string }> {
  const desk = open()
  const [id = ''] = await rig.place(desk, 1)
  if (name === 'telling stock') await requireMember(rig.shelf, 'shelf').put(desk, [{ sku: 'B', stock: 7 }])
  if (name === 'ending callbacks') await platform.subscribe?.(desk.context, { address: ADDRESS })
  return { desk, id }
}

async function failsBy(bench: Bench, operation: Operation, fault: Fault, reason: FailureReason): Promise<void> {
  const { desk, id } = await prepared(bench, operation)
  requireMember(bench.rig.fail, 'fail')(fault)
  const error = await expectFailure(operation.run(bench.platform, desk, id), [reason], operation.name)
  if (fault === 'rate_limited') check(error.upstream.retryAfterSeconds === 2, 'the time to wait is reported')
}

async function failsUnauthorized(bench: Bench, operation: Operation): Promise<void> {
  const { id } = await prepared(bench, operation)
  const desk = bench.open({ credentials: { ...bench.rig.credentials, ...requireMember(bench.rig.badCredentials, 'badCredentials') } })
  await expectFailure(operation.run(bench.platform, desk, id), ['unauthorized'], operation.name)
}

async function asksOnce(bench: Bench, operation: Operation): Promise<void> {
  const { desk, id } = await prepared(bench, operation)
  const before = (await bench.rig.seen(desk)).calls.length
  requireMember(bench.rig.fail, 'fail')('rate_limited')
  await expectFailure(operation.run(bench.platform, desk, id), ['rate_limited'], operation.name)
  assertEqual((await bench.rig.seen(desk)).calls.length - before, 1, 'calls')
}

async function worksAgain(bench: Bench, operation: Operation): Promise<void> {
  const { desk, id } = await prepared(bench, operation)
  requireMember(bench.rig.fail, 'fail')('error')
  await expectFailure(operation.run(bench.platform, desk, id), ['unavailable'], operation.name)
  bench.rig.calm()
  await operation.run(bench.platform, desk, id)
}

async function readsTheSame(bench: Bench): Promise<void> {
  const desk = bench.open()
  const ids = await bench.rig.place(desk, 3)
  const listed = await pullAll(bench, desk, null)
  for (const externalId of ids) {
    const answer = await requireMember(bench.platform.readOrder, 'readOrder')(desk.context, { externalId })
    assertFits(ReadOrder, answer, 'an order')
    const found = listed.find((one) => one.externalId === externalId)
    assertSameOrder(
      answer?.order,
      found && bench.rig.saysNoChanges ? { ...found, updatedAt: answer?.order?.updatedAt ?? '' } : found,
      'one order',
    )
  }
}

async function tellsGoneAlone(bench: Bench): Promise<void> {
  const desk = bench.open()
  const [gone = '', there = ''] = await bench.rig.place(desk, 2)
  await requireMember(bench.rig.discard, 'discard')(desk, gone)
  const read = (externalId: string) => requireMember(bench.platform.readOrder, 'readOrder')(desk.context, { externalId })
  assertEqual(await read(gone), null, 'a deleted order')
  assertEqual((await read(there))?.order?.externalId, there, 'an existing order')
}

async function saysAccount(bench: Bench): Promise<void> {
  const desk = bench.open()
  await bench.rig.place(desk, 1)
  await pullAll(bench, desk, null)
  for (let count = 0; count < 2; count += 1) assertEqual(await bench.platform.account?.(desk.context), bench.rig.account, 'account')
}

async function readsOwnGoods(bench: Bench): Promise<void> {
  const { context } = bench.open()
  const found: { name: string; price: string | null; sku: string | undefined }[] = []
  for (let page: number | null = 1; page !== null; ) {
    const answer: PublicProducts = await requireMember(bench.platform.ownProducts, 'ownProducts')(context, { page })
    assertFits(PublicProducts, answer, 'products')
    found.push(...answer.products.map(({ name, price, sku }) => ({ name, price, sku })))
    check(found.length <= 10_000 && (answer.nextPage === null || answer.nextPage > page), 'the pages end')
    page = answer.nextPage
  }
  const comparable = (goods: readonly { name: string; price: string | null; sku?: string | undefined }[]) =>
    goods.map(({ name, price, sku }) => [name, Number(price), sku ?? null]).sort()
  assertEqual(comparable(found), comparable(requireMember(bench.rig.products, 'products')), 'products')
}
