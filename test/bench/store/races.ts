import { projectIdOf } from '../../../core/data/project-ids.ts'
import { withoutStatementTimeout } from '../../../core/data/sql.ts'
import { findDifferences, findDrift } from '../../support/checks.ts'
import { inParallel } from '../../support/storefront.ts'
import { type Child, spawnChild } from '../child.ts'
import type { Answered, Burst } from '../load/burst.ts'
import { milliseconds, type Row } from '../table.ts'
import type { Closers } from '../world.ts'
import type { Side } from './main.ts'

const PIECES = 20
const BUYERS = 60
const SAME = 4
const TIMES = 10
const AGENTS = 200
const CALLS_EACH = 5
const USES = 100
const HOPEFUL = 500

/** As many as there are requests: more than a process opens by itself. */
const MANY_CONNECTIONS = { BUN_CONFIG_MAX_HTTP_REQUESTS: '4096' }

interface Race extends Side {
  readonly crowd: Child
}

/** What many want at once, in a store that has much already; each is counted, and the nightly checks look at all of it after. */
export async function races(side: Side, closers: Closers): Promise<Row[]> {
  const crowd = spawnChild('load/burst.ts', MANY_CONNECTIONS)
  closers.push(() => crowd.stop())
  const race = { ...side, crowd }
  return [
    await lastPieces(race),
    await sameOrder(race),
    await sameRequest(race),
    ...(await agents(race)),
    await promotion(race),
    await agreement(side),
  ]
}

const atOnce = ({ crowd, url }: Race, asks: Burst['asks']) => crowd.ask<Answered[]>({ url, asks } satisfies Burst)

let strangers = 0
interface Buyer {
  readonly headers: Readonly<Record<string, string>>
  readonly phone: string
}

/** Builds a buyer with an address and a phone number of their own. */
function stranger(): Buyer {
  strangers += 1
  return {
    headers: { 'x-forwarded-for': `10.${strangers >> 16}.${(strangers >> 8) & 255}.${strangers & 255}` },
    phone: `0661${String(strangers).padStart(6, '0')}`,
  }
}

function purchase({ storeId }: Side, productId: string, { headers, phone } = stranger(), more: object = {}): Burst['asks'][number] {
  const destination = { country: 'DZ', stateCode: '16', cityName: 'Bab Ezzouar', address: '', deliveryType: 'home' }
  const customer = { name: 'Lina', phone }
  const body = { storeId, customer, destination, items: [{ productId, quantity: 1 }], ...more }
  return { method: 'POST', path: '/v1/orders', headers, body }
}

const newProduct = async ({ client, key, storeId }: Side, name: string, initialStock: number): Promise<string> =>
  (await client.ok('POST', '/v1/products', key, { storeId, name, price: 1500, initialStock })).id

/** How many were answered so, the most first. */
function told(answers: readonly Answered[]): string {
  const counted = Map.groupBy(answers, ({ status, body }) => (status < 300 ? String(status) : `${status} ${body?.error?.code}`))
  return [...counted]
    .toSorted(([, one], [, other]) => other.length - one.length)
    .map(([what, of]) => `${of.length} × ${what}`)
    .join(', ')
}
const isAll = (answers: readonly Answered[], expected: Record<string, number>) => {
  const left = new Map(Object.entries(expected))
  for (const { status, body } of answers) {
    const what = status < 300 ? 'taken' : String(body?.error?.code)
    left.set(what, (left.get(what) ?? 0) - 1)
  }
  return [...left.values()].every((count) => count === 0)
}

async function lastPieces(race: Race): Promise<Row> {
  const id = await newProduct(race, 'The last pieces', PIECES)
  const answers = await atOnce(
    race,
    Array.from({ length: BUYERS }, () => purchase(race, id)),
  )
  const [stock] = await race.sql<{ onHand: number; reserved: number }[]>`select b.on_hand::float8 as on_hand, b.reserved::float8 as reserved
    from products p join inventory_balances b on b.project_id = ${race.projectId} and b.key = p.inventory_key where p.id = ${id}`
  return {
    what: `${BUYERS} buyers at once, ${PIECES} pieces`,
    ours: `${told(answers)}; ${stock?.reserved} of ${stock?.onHand} reserved`,
    target: `exactly ${PIECES}`,
    reached: isAll(answers, { taken: PIECES, reserved_stock_conflict: BUYERS - PIECES }) && stock?.reserved === PIECES,
  }
}

/** A button that was pressed four times. */
async function sameOrder(race: Race): Promise<Row> {
  const id = await newProduct(race, 'Pressed four times', 1_000)
  const answers: Answered[] = []
  for (let time = 0; time < TIMES; time += 1) {
    const who = stranger()
    answers.push(
      ...(await atOnce(
        race,
        Array.from({ length: SAME }, () => purchase(race, id, who)),
      )),
    )
  }
  const made = await ordersOf(race, id)
  return {
    what: `the same order ${SAME} times at once by one phone, ${TIMES} times: orders`,
    ours: `${made}; ${told(answers)}`,
    target: `exactly ${TIMES}`,
    reached: made === TIMES && isAll(answers, { taken: TIMES, duplicate_order: TIMES * (SAME - 1) }),
  }
}

/** A request that a program repeats under its key until it is answered. */
async function sameRequest(race: Race): Promise<Row> {
  const id = await newProduct(race, 'Repeated', 1_000)
  const ids = new Set<string>()
  for (let time = 0; time < TIMES; time += 1) {
    const headers = { authorization: `Bearer ${race.key}`, 'idempotency-key': `same-${time}` }
    const ask = purchase(race, id, { ...stranger(), headers })
    for (let left = SAME; left > 0; ) {
      const answers = await atOnce(
        race,
        Array.from({ length: left }, () => ask),
      )
      for (const { status, body } of answers) if (status < 300) ids.add(body.data.id)
      left = answers.filter(({ status }) => status === 409).length
    }
  }
  const made = await ordersOf(race, id)
  return {
    what: `the same ${SAME} times at once under one Idempotency-Key, ${TIMES} times: orders`,
    ours: `${made}, answered with ${ids.size} ids`,
    target: `exactly ${TIMES}`,
    reached: made === TIMES && ids.size === TIMES,
  }
}

async function ordersOf({ sql, storeId }: Side, productId: string): Promise<number> {
  const [row] = await sql<
    { count: number }[]
  >`select count(*)::int as count from order_items where project_id = ${projectIdOf(storeId)} and product_id = ${productId}`
  return row!.count
}

/** Agents pull orders and confirm them until each has had their share. The order that waits longest is called first. */
async function agents(race: Race): Promise<Row[]> {
  const { client, as, projectId, sql, storeId } = race
  const keys = await inParallel(Array.from({ length: AGENTS }), 8, async (_, at) => {
    const body = { name: `agent ${at}`, scopes: ['orders:write', 'orders:read'] }
    return (await client.ok('POST', `/v1/projects/${projectId}/api-keys`, as, body)).key as string
  })
  const pulls = AGENTS * CALLS_EACH
  const waiting = await sql<{ orderId: string }[]>`select order_id from confirmation_queue
    where project_id = ${projectIdOf(storeId)} and due_at <= now() and leased_until is null order by due_at, order_id`
  const ask = (path: string, key: string, body: object) => ({
    method: 'POST',
    path: `/v1/orders/confirmation/${path}`,
    headers: { authorization: `Bearer ${key}` },
    body,
  })
  const got: string[] = []
  const waits: number[] = []
  let [empty, refused] = [0, 0]
  for (let call = 0; call < CALLS_EACH; call += 1) {
    const answers = await atOnce(
      race,
      keys.map((key) => ask('next', key, { storeId })),
    )
    const ids = answers.map(({ body }) => body?.data?.order.id as string | undefined)
    empty += ids.filter((id) => id === undefined).length
    got.push(...ids.filter((id) => id !== undefined))
    waits.push(...answers.map(({ ms }) => ms))
    const releases = keys.flatMap((key, at) =>
      ids[at] === undefined ? [] : [ask('release', key, { storeId, orderId: ids[at], outcome: 'confirmed' })],
    )
    refused += (await atOnce(race, releases)).filter(({ status }) => status >= 300).length
  }
  const taken = new Set(got)
  const passedOver = waiting.slice(0, pulls - AGENTS).filter(({ orderId }) => !taken.has(orderId)).length
  return [
    {
      what: `${AGENTS} agents pull at once ${CALLS_EACH} times, ${waiting.length.toLocaleString('en')} orders wait: orders had twice`,
      ours: `${got.length - taken.size} of ${got.length}`,
      target: '0',
      reached: got.length === taken.size && refused === 0,
    },
    {
      what: '  agents who got none, orders that waited longest and were passed over',
      ours: `${empty}, ${passedOver}; the last of ${AGENTS} had an order after ${milliseconds(Math.max(...waits))}`,
      target: '0, 0',
      reached: empty === 0 && passedOver === 0,
    },
  ]
}

async function promotion(race: Race): Promise<Row> {
  const { client, key, storeId } = race
  const id = await newProduct(race, 'Reduced', 10_000)
  const promo = await client.ok('POST', '/v1/promos', key, { storeId, code: 'HUNDRED', kind: 'percent', value: 10, usageLimit: USES })
  const answers = await atOnce(
    race,
    Array.from({ length: HOPEFUL }, () => purchase(race, id, stranger(), { promoCode: 'HUNDRED' })),
  )
  const { uses } = await client.ok('GET', `/v1/promos/${promo.id}`, key)
  return {
    what: `a promotion of ${USES} uses, ${HOPEFUL} buyers at once`,
    ours: `${told(answers)}; ${uses} uses`,
    target: `exactly ${USES}`,
    reached: isAll(answers, { taken: USES, invalid_promo: HOPEFUL - USES }) && uses === USES,
  }
}

/** The nightly checks, of all that there is. */
async function agreement({ sql }: Side): Promise<Row> {
  const began = performance.now()
  const found = await withoutStatementTimeout(sql, async (tx) => [...(await findDifferences(tx)), ...(await findDrift(tx))])
  for (const difference of found.slice(0, 5)) console.error(difference)
  return {
    what: 'orders and stock that do not agree after all of it',
    ours: `${found.length}, looked through in ${milliseconds(performance.now() - began)}`,
    target: '0',
    reached: found.length === 0,
  }
}
