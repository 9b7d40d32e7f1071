import { rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { connectPool, type Sql, withoutStatementTimeout } from '../../../core/data/sql.ts'
import { storefront } from '../../support/storefront.ts'
import { median } from '../figures.ts'
import { dropIndexes, fillStore } from '../store/fill.ts'
import { milliseconds, type Row } from '../table.ts'
import { connectionOf, startSubject } from '../world.ts'

const ORDERS = 1_000_000
const PRODUCTS = 300
/** Budgets in milliseconds. */
const BUDGETS = { list: 150, nextOrder: 300 } as const
const TIMES = 5
const CALLS = 20

/** Filters of the list: common values, rare ones, and those that only old or only new orders have. */
const FILTERS = [
  ...['', 'status=pending', 'status=delivered,returned', 'q=saadi', 'q=4330'],
  ...[
    'carrier=yalidine',
    'carrier=old-carrier',
    'carrier=yalidine,noest',
    'parcelStatus=in_transit',
    'parcelStatus=delivered',
    'parcelStatus=none',
  ],
  ...['parcelStatus=returned,lost', 'printed=yes', 'printed=no', 'deliveryType=home', 'deliveryType=pickup', 'deliveryType=return_point'],
  ...['cityCode=1601', 'cityCode=2044', 'cityCode=2044,2045,2046', 'tag=vip', 'tag=old', 'tag=rare', 'tag=vip,rare', 'tag=none'],
  ...['minTotal=20000', 'maxTotal=3000', 'minTotal=9000&maxTotal=9100', 'waitingSince=2030-01-01T00:00:00.000Z'],
  ...['carrier=yalidine&parcelStatus=delivered&cityCode=2044', 'carrier=yalidine&deliveryType=pickup&printed=yes&minTotal=5000'],
]
const SORTS = ['-createdAt', 'createdAt', '-updatedAt', 'updatedAt', '-total', 'total']

/** Times of the list of a million orders of one store, for every filter with every sort, and of the next order at the desk. */
export async function orderLists(): Promise<Row[]> {
  const closers: (() => Promise<unknown>)[] = []
  try {
    const subject = await startSubject(closers, { TENANT_MAX_KEYS: '1000' })
    const sql = connectPool(await connectionOf(subject), 4)
    closers.push(
      () => rm(dirname(subject.server.dataDir), { recursive: true, force: true }),
      () => sql.end(),
    )
    const client = storefront(subject.server.url)
    const opened = await client.open()
    await fillStore(sql, { ...opened, orders: ORDERS, products: PRODUCTS })
    await varyCopies(sql, opened.projectId)
    const timed = (query: string) => timeOf(subject.server.url, opened.key, `/v1/orders?storeId=${opened.storeId}&limit=20&${query}`)
    const times = await timeLists(timed)
    const [slowest, ms] = [...times].reduce((a, b) => (b[1] > a[1] ? b : a))
    return [
      within(`console: rows of a list of a million orders, the slowest of ${times.size}: ${slowest}`, ms, BUDGETS.list),
      within('console: rows of a list of a million orders, in the middle', median([...times.values()]), BUDGETS.list),
      within('console: next order at the desk', await timeCalls(client, opened), BUDGETS.nextOrder),
    ]
  } finally {
    for (const close of closers.toReversed()) await close().catch((error) => console.error(error))
  }
}

const within = (what: string, value: number, most: number): Row => ({
  what,
  ours: milliseconds(value),
  target: `≤ ${milliseconds(most)}`,
  reached: value <= most,
})

async function timeLists(timed: (query: string) => Promise<number>): Promise<ReadonlyMap<string, number>> {
  const times = new Map<string, number>()
  for (const filter of FILTERS)
    for (const sort of SORTS) {
      const query = `${filter}&sort=${sort}`
      const took: number[] = []
      for (let time = 0; time < TIMES; time += 1) took.push(await timed(query))
      times.set(query, median(took))
      if (process.env.BENCH_EACH) process.stderr.write(`${query} ${milliseconds(median(took))}\n`)
    }
  return times
}

async function timeOf(url: string, key: string, path: string): Promise<number> {
  const began = performance.now()
  const answer = await fetch(url + path, { headers: { authorization: `Bearer ${key}` } })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${path} was answered ${answer.status}: ${text.slice(0, 200)}`)
  return performance.now() - began
}

/** Records the outcome of a call and leases the next order, as the desk does. Returns the milliseconds of both. */
async function timeCalls(client: ReturnType<typeof storefront>, { storeId, as }: { readonly storeId: string; readonly as: string }) {
  const next = () => client.ok('POST', '/v1/orders/confirmation/next', as, { storeId })
  let call = await next()
  const times: number[] = []
  for (let at = 0; at < CALLS; at += 1) {
    const began = performance.now()
    await client.ok('POST', '/v1/orders/confirmation/release', as, { storeId, orderId: call.order.id, outcome: 'no_answer' })
    call = await next()
    times.push(performance.now() - began)
  }
  return median(times)
}

/** Gives the copies the carriers, places and tags of a store's years: what was before, what is common, and what is rare. */
async function varyCopies(sql: Sql, projectId: string): Promise<void> {
  const makeIndexes = await dropIndexes(sql, ['order_search'])
  await withoutStatementTimeout(
    sql,
    (tx) => tx`
      update order_search s set
        carrier = case when s.waiting_since is not null then null when n < ${ORDERS / 4} then 'old-carrier'
          else (array['yalidine', 'noest', 'zrexpress'])[1 + n % 3] end,
        parcel_status = case when s.waiting_since is not null then 'none' when n > ${ORDERS * 0.95} then 'in_transit'
          when n % 12 = 0 then 'returned' when n % 10007 = 0 then 'lost' else 'delivered' end,
        printed = case when s.waiting_since is not null then null when n % 5003 = 0 then 'no' else 'yes' end,
        delivery_type = case when n < ${ORDERS / 100} then 'return_point' when n % 5 = 0 then 'pickup' else 'home' end,
        city_key = case when n % 33 = 0 then '1601' else (1000 + n % 1500)::text end,
        tags = case when n % 1009 = 0 then '{rare,vip}' when n % 50 = 0 then '{vip}' when n < ${ORDERS / 5} then '{old}' else '{}' end::text[]
      from (select id, row_number() over (order by id) as n from order_search where project_id = ${projectId}) numbered
      where s.project_id = ${projectId} and s.id = numbered.id`,
  )
  await sql`vacuum full order_search`
  await makeIndexes()
  await sql`vacuum analyze order_search`
}
