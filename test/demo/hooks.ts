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
  /** Whether the receiver has exactly the events that the server says it delivered. */
  readonly sameEvents: boolean
  /** Parcels whose news at the receiver have a gap, or end elsewhere than the parcel itself. */
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

/** A parcel's events carry a number that grows by one; the last one tells of the parcel as it is. */
function isWhole({ status }: Parcel, events: readonly Event[]): boolean {
  const sequences = new Set(events.map(({ data }) => data.sequence ?? 0))
  const last = Math.max(...sequences)
  return (
    sequences.size > 0 && last === sequences.size && events.some(({ data }) => data.sequence === last && data.parcel?.status === status)
  )
}
