import { check, fits, needed, same } from '../../acceptance/checks.ts'
import type { Desk } from '../../acceptance/desk.ts'
import type { ConnectorAdapter } from '../kind.ts'
import { type ExternalOrder, ReadOrder, ShopNews, type UnreadableOrder } from '../model.ts'
import { type Bench, type Draft, pullAll, pullPages } from './bench.ts'
import type { OrderEdit, Rig } from './rig.ts'

/** What a shop may send that is no order, by the field in which it stands. */
const spoiled: readonly (readonly [what: string, field: keyof OrderEdit, value: unknown])[] = [
  ['a quantity of 1.5', 'quantity', 1.5],
  ['a quantity of 0', 'quantity', 0],
  ['a quantity below nothing', 'quantity', -1],
  ['a quantity that is missing', 'quantity', null],
  ['a quantity in words that say more than pieces', 'quantity', '2 douzaines'],
  ['two quantities in one', 'quantity', '2-3'],
  ['an empty product name', 'name', ''],
  ['a product name of null', 'name', null],
  ['a price below nothing', 'unitPrice', '-5'],
  ['a price in words', 'unitPrice', 'free'],
  ['no lines', 'lines', []],
  ['a line that holds nothing', 'lines', [null]],
  ['a total that is no amount', 'total', 'much'],
  ['a currency that is none', 'currency', 'dinars'],
]
const counts = [
  ['٢', 2],
  ['۳', 3],
  ['2 قطع', 2],
  ['2 pièces', 2],
  ['4.00', 4],
] as const
const NAME = 'سميرة بن علي'
/** A field, what is written there, and what is read of it. */
const fields: readonly (readonly [what: string, field: keyof OrderEdit, value: string, read: (order: ExternalOrder) => unknown])[] = [
  ['sku', 'sku', 'SKU-2026', ({ items }) => items[0]?.sku],
  ['product name', 'name', 'سلة كبيرة', ({ items }) => items[0]?.name],
  ['version', 'variant', 'Vert', ({ items }) => items[0]?.variant],
  ['currency', 'currency', 'EUR', ({ currency }) => currency],
  ['second phone number', 'phoneAlt', '0661222333', phonesOf],
  ['e-mail address', 'email', 'samira@example.dz', ({ customer }) => customer.email],
  ['note', 'note', 'Sonner deux fois', ({ note }) => note],
  ['name of the customer', 'customerName', NAME, ({ customer: { name } }) => [NAME].find((one) => name.includes(one)) ?? name],
]

/** How many numbers there are, and the one that was written. */
function phonesOf({ customer: { phone = '', phoneAlt = '' } }: ExternalOrder): string {
  const found = [phone, phoneAlt].map((one) => one.replace(/\D/g, '').slice(-9)).filter(Boolean)
  return `${found.length} ${found.find((one) => one === '661222333') ?? found.join(' ')}`
}

const without = (rig: Rig, field: keyof OrderEdit) => !rig.edits?.includes(field) && `the rig cannot write ${field} of an order`

/** Cases that change one field of an order in the shop's books and look at what is read, or that it waits. */
export const editCases = (platform: ConnectorAdapter, rig: Rig): Draft[] => [
  ...spoiled.flatMap(([what, field, value]) => [
    {
      name: `an order with ${what} waits with its reason when it is read, and hides no other`,
      unless: without(rig, field),
      run: (bench: Bench) => waits(bench, { [field]: value }),
    },
    {
      name: `an order with ${what} waits with its reason when it is told`,
      unless: without(rig, field) || (!platform.webhook && 'it calls nobody back') || (!rig.callback && 'the rig sends no callbacks'),
      run: (bench: Bench) => waitsTold(bench, { [field]: value }),
    },
  ]),
  ...counts.map(([written, pieces]) => ({
    name: `a quantity that is written ${written} is ${pieces}`,
    unless: without(rig, 'quantity'),
    run: (bench: Bench) => reads(bench, { quantity: written }, ({ items }) => items[0]?.quantity, pieces),
  })),
  {
    name: 'a price with more decimals than a currency has keeps what the whole line costs',
    unless: without(rig, 'quantity') || without(rig, 'unitPrice'),
    run: (bench) => reads(bench, { quantity: 3, unitPrice: 33.333333333333336 }, lineOf, 100),
  },
  ...fields.map(([what, field, value, read]) => ({
    name: `the ${what} is read as the shop has it`,
    unless: without(rig, field),
    run: (bench: Bench) => reads(bench, { [field]: value }, read, field === 'phoneAlt' ? `2 ${value.slice(-9)}` : value),
  })),
]

const lineOf = ({ items: [item] }: ExternalOrder) =>
  Math.round(Number(item?.lineTotal ?? Number(item?.unitPrice) * (item?.quantity ?? 0)) * 100) / 100

async function edited(bench: Bench, change: OrderEdit): Promise<{ desk: Desk; id: string; other: string }> {
  const desk = bench.open()
  const [id = '', other = ''] = await bench.rig.place(desk, 2)
  await needed(bench.rig.edit, 'edit')(desk, id, change)
  return { desk, id, other }
}

async function waits(bench: Bench, change: OrderEdit): Promise<void> {
  const { desk, id, other } = await edited(bench, change)
  const { orders, unreadable } = await pullPages(bench, desk, null)
  same(
    orders.map(({ externalId }) => externalId),
    [other],
    'orders that can be read',
  )
  saysWhy(unreadable, id)
}

async function waitsTold(bench: Bench, change: OrderEdit): Promise<void> {
  const desk = await hearing(bench)
  const [id = ''] = await bench.rig.place(desk, 1)
  await needed(bench.rig.edit, 'edit')(desk, id, change)
  const request = await needed(bench.rig.callback, 'callback')(desk, id)
  const told = (await bench.platform.webhook?.parse(request, desk.context)) ?? []
  const read: ShopNews[] = []
  for (const one of told) {
    fits(ShopNews, one, 'news')
    if (one.changed === undefined) read.push(one)
    else {
      const answer = await needed(bench.platform.readOrder, 'readOrder')(desk.context, { externalId: one.changed })
      fits(ReadOrder, answer, 'an order')
      if (answer) read.push(answer)
    }
  }
  same(
    read.map(({ order }) => order?.externalId ?? null),
    [null],
    'orders that can be read of what was told',
  )
  saysWhy(
    read.flatMap(({ unreadable }) => unreadable ?? []),
    id,
  )
}

/** A connection that has been asked to call back, where it can be. */
async function hearing({ platform, rig, open }: Bench): Promise<Desk> {
  const desk = open()
  const answer = await platform.subscribe?.(desk.context, { address: 'https://ours.example/v1/hook' })
  return open({ memory: desk.context.memory, credentials: { ...rig.credentials, ...answer?.credentials } })
}

function saysWhy(unreadable: readonly UnreadableOrder[], id: string): void {
  same(
    unreadable.map(({ externalId }) => externalId),
    [id],
    'orders that cannot be read',
  )
  const [{ reason = '', raw } = { raw: null }] = unreadable
  check(/^[A-Z].{8,}\.$/.test(reason), `the reason is a sentence: ${reason}`)
  check(typeof raw === 'object' && raw !== null && JSON.stringify(raw).length > 2, 'what the shop sent is beside it')
}

async function reads(bench: Bench, change: OrderEdit, read: (order: ExternalOrder) => unknown, expected: unknown): Promise<void> {
  const { desk, id } = await edited(bench, change)
  const found = (await pullAll(bench, desk, null)).find(({ externalId }) => externalId === id)
  check(found, 'the order is read')
  same(read(found), expected, 'what is read')
}
