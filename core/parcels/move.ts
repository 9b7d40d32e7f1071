import type { ParcelStatus } from '../../plugins/carrier/model.ts'
import { followCash } from '../cash/follow-parcel.ts'
import type { Queryable } from '../data/sql.ts'
import { newId } from '../lib/ids.ts'
import { followParcel } from '../orders/follow-parcel.ts'
import { emit } from '../webhooks/emit.ts'
import { insertEvent, type ParcelRow, type ParcelValues, updateParcel } from './parcels.queries.ts'
import { present } from './present.ts'
import { settled, stampOf } from './transitions.ts'

/** The carrier is asked so long after the last word of it. */
const NEWS_AFTER_MS = 20 * 60_000

export interface Move {
  readonly to: ParcelStatus
  /** `api`, `poller`, `system`, or `webhook:{carrier}`. */
  readonly source: string
  /** When it happened where it happened. */
  readonly at: string
  readonly payload?: object
  /** What the carrier said that it keeps of the cash. */
  readonly fee?: number
  /** What else changes with it. */
  readonly change?: ParcelValues
}

/** Gives a parcel a new status: row, timeline, order, stock and events in the caller's transaction, which holds the row. */
export async function moveParcel(tx: Queryable, parcel: ParcelRow, move: Move): Promise<ParcelRow> {
  const { to, source, at, payload = {}, fee, change = {} } = move
  const stamp = stampOf[to]
  const sequence = parcel.sequence + 1
  const moved = await updateParcel(tx, parcel.id, {
    ...change,
    status: to,
    sequence,
    outcomeUnknown: false,
    submittingSince: null,
    pollAt: settled.includes(to) ? null : new Date(Date.now() + NEWS_AFTER_MS).toISOString(),
    ...(stamp && { [stamp]: at }),
    ...(to === 'delivery_failed' && { deliveryAttempts: parcel.deliveryAttempts + 1 }),
  })
  const submitted = to === 'submitted'
  const { projectId, id: parcelId, orderId } = parcel
  const data = { parcel: present(moved), fromStatus: parcel.status, toStatus: to, sequence, source, ...payload }
  const tell = (type: 'parcel.status_changed' | 'parcel.delivered') => ({ projectId, type, data, orderKey: parcelId })
  await Promise.all([
    insertEvent(tx, {
      projectId,
      parcelId,
      id: newId('evt'),
      type: submitted ? 'submitted' : 'status_changed',
      source,
      at,
      fromStatus: submitted ? null : parcel.status,
      toStatus: to,
      payload,
    }),
    emit(tx, to === 'delivered' ? [tell('parcel.status_changed'), tell('parcel.delivered')] : [tell('parcel.status_changed')]),
  ])
  await followCash(tx, moved, { from: parcel.status, to, at, ...(fee !== undefined && { fee }) })
  await followParcel(tx, { id: parcelId, orderId }, to)
  return moved
}
