import { rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { connectPool, type Sql } from '../../../core/data/sql.ts'
import { storefront } from '../../support/storefront.ts'
import { type Child, spawnChild } from '../child.ts'
import { compare, median, quantile } from '../figures.ts'
import type { Load, Loaded } from '../load/generator.ts'
import { productId } from '../measures/products.ts'
import { subscribeToOrders } from '../measures/rates.ts'
import { DIFFERENT, order } from '../shop.ts'
import { milliseconds, perSecond, type Row } from '../table.ts'
import { type Closers, connectionOf, startSubject } from '../world.ts'
import { fillStore } from './fill.ts'
import { races } from './races.ts'

/** With `--full`. */
const FULL = { products: 50_000, orders: 1_000_000 }
const SMALL = { products: 5_000, orders: 100_000 }
/** What it is compared with. */
const EMPTY = { products: 300, orders: 0 }
/** A reading is asked of both in turns, so many at a time, so often. */
const TURNS = 40
const AT_A_TIME = 5
const CONNECTIONS = 32
/** Lines of an order. */
const LINES = 3
const WARM_UP_SECONDS = 1
/** As one types. */
const SEARCHES = {
  'searched in French': ['ch', 'chaussure', 'écharpe ete', 'montre sport'],
  'searched in Arabic': ['حذ', 'احذيه', 'سـاعه', 'ساعة أسود'],
}

/** A store in a server of its own. */
export interface Side {
  readonly url: string
  readonly sql: Sql
  readonly client: ReturnType<typeof storefront>
  /** The owner's session. */
  readonly as: string
  readonly key: string
  readonly storeId: string
  readonly projectId: string
  /** Those that are ordered: as many in each, since orders of the same product wait for one another. */
  readonly products: readonly { readonly id: string }[]
  readonly filledMs: number
}

/** What buyers and the store's people do in a store with many products and orders, beside one without orders; then what many want at once. */
export async function store({ full, seconds, outer }: { full: boolean; seconds: number; outer: Closers }): Promise<Row[]> {
  const closers: Closers = []
  const closeAll = async () => {
    for (const close of closers.splice(0).toReversed()) await close().catch((error) => console.error(error))
  }
  // Where all is interrupted.
  outer.push(closeAll)
  const size = full ? FULL : SMALL
  try {
    const empty = await open(closers, EMPTY)
    const large = await open(closers, size)
    const generator = spawnChild('load/generator.ts')
    closers.push(() => generator.stop())
    const [products, orders] = [size.products.toLocaleString('en'), size.orders.toLocaleString('en')]
    return [
      {
        what: `a store with ${products} products and ${orders} orders ("ceiling": 300 and none)`,
        ours: `made in ${milliseconds(large.filledMs)}`,
      },
      ...(await readings(large, empty)),
      await orderRate({ large, empty, generator, seconds }),
      ...(await races(large, closers)),
    ]
  } finally {
    await closeAll()
  }
}

async function open(closers: Closers, size: typeof EMPTY): Promise<Side> {
  const subject = await startSubject(closers, { TRUSTED_PROXIES: '1', TENANT_MAX_KEYS: '1000' })
  const { url, dataDir } = subject.server
  const sql = connectPool(await connectionOf(subject), 6)
  closers.push(
    () => rm(dirname(dataDir), { recursive: true, force: true }),
    () => sql.end(),
  )
  await sql.unsafe("alter system set max_wal_size = '8GB'").catch(() => {})
  await sql.unsafe('select pg_reload_conf()').catch(() => {})
  const client = storefront(url)
  const opened = await client.open()
  const began = performance.now()
  await fillStore(sql, { ...opened, ...size })
  const filledMs = performance.now() - began
  return { ...opened, url, sql, client, filledMs, products: Array.from({ length: EMPTY.products }, (_, at) => ({ id: productId(at) })) }
}

async function readings(large: Side, empty: Side): Promise<Row[]> {
  const asked: Record<string, readonly string[]> = {
    'first page': [''],
    ...Object.fromEntries(Object.entries(SEARCHES).map(([name, words]) => [name, words.map((q) => `&${new URLSearchParams({ q })}`)])),
  }
  const rows: Row[] = []
  for (const [name, queries] of Object.entries(asked))
    rows.push(
      await reading(
        `GET /v1/products, 20, ${name}`,
        large,
        empty,
        queries.map((query) => ['/v1/products', query] as const),
      ),
    )
  rows.push(await reading('GET /v1/products/random, 20', large, empty, [['/v1/products/random', '']]))
  return rows
}

type Query = readonly [path: string, query: string]

/** As a storefront asks, without a credential, one request after the other. */
async function reading(what: string, large: Side, empty: Side, queries: readonly Query[]): Promise<Row> {
  const timed = async ({ url, storeId }: Side, [path, query]: Query) => {
    const began = performance.now()
    const answer = await fetch(`${url}${path}?storeId=${storeId}&limit=20${query}`)
    await answer.arrayBuffer()
    if (!answer.ok) throw new Error(`${what} was answered ${answer.status}`)
    return performance.now() - began
  }
  for (const query of queries) for (const side of [large, empty]) for (let n = 0; n < AT_A_TIME; n += 1) await timed(side, query)
  const times = new Map<Side, number[]>([large, empty].map((side) => [side, []]))
  for (let turn = 0; turn < TURNS; turn += 1)
    for (const [side, took] of times) for (let n = 0; n < AT_A_TIME; n += 1) took.push(await timed(side, queries[turn % queries.length]!))
  const [ours, beside] = [times.get(large)!, times.get(empty)!]
  return {
    what,
    ours: `${milliseconds(median(ours))}, p95 ${milliseconds(quantile(ours, 0.95))}`,
    ceiling: `${milliseconds(median(beside))}, p95 ${milliseconds(quantile(beside, 0.95))}`,
  }
}

interface Rated {
  readonly large: Side
  readonly empty: Side
  readonly generator: Child
  readonly seconds: number
}

/** The same orders as are measured in a server without any. */
async function orderRate({ large, empty, generator, seconds }: Rated): Promise<Row> {
  const loads = new Map<Side, Omit<Load, 'seconds'>>()
  const forget: (() => Promise<void>)[] = []
  for (const side of [large, empty]) {
    forget.push(await subscribeToOrders({ sql: side.sql, shop: side }))
    const requests = Array.from({ length: DIFFERENT }, () => ({
      method: 'POST',
      path: '/v1/orders',
      body: JSON.stringify(order(side, LINES)),
    }))
    loads.set(side, { url: side.url, headers: { authorization: `Bearer ${side.key}` }, requests, connections: CONNECTIONS })
  }
  const longest: number[] = []
  const rate = async (side: Side, forSeconds: number) => {
    const loaded = await generator.ask<Loaded>({ ...loads.get(side)!, seconds: forSeconds })
    if (side === large) longest.push(loaded.p99)
    return loaded.perSecond
  }
  for (const side of [large, empty]) await rate(side, WARM_UP_SECONDS)
  const { ours, ceiling } = await compare(
    () => rate(large, seconds / 4),
    () => rate(empty, seconds / 4),
  )
  for (const each of forget) await each()
  return {
    what: `POST /v1/orders, 3 lines, ${CONNECTIONS} at once`,
    ours: `${perSecond(ours)}, p99 ${milliseconds(median(longest.slice(1)))}`,
    ceiling: perSecond(ceiling),
    ratio: ours / ceiling,
  }
}
