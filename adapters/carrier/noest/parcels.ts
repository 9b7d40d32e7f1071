import { amount, type CarrierParcel, present, type StatusReport, text } from 'serai/carrier'
import { finishDrafts } from './drafts.ts'
import { type Feed, feedsOf } from './feed.ts'
import type { Context } from './fields.ts'
import { isDelivery } from './statuses.ts'

export async function track(context: Context, trackingIds: readonly string[]): Promise<CarrierParcel[]> {
  const feeds = await feedsOf(context, trackingIds)
  await finishDrafts(context, feeds)
  return feeds.map(parcelOf)
}

/** Presents a feed as a parcel. Its status is the last delivery event, since the last event is often about money or an edit. */
function parcelOf({ trackingId, order, steps }: Feed): CarrierParcel {
  const now = steps.findLast(({ key }) => isDelivery(key)) ?? steps.at(-1)!
  const history = steps.map(({ key, ...step }): StatusReport => ({ trackingId, carrierStatus: key, ...step }))
  const shown = { reference: text(order.reference), codAmount: amount(order.montant), cityName: text(order.commune) }
  return { trackingId, carrierStatus: now.key, at: now.at, history, ...present(shown) }
}
