import type { Parcel } from '../../core/logistics/parcels/parcels.model.ts'
import type { Api } from './api.ts'
import { eventually } from './pool.ts'
import type { Event, Receiver } from './receiver.ts'
import type { Shop } from './shop.ts'

const WAIT_SECONDS = 45

interface Delivery {
  readonly status: string
  readonly eventId: string
}

export interface HookFigures {
  readonly delivered: number
  readonly undelivered: number
  /** True if the receiver has exactly the events that the server reports as delivered. */
  readonly sameEvents: boolean
  /** Number of parcels whose events at the receiver have a gap, or end with another status than the parcel's. */
  readonly incomplete: number
}

export const hooksDone = (api: Api, { endpointId, key }: Shop) =>
  eventually(async () => {
    const { body } = await api.call('GET', `/v1/webhook-endpoints/${endpointId}/deliveries?status=pending&limit=1`, { as: key })
    return (body as { data: Delivery[] }).data.length === 0
  }, WAIT_SECONDS)

export async function hookFigures(
  api: Api,
  { endpointId, key }: Shop,
  receiver: Receiver,
  parcels: readonly Parcel[],
): Promise<HookFigures> {
  const deliveries = await api.all<Delivery>(`/v1/webhook-endpoints/${endpointId}/deliveries`, key)
  const delivered = deliveries.filter(({ status }) => status === 'delivered')
  const news = Map.groupBy(receiver.events.values(), ({ data }) => data.parcel?.id)
  return {
    delivered: delivered.length,
    undelivered: deliveries.length - delivered.length,
    sameEvents: delivered.length === receiver.events.size && delivered.every(({ eventId }) => receiver.events.has(eventId)),
    incomplete: parcels.filter((parcel) => !isWhole(parcel, news.get(parcel.id) ?? [])).length,
  }
}

/** Returns true if the events of a parcel are complete: their `sequence` has no gap, and the last one has the parcel's status. */
function isWhole({ status }: Parcel, events: readonly Event[]): boolean {
  const sequences = new Set(events.map(({ data }) => data.sequence ?? 0))
  const last = Math.max(...sequences)
  return (
    sequences.size > 0 && last === sequences.size && events.some(({ data }) => data.sequence === last && data.parcel?.status === status)
  )
}
