import { newId } from '../../../core/lib/ids.ts'
import { type EventRow, insertEvents } from '../../../core/platform/webhooks/emit.queries.ts'
import { eventBody } from '../../../core/platform/webhooks/emit.ts'
import { external } from '../../support/database.ts'
import { type Sibling, severalOn } from '../../support/several.ts'
import { storefront } from '../../support/storefront.ts'
import { type Child, spawnChild } from '../child.ts'
import { quantile } from '../figures.ts'
import type { Asked, Heard } from '../load/troubled.ts'
import { milliseconds, perSecond, type Row } from '../table.ts'

const ENDPOINTS = 5
const FAILING = 0.1
const EVENTS = 1_000
/** With `--full`. */
const EVENTS_FULL = 10_000
const PACED = { perSecond: 50, seconds: 4 }
const AT_ONCE = 250
const PATIENCE_MS = 180_000
const EVENT = 'batch.completed'

/** Deliveries of one, two and four processes, while one of five endpoints hangs and the others fail at a tenth; and with one process killed. */
export async function processes({ full }: { full: boolean }): Promise<Row[]> {
  if (!external.databaseUrl) return [{ what: 'deliveries of several processes', ours: 'needs TEST_DATABASE_URL' }]
  const rows: Row[] = []
  for (const count of [1, 2, 4]) rows.push(...(await deliveriesOf(count, full ? EVENTS_FULL : EVENTS)))
  return rows
}

async function deliveriesOf(count: number, events: number): Promise<Row[]> {
  const server = await severalOn({ LOG_LEVEL: 'info', DATABASE_POOL: '8' })
  const receivers = spawnChild('load/troubled.ts')
  try {
    const siblings: Sibling[] = []
    for (let at = 0; at < count; at += 1) siblings.push(await server.start())
    const { ok, open } = storefront(server.url)
    const { key, projectId } = await open()
    const urls = await receivers.ask<string[]>({ open: ENDPOINTS, failing: FAILING } satisfies Asked)
    for (const url of urls) await ok('POST', '/v1/webhook-endpoints', key, { url, events: [EVENT] })
    const emit = (many: number) => emitAll(server.sql, projectId, many)
    await emit(200)
    await heardAll(receivers, 200)

    const beganAt = Date.now()
    await emit(events)
    const burst = await heardAll(receivers, events)
    const rate = burst.ages.length / ((burst.lastAt - beganAt) / 1000)
    const split = await server.sql<{ part: number }[]>`select count(*)::float8 / sum(count(*)) over () as part from webhook_deliveries
      where status = 'delivered' group by locked_by order by 1`

    for (let second = 0; second < PACED.seconds * 5; second += 1) {
      await emit(PACED.perSecond / 5)
      await Bun.sleep(200)
    }
    const paced = await heardAll(receivers, PACED.perSecond * PACED.seconds)

    await emit(events / 2)
    siblings[0]!.signal('SIGKILL')
    const killedAt = Date.now()
    await Promise.all([emit(events / 2), ...(count === 1 ? [server.start()] : [])])
    const killed = await heardAll(receivers, events)
    const name = `${count} process${count > 1 ? 'es' : ''}`
    return [
      { what: `deliveries, ${ENDPOINTS} endpoints, one hangs, ${FAILING * 100} % fail, ${name}`, ours: perSecond(rate) },
      ...(count > 1 ? [{ what: `  shared, ${name}`, ours: split.map(({ part }) => `${Math.round(part * 100)} %`).join(' / ') }] : []),
      { what: `  age of a healthy one, p99, ${PACED.perSecond} events a second, ${name}`, ours: milliseconds(quantile(paced.ages, 0.99)) },
      { what: `  after kill -9 of one of ${name}: lost of ${(events * (ENDPOINTS - 1)).toLocaleString('en')}`, ours: '0' },
      { what: `  after kill -9 of one of ${name}: the last healthy one after`, ours: milliseconds(killed.lastAt - killedAt) },
    ]
  } finally {
    await server.end()
    await receivers.stop()
  }
}

/** Waits until every endpoint that answers has taken each of the events, and forgets them. */
async function heardAll(receivers: Child, events: number): Promise<Heard> {
  for (const until = Date.now() + PATIENCE_MS; ; await Bun.sleep(100)) {
    const { taken } = await receivers.ask<Heard>({ read: true } satisfies Asked)
    if (taken.slice(1).every((each) => each === events)) return receivers.ask<Heard>({ forget: true } satisfies Asked)
    if (Date.now() > until) throw new Error(`Of ${events} events came ${taken.slice(1).join(', ')}.`)
  }
}

async function emitAll(sql: Parameters<typeof insertEvents>[0], projectId: string, many: number) {
  for (let from = 0; from < many; from += AT_ONCE) {
    const rows = Array.from({ length: Math.min(AT_ONCE, many - from) }, () => eventOf(projectId))
    await insertEvents(sql, rows)
  }
}

function eventOf(projectId: string): EventRow {
  const [id, createdAt] = [newId('evt'), new Date().toISOString()]
  const body = eventBody({ id, type: EVENT, createdAt, projectId, data: { note: 'x'.repeat(1_000) } })
  return { id, projectId, type: EVENT, topic: EVENT, orderKey: '', body, createdAt, audience: 'both' }
}
