import { assertEqual, check, expectFailure, requireMember } from '../../acceptance/checks.ts'
import type { Desk } from '../../acceptance/desk.ts'
import type { ConnectorAdapter } from '../kind.ts'
import type { StockLevel } from '../model.ts'
import type { Bench, Draft } from './bench.ts'
import type { Shelf, ShelfGoods } from './rig.ts'

/** Most that one call tells. */
const AT_ONCE = 100

const goods: readonly ShelfGoods[] = [
  { sku: 'B', stock: 7 },
  { sku: 'B-2', stock: 8 },
  { sku: 'R-L', stock: 9, isVersion: true },
  { sku: 'R-M', stock: 10, isVersion: true },
  { sku: 'OTHER', stock: 5 },
]
const before = Object.fromEntries(goods.map(({ sku, stock }) => [sku, stock]))

interface Telling {
  readonly name: string
  readonly told: StockLevel[]
}

/** Stock as it is told, and nothing else becomes of the shop's goods. */
const tellings: readonly Telling[] = [
  { name: 'the stock of a product stands in the shop as it is told, and no other is touched', told: [{ sku: 'B', available: 3 }] },
  { name: 'the stock of a version stands in the shop as it is told, and no other is touched', told: [{ sku: 'R-L', available: 4 }] },
  {
    name: 'the stock of several is each its own',
    told: [
      { sku: 'R-M', available: 1 },
      { sku: 'B-2', available: 22 },
      { sku: 'B', available: 333 },
      { sku: 'R-L', available: 44 },
    ],
  },
  {
    name: 'goods that are sold out have a stock of nothing',
    told: [
      { sku: 'B', available: 0 },
      { sku: 'R-L', available: 0 },
    ],
  },
  {
    name: 'what the shop does not know is left alone, and hides nothing that it knows',
    told: [
      { sku: 'NOT-THERE', available: 3 },
      { sku: 'A, B & C/1', available: 6 },
      { sku: 'B', available: 2 },
    ],
  },
]

/** Cases of what an adapter tells the shop of stock, judged by the shop's own count. */
export const stockCases = (platform: ConnectorAdapter): Draft[] => {
  const unless = !platform.pushStock && 'it is told no stock'
  return [
    ...tellings.map(({ name, told }) => ({ name, unless, run: (bench: Bench) => standsAsTold(bench, told) })),
    { name: 'stock is told as it is, and never added to what stands there', unless, run: isAbsolute },
    { name: 'goods that the shop did not count are counted', unless, run: beginsToCount },
    { name: `the stock of ${AT_ONCE} goods is told at once`, unless, run: tellsMost },
    { name: 'stock that the shop refuses is told as refused, and all other stands', unless, run: tellsRefusal },
    { name: 'stock that did not arrive is told again, and stands', unless, run: standsAfterFailure },
  ]
}

async function stocked({ rig, open }: Bench, put = goods): Promise<{ desk: Desk; shelf: Shelf }> {
  const desk = open()
  const shelf = requireMember(rig.shelf, 'shelf')
  await shelf.put(desk, put)
  return { desk, shelf }
}

const levelsOf = (told: StockLevel[]) =>
  Object.fromEntries(told.flatMap(({ sku, available }) => (Object.hasOwn(before, sku) ? [[sku, available]] : [])))

const sorted = (levels: Readonly<Record<string, number | null>>) => Object.entries(levels).sort()

async function standsAsTold(bench: Bench, told: StockLevel[]): Promise<void> {
  const { desk, shelf } = await stocked(bench)
  await bench.platform.pushStock?.(desk.context, told)
  assertEqual(sorted(await shelf.levels(desk)), sorted({ ...before, ...levelsOf(told) }), 'stock in the shop')
}

async function isAbsolute(bench: Bench): Promise<void> {
  const { desk, shelf } = await stocked(bench)
  const tell = (available: number) => bench.platform.pushStock?.(desk.context, [{ sku: 'B', available }])
  for (const available of [12, 12, 15, 4]) {
    await tell(available)
    assertEqual((await shelf.levels(desk)).B, available, 'stock in the shop')
  }
  const count = (await bench.rig.seen(desk)).calls.length
  await tell(4)
  const written = (await bench.rig.seen(desk)).calls.slice(count).filter(({ method, body }) => method !== 'GET' && /\D4\D/.test(body))
  assertEqual(
    bench.rig.replaces ? [] : written.map(({ method, path }) => `${method} ${path}`),
    [],
    'calls that write what stands there already',
  )
}

async function beginsToCount(bench: Bench): Promise<void> {
  const { desk, shelf } = await stocked(bench, [{ sku: 'B', stock: null }])
  await bench.platform.pushStock?.(desk.context, [{ sku: 'B', available: 0 }])
  assertEqual((await shelf.levels(desk)).B, 0, 'stock in the shop')
}

async function tellsMost(bench: Bench): Promise<void> {
  const many = Array.from({ length: AT_ONCE }, (_, at) => ({ sku: `SKU-${at}`, stock: 1 }))
  const { desk, shelf } = await stocked(bench, many)
  const told = many.map(({ sku }, at) => ({ sku, available: at + 2 }))
  await bench.platform.pushStock?.(desk.context, told)
  const levels = await shelf.levels(desk)
  assertEqual(
    told.filter(({ sku, available }) => levels[sku] !== available),
    [],
    'stock that does not stand in the shop',
  )
}

/** One that is refused stays as it was; those beside it do not suffer for it. */
async function tellsRefusal(bench: Bench): Promise<void> {
  for (const refused of ['B', 'R-L']) {
    const { desk, shelf } = await stocked(bench)
    await shelf.refuse(desk, refused)
    const told = ['B', 'R-L', 'B-2', 'R-M'].map((sku, at) => ({ sku, available: 50 + at }))
    await expectFailure(bench.platform.pushStock?.(desk.context, told), ['refused', 'unavailable'], `stock of ${refused}`)
    const levels = await shelf.levels(desk)
    assertEqual(sorted(levels), sorted({ ...before, ...levelsOf(told), [refused]: before[refused] ?? null }), 'stock in the shop')
  }
}

async function standsAfterFailure(bench: Bench): Promise<void> {
  const { desk, shelf } = await stocked(bench)
  const told = [{ sku: 'B', available: 3 }]
  for (const fault of ['rate_limited', 'error'] as const) {
    requireMember(bench.rig.fail, 'fail')(fault)
    await expectFailure(bench.platform.pushStock?.(desk.context, told), ['rate_limited', 'unavailable'], 'stock')
    bench.rig.calm()
    check((await shelf.levels(desk)).B === before.B, 'nothing stands there yet')
  }
  await bench.platform.pushStock?.(desk.context, told)
  assertEqual((await shelf.levels(desk)).B, 3, 'stock in the shop')
}
