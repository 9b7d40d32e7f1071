import type { Parcel } from '../../core/parcels/parcels.model.ts'
import type { Callback, Carrier, News, Stage } from './carriers.ts'
import { chunks, pool } from './pool.ts'

const EVENTS_PER_CALLBACK = 20
const CALLBACKS_AT_ONCE = 3
const HOUR_MS = 3_600_000

const roads: Readonly<Record<'delivered' | 'returned' | 'failed' | 'held', readonly Stage[]>> = {
  delivered: ['picked_up', 'in_transit', 'out_for_delivery', 'delivered'],
  returned: ['picked_up', 'in_transit', 'out_for_delivery', 'delivery_failed', 'returning', 'returned'],
  failed: ['picked_up', 'in_transit', 'out_for_delivery', 'delivery_failed'],
  held: ['picked_up', 'in_transit', 'on_hold'],
}

/** Of forty parcels 32 are delivered, 6 come back, one fails and one waits. */
function roadOf(at: number): readonly Stage[] {
  const place = at % 20
  if (place < 16) return roads.delivered
  if (place < 19) return roads.returned
  return at % 40 === 19 ? roads.failed : roads.held
}

export interface Told {
  /** By tracking number: where each parcel must stand now. */
  readonly ends: ReadonlyMap<string, Stage>
  readonly callbacks: number
  /** Answers other than 200. */
  readonly refused: number
  /** How much the repetition and the late word moved, and what the forgery was answered. */
  readonly repeatedMoved: number
  readonly lateMoved: number
  readonly forged: number
}

/** Plays a carrier's days: every parcel goes its road, stage by stage, and the carrier tells of it in callbacks of several events. */
export async function play(carrier: Carrier, address: string, parcels: readonly Parcel[]): Promise<Told> {
  const journeys = parcels.map(({ trackingId }, at) => ({ trackingId: trackingId!, road: roadOf(at) }))
  const statuses: number[] = []
  let last: Callback | undefined
  const longest = Math.max(0, ...journeys.map(({ road }) => road.length))
  for (let day = 0; day < longest; day++) {
    const at = new Date().toISOString()
    const news = journeys.flatMap(({ trackingId, road }): News[] => {
      const stage = road[day]
      return stage ? [{ trackingId, stage, at }] : []
    })
    carrier.happen(news)
    await pool(chunks(news, EVENTS_PER_CALLBACK), CALLBACKS_AT_ONCE, async (some) => {
      last = carrier.callback(some)
      statuses.push((await post(address, last)).status)
    })
  }
  const first = { trackingId: journeys[0]!.trackingId, stage: 'picked_up', at: new Date(Date.now() - HOUR_MS).toISOString() } as const
  const forgery = carrier.callback([{ ...first, stage: 'returned', at: new Date().toISOString() }])
  return {
    ends: new Map(journeys.map(({ trackingId, road }) => [trackingId, road.at(-1)!])),
    callbacks: statuses.length,
    refused: statuses.filter((status) => status !== 200).length,
    repeatedMoved: (await post(address, last!)).applied,
    lateMoved: (await post(address, carrier.callback([first]))).applied,
    forged: (await post(address, { ...forgery, body: `${forgery.body} ` })).status,
  }
}

async function post(address: string, { headers, body }: Callback): Promise<{ status: number; applied: number }> {
  const response = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
    signal: AbortSignal.timeout(30_000),
  })
  const said = (await response.json()) as { data?: { applied: number } }
  return { status: response.status, applied: said.data?.applied ?? 0 }
}
