import { createHmac } from 'node:crypto'
import { quantile } from '../figures.ts'
import { CALLBACK_SECRET, type Shop } from '../shop.ts'
import { milliseconds, type Row } from '../table.ts'
import type { World } from '../world.ts'

const PER_SECOND = 50
const P99_MS = 100
const WARM_UP = 50
const PATIENCE_MS = 10_000

/** From a carrier's callback leaving to the shop's own server holding what it means. */
export async function callbackToWebhook({ server, shop }: World, seconds: number): Promise<Row[]> {
  const arrivals = receive()
  const { id, secret } = await shop.client.ok('POST', '/v1/webhook-endpoints', shop.key, {
    url: arrivals.url,
    events: ['parcel.status_changed'],
  })
  arrivals.expect(secret)
  const parcels = shop.parcels.slice(0, WARM_UP + PER_SECOND * seconds)
  try {
    const callback = `${server.url}/v1/stores/${shop.storeId}/integrations/sandbox/webhook`
    const sentAt = await callAtPace(callback, parcels)
    for (const until = Date.now() + PATIENCE_MS; arrivals.at.size < parcels.length && Date.now() < until; ) {
      await Bun.sleep(20)
    }
    if (arrivals.at.size < parcels.length) throw new Error(`${parcels.length} callbacks, ${arrivals.at.size} webhooks.`)
    const latencies = parcels.map(({ trackingId }) => arrivals.at.get(trackingId)! - sentAt.get(trackingId)!)
    return rows(latencies.slice(WARM_UP))
  } finally {
    await shop.client.ask('DELETE', `/v1/webhook-endpoints/${id}`, shop.key)
    await arrivals.stop()
  }
}

/** The shop's own server: when each parcel's news came. What is not signed does not count. */
function receive() {
  const at = new Map<string, number>()
  let secret = ''
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const cameAt = performance.now()
      const body = await request.text()
      if (!isSigned(body, request.headers.get('x-service-cloud-signature') ?? '', secret)) {
        return new Response(null, { status: 401 })
      }
      const { data } = JSON.parse(body) as { data: { parcel: { trackingId: string } } }
      at.set(data.parcel.trackingId, cameAt)
      return new Response(null, { status: 204 })
    },
  })
  return {
    url: `${server.url}hook`,
    at,
    expect: (signedWith: string) => {
      secret = signedWith
    },
    stop: () => server.stop(true),
  }
}

function rows(latencies: readonly number[]): Row[] {
  const p99 = quantile(latencies, 0.99)
  const what = `callback in → webhook out at ${PER_SECOND}/s`
  return [
    { what: `${what}, p50`, ours: milliseconds(quantile(latencies, 0.5)) },
    { what: `${what}, p99`, ours: milliseconds(p99), target: `< ${P99_MS} ms`, reached: p99 < P99_MS },
  ]
}

/** One callback for each parcel, evenly spread, whether or not the one before was answered. */
async function callAtPace(url: string, parcels: Shop['parcels']) {
  const sentAt = new Map<string, number>()
  const began = performance.now()
  const answers = parcels.map(async ({ trackingId }, at) => {
    await Bun.sleep(Math.max(0, began + (at * 1000) / PER_SECOND - performance.now()))
    const body = JSON.stringify({ tracking: trackingId, status: 'picked up', at: new Date().toISOString(), eventId: crypto.randomUUID() })
    const signature = `sha256=${createHmac('sha256', CALLBACK_SECRET).update(body).digest('hex')}`
    sentAt.set(trackingId, performance.now())
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-sandbox-signature': signature },
      body,
    })
    if (!answer.ok) throw new Error(`A callback was answered ${answer.status}: ${await answer.text()}`)
  })
  await Promise.all(answers)
  return sentAt
}

function isSigned(body: string, header: string, secret: string): boolean {
  const [, seconds, hex] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header) ?? []
  return hex === createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
}
