import { lowestIdAt } from '../../../core/lib/ids.ts'
import { requestHeaders } from '../../../core/platform/webhooks/delivery/attempt.ts'
import { WAKE_CHANNEL } from '../../../core/platform/webhooks/emit.queries.ts'
import { eventBody } from '../../../core/platform/webhooks/emit.ts'
import { type Child, spawnChild } from '../child.ts'
import { compare } from '../figures.ts'
import type { Asked } from '../load/receivers.ts'
import type { Sending } from '../load/sender.ts'
import { perSecond, type Row } from '../table.ts'
import type { World } from '../world.ts'

const ENDPOINTS = 5
const EVENTS = 2_000
const COUNT = ENDPOINTS * EVENTS
/** Requests under way to one endpoint: where the dispatcher stops widening. */
const WIDTH = 64
const PATIENCE_MS = 60_000
const EVENT = 'batch.completed'

/** Both are given a full queue and timed until the last of it has come. */
export async function deliveries(world: World): Promise<Row[]> {
  const receivers = spawnChild('load/receivers.ts')
  const sender = spawnChild('load/sender.ts')
  try {
    const urls = await receivers.ask<string[]>({ open: ENDPOINTS } satisfies Asked)
    const ids = await subscribe(world, urls)
    const body = sampleBody(world)
    const ours = () => drain(receivers, () => queue(world, ids, body))
    const ceiling = () => drain(receivers, () => sender.ask(sending(urls, body)))
    for (const warmUp of [ceiling, ours]) await warmUp()
    const rates = await compare(ours, ceiling)
    for (const id of ids) await world.shop.client.ask('DELETE', `/v1/webhook-endpoints/${id}`, world.shop.key)
    return [row(rates.ours, rates.ceiling)]
  } finally {
    await Promise.all([receivers.stop(), sender.stop()])
  }
}

const row = (ours: number, ceiling: number): Row => ({
  what: `webhook deliveries to ${ENDPOINTS} endpoints`,
  ours: perSecond(ours),
  ceiling: perSecond(ceiling),
  ratio: ours / ceiling,
})

const subscribe = ({ shop }: World, urls: readonly string[]) =>
  Promise.all(
    urls.map(async (url) => {
      const endpoint = await shop.client.ok('POST', '/v1/webhook-endpoints', shop.key, { url, events: [EVENT] })
      return endpoint.id as string
    }),
  )

async function drain(receivers: Child, start: () => Promise<unknown>): Promise<number> {
  const arrival = receivers.ask({ waitFor: COUNT, withinMs: PATIENCE_MS } satisfies Asked)
  const began = performance.now()
  await Promise.all([start(), arrival])
  return COUNT / ((performance.now() - began) / 1000)
}

/** As emitting does, for many events at once. */
async function queue({ sql, shop }: World, endpointIds: readonly string[], body: string) {
  const batch = crypto.randomUUID()
  const [event, delivery] = ['evt', 'dlv'].map((prefix) => lowestIdAt(prefix, Date.now()) + batch) as [string, string]
  await sql.begin(async (tx) => {
    await tx`insert into events (id, project_id, type, body)
      select ${event} || n, ${shop.projectId}, ${EVENT}, ${body} from generate_series(1, ${EVENTS}) n`
    await tx`insert into webhook_deliveries (endpoint_id, id, project_id, event_id, event_type)
      select e, ${delivery} || n, ${shop.projectId}, ${event} || n, ${EVENT}
      from generate_series(1, ${EVENTS}) n, unnest(${endpointIds as string[]}::text[]) e`
    await tx`select pg_notify(${WAKE_CHANNEL}, '')`
  })
}

const sending = (urls: readonly string[], body: string): Sending => {
  const at = new Date().toISOString()
  const signature = `t=${Math.floor(Date.parse(at) / 1000)},v1=${'0'.repeat(64)}`
  const headers = requestHeaders({ id: `att_${'0'.repeat(26)}`, at, signature, eventId: `evt_${'0'.repeat(26)}`, eventType: EVENT })
  return { urls, headers, body, count: COUNT, width: WIDTH * ENDPOINTS }
}

/** About as long as an order's. */
const sampleBody = ({ shop }: World) =>
  eventBody({
    id: `evt_${'0'.repeat(26)}`,
    type: EVENT,
    createdAt: new Date().toISOString(),
    projectId: shop.projectId,
    data: { note: 'x'.repeat(1_000) },
  })
