import { HOUR_MS } from '../../core/lib/durations.ts'
import type { Parcel } from '../../core/logistics/parcels/parcels.model.ts'
import type { Callback, Carrier, CarrierEvent, Stage } from './carriers.ts'
import { chunks, pool } from './pool.ts'

const EVENTS_PER_CALLBACK = 20
const CALLBACKS_AT_ONCE = 3

const roads: Readonly<Record<'delivered' | 'returned' | 'failed' | 'held', readonly Stage[]>> = {
  delivered: ['picked_up', 'in_transit', 'out_for_delivery', 'delivered'],
  returned: ['picked_up', 'in_transit', 'out_for_delivery', 'delivery_failed', 'returning', 'returned'],
  failed: ['picked_up', 'in_transit', 'out_for_delivery', 'delivery_failed'],
  held: ['picked_up', 'in_transit', 'on_hold'],
}

/** Returns the stages of a parcel. Of forty parcels, 32 are delivered, 6 are returned, one attempt fails, and one is on hold. */
function roadOf(at: number): readonly Stage[] {
  const place = at % 20
  if (place < 16) return roads.delivered
  if (place < 19) return roads.returned
  return at % 40 === 19 ? roads.failed : roads.held
}

/** Status of a parcel, and its number of failed delivery attempts. */
export interface Standing {
  readonly status: string
  readonly failures: number
}

export interface SimulatedDays {
  /** Expected state of each parcel, by tracking number. */
  readonly ends: ReadonlyMap<string, Standing>
  readonly callbacks: number
  /** Number of answers other than 200. */
  readonly refused: number
  /** Status of the answer to the forged callback. */
  readonly forged: number
}

/** Simulates a carrier: moves each parcel through its stages, and reports them in callbacks of several events. */
export async function play(carrier: Carrier, address: string, parcels: readonly Parcel[]): Promise<SimulatedDays> {
  const journeys = parcels.map(({ trackingId }, at) => ({ trackingId: trackingId!, road: roadOf(at) }))
  const statuses: number[] = []
  const tell = async (callback: Callback) => void statuses.push(await post(address, callback))
  const longest = Math.max(0, ...journeys.map(({ road }) => road.length))
  for (let day = 0; day < longest; day++) {
    const at = new Date().toISOString()
    const news = journeys.flatMap(({ trackingId, road }): CarrierEvent[] => {
      const stage = road[day]
      return stage ? [{ trackingId, stage, at }] : []
    })
    carrier.happen(news)
    await pool(chunks(news, EVENTS_PER_CALLBACK), CALLBACKS_AT_ONCE, (some) => tell(carrier.callback(some)))
  }
  const { trackingId } = journeys.find(({ road }) => road === roads.failed)!
  const forged = await misbehave(carrier, address, trackingId, tell)
  const ends = journeys.map(({ trackingId, road }): [string, Standing] => [trackingId, standingAfter(road)])
  const triedTwice = { status: 'delivery_failed', failures: 2 }
  return {
    ends: new Map([...ends, [trackingId, triedTwice]]),
    callbacks: statuses.length,
    refused: statuses.filter((status) => status !== 200).length,
    forged,
  }
}

const standingAfter = (road: readonly Stage[]): Standing => ({
  status: road.at(-1)!,
  failures: road.filter((stage) => stage === 'delivery_failed').length,
})

/** Reports a second failed attempt twice, then an old status, then a forged one. Only the attempt may count, and once. */
async function misbehave(
  carrier: Carrier,
  address: string,
  trackingId: string,
  tell: (callback: Callback) => Promise<void>,
): Promise<number> {
  const now = new Date().toISOString()
  const attempt: CarrierEvent = { trackingId, stage: 'delivery_failed', at: now }
  carrier.happen([attempt])
  const callback = carrier.callback([attempt])
  await tell(callback)
  await tell(callback)
  await tell(carrier.callback([{ trackingId, stage: 'picked_up', at: new Date(Date.now() - HOUR_MS).toISOString() }]))
  const forgery = carrier.callback([{ trackingId, stage: 'delivered', at: now }])
  return post(address, { ...forgery, body: `${forgery.body} ` })
}

async function post(address: string, { headers, body }: Callback): Promise<number> {
  const response = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
    signal: AbortSignal.timeout(30_000),
  })
  await response.arrayBuffer()
  return response.status
}
