import { findRoundTrips } from '../ceiling/count-statements.ts'
import { readCpu, startCpu } from '../ceiling/cpu.ts'
import { type BenchRequest, type Operation, operations } from '../ceiling/operations.ts'
import { CLIENTS, createLeastSchema, findPgbench, rateOfScript } from '../ceiling/pgbench.ts'
import { type Child, spawnChild } from '../child.ts'
import { compare, ROUNDS } from '../figures.ts'
import type { Load, Loaded } from '../load/generator.ts'
import { order, type Shop } from '../shop.ts'
import { perSecond, type Row } from '../table.ts'
import { connectionOf, type World } from '../world.ts'

interface Subscriber {
  readonly sql: World['sql']
  readonly shop: Pick<Shop, 'client' | 'key' | 'storeId'>
}

const WARM_UP_SECONDS = 1
const ORDERS = 100

/** The ten most used operations, each beside the least that it could cost: rate, ratio, CPU, statements and round trips. */
export async function mostUsed(world: World, seconds: number): Promise<Row[]> {
  const forget = await subscribeToOrders(world)
  const bare = spawnChild('ceiling/bare-route-program.ts')
  try {
    await createLeastSchema(world.sql)
    const orderIds = await placeOrders(world.shop)
    const rows: Row[] = []
    for (const operation of operations)
      rows.push(await measureOperation(world, bare, operation, operation.requests(world.shop, orderIds), seconds))
    if (findPgbench() === null) rows.push({ what: '', ours: 'pgbench is not installed; a loop over the driver stands in' })
    return rows
  } finally {
    await bare.stop()
    await forget()
  }
}

async function placeOrders({ client, key, storeId, products }: Shop): Promise<string[]> {
  const ids: string[] = []
  for (let at = 0; at < ORDERS; at += 1) ids.push((await client.ok('POST', '/v1/orders', key, order({ storeId, products }, 1))).id)
  return ids
}

async function measureOperation(
  world: World,
  bare: Child,
  { what, least, target }: Operation,
  requests: readonly BenchRequest[],
  seconds: number,
): Promise<Row> {
  const headers = { authorization: `Bearer ${world.shop.key}` }
  const rateOf = async (url: string, forSeconds: number) => {
    const load: Load = { url, headers, requests, connections: CLIENTS, seconds: forSeconds }
    return (await world.generator.ask<Loaded>(load)).perSecond
  }
  const ceiling = await openCeiling(world, bare, least, requests, rateOf)
  await rateOf(world.server.url, WARM_UP_SECONDS)
  const spent = { server: 0, database: 0, answers: 0 }
  const ours = async () => {
    const before = await startCpu(world)
    const rate = await rateOf(world.server.url, seconds / ROUNDS)
    const cpu = await readCpu(world, before)
    spent.server += cpu.server
    spent.database += cpu.database
    spent.answers += (rate * seconds) / ROUNDS
    return rate
  }
  const compared = await compare(ours, () => ceiling(seconds / ROUNDS))
  const trips = await findRoundTrips(world, requests)
  const ratio = compared.ours / compared.ceiling
  return {
    what,
    ours: perSecond(compared.ours),
    ceiling: perSecond(compared.ceiling),
    ratio,
    cost: `${each(spent.server, spent.answers)} + ${each(spent.database, spent.answers)} ms, ${trips.statements} in ${trips.roundTrips}`,
    ...(target !== undefined && { target: `≥ ${target * 100} %`, reached: ratio >= target }),
  }
}

const each = (ms: number, answers: number) => (ms / answers).toFixed(2)

/** Opens what an operation is compared with: a script, or a bare route that answers as many bytes. */
async function openCeiling(
  world: World,
  bare: Child,
  least: Operation['least'],
  [request]: readonly BenchRequest[],
  rateOf: (url: string, seconds: number) => Promise<number>,
): Promise<(seconds: number) => Promise<number>> {
  if (least !== 'bare route') {
    const connection = await connectionOf(world)
    return (seconds) => rateOfScript(connection, least, seconds)
  }
  const answer = await fetch(`${world.server.url}${request?.path}`, { headers: { authorization: `Bearer ${world.shop.key}` } })
  const bytes = (await answer.arrayBuffer()).byteLength
  const url = await bare.ask<string>({ bytes })
  return (seconds) => rateOf(url, seconds)
}

/**
 * Somebody must listen, or no event is recorded. Its pace is one a second, so that what is measured is the taking of orders, not
 * the telling. It is made a store's by hand, since events of orders are the store's.
 */
export async function subscribeToOrders({ shop, sql }: Subscriber) {
  const { id } = await shop.client.ok('POST', '/v1/webhook-endpoints', shop.key, {
    url: 'http://127.0.0.1:9/',
    events: ['parcel.deleted'],
    maxPerSecond: 1,
  })
  await sql`update webhook_endpoints set audience = 'store', event_names = ${['order.created', 'order.updated']} where id = ${id}`
  return async () => {
    await sql`delete from webhook_endpoints where id = ${id}`
    await sql`delete from webhook_deliveries where endpoint_id = ${id}`
  }
}
