import type { ParcelStatus } from '../../../plugins/carrier/model.ts'
import { happened } from '../../data/follows.ts'
import type { Tx } from '../../data/sql.ts'
import { newId } from '../../lib/ids.ts'
import { emit } from '../../platform/webhooks/emit.ts'
import { tellBatch } from './batch/tell.ts'
import type { MoveDetails } from './events.ts'
import { insertEvent, type ParcelRow, type ParcelValues, updateParcel } from './parcels.queries.ts'
import { present } from './present.ts'
import { settled, stampOf } from './transitions.ts'

declare module '../../data/follows.ts' {
  interface Follows {
    /** It has another status. `fee`: what the carrier said that it keeps, in the major unit. */
    'parcel.moved': { parcel: ParcelRow; from: ParcelStatus; to: ParcelStatus; at: string; fee?: number }
  }
}

/** The carrier is asked so long after the last word of it. */
const NEWS_AFTER_MS = 20 * 60_000

export interface Move {
  readonly to: ParcelStatus
  /** `api`, `poller`, `system`, or `webhook:{carrier}`. */
  readonly source: string
  /** When it happened where it happened. */
  readonly at: string
  readonly payload?: MoveDetails
  /** What the carrier said that it keeps of the cash. */
  readonly fee?: number
  /** What else changes with it. */
  readonly change?: ParcelValues
}

/** Gives a parcel a new status: row, timeline, order, stock and events in the caller's transaction, which holds the row. */
export async function moveParcel(tx: Tx, parcel: ParcelRow, move: Move): Promise<ParcelRow> {
  const { to, source, at, payload = {}, fee, change = {} } = move
  const stamp = stampOf[to]
  // What is being handed over is announced when the carrier has it.
  const from = parcel.status === 'submitting' ? 'created' : parcel.status
  const told = parcel.sequence + 1
  const events = to === 'delivered' ? (['parcel.status_changed', 'parcel.delivered'] as const) : (['parcel.status_changed'] as const)
  const moved = await updateParcel(tx, parcel.id, {
    ...change,
    status: to,
    sequence: parcel.sequence + events.length,
    outcomeUnknown: false,
    submitAt: null,
    submittingSince: null,
    pollAt: settled.includes(to) ? null : new Date(Date.now() + NEWS_AFTER_MS).toISOString(),
    ...(stamp && { [stamp]: at }),
    ...(to === 'delivery_failed' && { deliveryAttempts: parcel.deliveryAttempts + 1 }),
  })
  const submitted = to === 'submitted'
  const { projectId, id: parcelId } = parcel
  const data = { parcel: present(moved), fromStatus: from, toStatus: to, source, ...payload }
  await Promise.all([
    insertEvent(tx, {
      projectId,
      parcelId,
      id: newId('evt'),
      type: submitted ? 'submitted' : 'status_changed',
      source,
      at,
      fromStatus: submitted ? null : from,
      toStatus: to,
      payload,
    }),
    emit(
      tx,
      events.map((type, at) => ({ projectId, type, data: { ...data, sequence: told + at }, orderKey: parcelId })),
    ),
    tellBatch(tx, parcel, to === 'cancelled' ? 'cancelled' : 'submitted'),
  ])
  await happened(tx, 'parcel.moved', { parcel: moved, from: parcel.status, to, at, ...(fee !== undefined && { fee }) })
  return moved
}
