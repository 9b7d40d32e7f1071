import { instant, isRow, oldestFirst, type Row, rows, text, unreadable } from 'serai/carrier'
import { bodyOf, LABEL, post, refusalOf } from './api.ts'
import type { Context } from './fields.ts'
import { DRAFT, isDelivery, VALIDATED } from './statuses.ts'

/** Event of a parcel by its key. */
export interface Step {
  readonly key: string
  readonly at: string
  readonly reason?: string
}

/** Parcel with its events, oldest first. */
export interface Feed {
  readonly trackingId: string
  readonly recipientName?: string
  /** The carrier's `OrderInfo`. */
  readonly order: Row
  readonly steps: readonly Step[]
}

/** Reads the feeds of parcels; those unknown to the carrier are left out. */
export async function feedsOf(context: Context, trackingIds: readonly string[]): Promise<Feed[]> {
  if (trackingIds.length === 0) return []
  const answer = await post(context, 'get/trackings/info', { trackings: trackingIds })
  const said = isRow(answer.value) ? text(answer.value.message) : undefined
  if (answer.status < 500 && /^trackings? not found/i.test(said ?? '')) return []
  const found = bodyOf(context, answer)
  const there = trackingIds.filter((trackingId) => Object.hasOwn(found, trackingId))
  const feeds = there.flatMap((trackingId) => feedIn(context, trackingId, found[trackingId]))
  if (feeds.length > 0 || Object.keys(found).length === 0) return feeds
  throw said !== undefined && there.length === 0 ? refusalOf(found) : unreadable(LABEL, 'nothing on the parcels')
}

function feedIn(context: Context, trackingId: string, row: unknown): Feed[] {
  const steps = isRow(row) ? stepsIn(context, row.activity) : []
  if (!isRow(row) || steps.length === 0) {
    context.log('left out a parcel without any event that can be read', { trackingId })
    return []
  }
  const recipientName = text(row.recipientName)
  const order = isRow(row.OrderInfo) ? row.OrderInfo : {}
  return [{ trackingId, order, steps, ...(recipientName !== undefined && { recipientName }) }]
}

/** Reads the events, oldest first. The feed's order is not documented, and events may share a second. */
function stepsIn(context: Context, activity: unknown): Step[] {
  const events = rows(activity)
  const steps = events.flatMap((event) => stepIn(context, event))
  if (steps.length < events.length) context.log('left out events that cannot be read', { events: events.length - steps.length })
  return oldestFirst(steps)
}

function stepIn({ settings }: Context, event: Row): Step[] {
  const [key, at, reason] = [text(event.event_key) ?? text(event.event), instant(event.date, settings.utcOffset), text(event.content)]
  if (key === undefined || at === undefined) return []
  return [{ key, at, ...(reason !== undefined && { reason }) }]
}

/** Returns the stage: a draft, a validated order that has not left, or a parcel that the carrier has. */
export function stageOf({ steps }: Feed): 'draft' | 'validated' | 'away' {
  const keys = steps.map(({ key }) => key).filter(isDelivery)
  if (keys.some((key) => key !== DRAFT && key !== VALIDATED)) return 'away'
  return keys.includes(VALIDATED) ? 'validated' : 'draft'
}
