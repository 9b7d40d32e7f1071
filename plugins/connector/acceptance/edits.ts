import { assertEqual, assertFits, check, requireMember } from '../../acceptance/checks.ts'
import type { Desk } from '../../acceptance/desk.ts'
import { eventsIn } from '../../acceptance/webhooks.ts'
import type { ConnectorAdapter } from '../kind.ts'
import { type ExternalOrder, ReadOrder, ShopEvent, type UnreadableOrder } from '../model.ts'
import { type Bench, type Draft, pullAll, pullPages } from './bench.ts'
import type { OrderEdit, Rig } from './rig.ts'

/** Invalid values that a shop may send, by the field of the order. */
const spoiled: readonly (readonly [what: string, field: keyof OrderEdit, value: unknown])[] = [
  ['a quantity of 1.5', 'quantity', 1.5],
  ['a quantity of 0', 'quantity', 0],
  ['a negative quantity', 'quantity', -1],
  ['a quantity that is missing', 'quantity', null],
  ['a quantity with another unit', 'quantity', '2 douzaines'],
  ['two quantities in one', 'quantity', '2-3'],
  ['an empty product name', 'name', ''],
  ['a product name of null', 'name', null],
  ['a negative price', 'unitPrice', '-5'],
  ['a price in words', 'unitPrice', 'free'],
  ['no lines', 'lines', []],
  ['an empty line', 'lines', [null]],
  ['an invalid total', 'total', 'much'],
  ['an invalid currency', 'currency', 'dinars'],
]
const counts = [
  ['٢', 2],
  ['۳', 3],
  ['2 قطع', 2],
  ['2 pièces', 2],
  ['4.00', 4],
] as const
const NAME = 'سميرة بن علي'
/** Fields with the value that is written, and how it is read. */
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

/** Returns the number of phone numbers, and the one that was written. */
function phonesOf({ customer: { phone = '', phoneAlt = '' } }: ExternalOrder): string {
  const found = [phone, phoneAlt].map((one) => one.replace(/\D/g, '').slice(-9)).filter(Boolean)
  return `${found.length} ${found.find((one) => one === '661222333') ?? found.join(' ')}`
}

const without = (rig: Rig, field: keyof OrderEdit) => !rig.edits?.includes(field) && `the rig cannot write ${field} of an order`

/** Cases that change one field of an order in the shop's records, and check the order that is read or why it waits. */
export const editCases = (platform: ConnectorAdapter, rig: Rig): Draft[] => [
  ...spoiled.flatMap(([what, field, value]) => [
    {
      name: `an order with ${what} waits with its reason when it is pulled, and does not hide others`,
      unless: without(rig, field),
      run: (bench: Bench) => waits(bench, { [field]: value }),
    },
    {
      name: `an order with ${what} waits with its reason when a callback reports it`,
      unless: without(rig, field) || (!platform.webhook && 'it has no callbacks') || (!rig.callback && 'the rig has no callback'),
      run: (bench: Bench) => waitsTold(bench, { [field]: value }),
    },
  ]),
  ...counts.map(([written, pieces]) => ({
    name: `the quantity ${written} is read as ${pieces}`,
    unless: without(rig, 'quantity'),
    run: (bench: Bench) => reads(bench, { quantity: written }, ({ items }) => items[0]?.quantity, pieces),
  })),
  {
    name: 'a price with more decimals than its currency keeps the total of the line',
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
  await requireMember(bench.rig.edit, 'edit')(desk, id, change)
  return { desk, id, other }
}

async function waits(bench: Bench, change: OrderEdit): Promise<void> {
  const { desk, id, other } = await edited(bench, change)
  const { orders, unreadable } = await pullPages(bench, desk, null)
  assertEqual(
    orders.map(({ externalId }) => externalId),
    [other],
    'readable orders',
  )
  saysWhy(unreadable, id)
}

async function waitsTold(bench: Bench, change: OrderEdit): Promise<void> {
  const desk = await openSubscribed(bench)
  const [id = ''] = await bench.rig.place(desk, 1)
  await requireMember(bench.rig.edit, 'edit')(desk, id, change)
  const request = await requireMember(bench.rig.callback, 'callback')(desk, id)
  const parsed = await eventsIn<ShopEvent>(bench.platform, request, desk.context)
  const read: ShopEvent[] = []
  for (const one of parsed) {
    assertFits(ShopEvent, one, 'event')
    if (one.changed === undefined) read.push(one)
    else {
      const answer = await requireMember(bench.platform.readOrder, 'readOrder')(desk.context, { externalId: one.changed })
      assertFits(ReadOrder, answer, 'an order')
      if (answer) read.push(answer)
    }
  }
  assertEqual(
    read.map(({ order }) => order?.externalId ?? null),
    [null],
    'readable orders in the callback',
  )
  saysWhy(
    read.flatMap(({ unreadable }) => unreadable ?? []),
    id,
  )
}

/** Opens a connection, subscribed if the platform has subscriptions. */
async function openSubscribed({ platform, rig, open }: Bench): Promise<Desk> {
  const desk = open()
  const answer = await platform.subscribe?.(desk.context, { address: 'https://ours.example/v1/hook' })
  return open({ storage: desk.context.storage, credentials: { ...rig.credentials, ...answer?.credentials } })
}

function saysWhy(unreadable: readonly UnreadableOrder[], id: string): void {
  assertEqual(
    unreadable.map(({ externalId }) => externalId),
    [id],
    'unreadable orders',
  )
  const [{ reason = '', raw } = { raw: null }] = unreadable
  check(/^[A-Z].{8,}\.$/.test(reason), `the reason is a sentence: ${reason}`)
  check(typeof raw === 'object' && raw !== null && JSON.stringify(raw).length > 2, 'the raw data are included')
}

async function reads(bench: Bench, change: OrderEdit, read: (order: ExternalOrder) => unknown, expected: unknown): Promise<void> {
  const { desk, id } = await edited(bench, change)
  const found = (await pullAll(bench, desk, null)).find(({ externalId }) => externalId === id)
  check(found, 'the order was pulled')
  assertEqual(read(found), expected, 'value of the field')
}
