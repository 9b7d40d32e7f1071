import type { ParcelStatus } from '../../../../plugins/carrier/model.ts'
import { expectOne, type Tx } from '../../../data/sql.ts'
import { publish } from '../../../data/subscribers.ts'
import { type Actor, connectionActor, currentActor } from '../../../data/tenant-context.ts'
import { newId } from '../../../lib/ids.ts'
import { invariant } from '../../../lib/invariant.ts'
import { emitWebhook } from '../../../platform/webhooks/emit.ts'
import { tellBatches } from '../batch/tell.ts'
import { insertEvents, type ParcelRow, type ParcelValues, updateParcel, updateParcels } from '../parcels.queries.ts'
import { present } from '../present.ts'
import type { MoveDetails } from './events.ts'
import { settled, stampOf } from './transitions.ts'

declare module '../../../data/subscribers.ts' {
  interface DomainEvents {
    /** They have another status. `fee`: what the carrier said that it keeps, in the major unit. */
    'parcels.moved': { moves: readonly ParcelMove[] }
  }
}

/** A parcel that is held, as it is now, and the status that it had. */
export interface ParcelMove {
  readonly parcel: ParcelRow
  readonly from: ParcelStatus
  readonly to: ParcelStatus
  readonly at: string
  readonly fee?: number
  /** The actor of the move; null for the system. */
  readonly by: Actor | null
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
  return expectOne(await moveParcels(tx, [{ ...move, parcel }]))
}

/** The same for many, in few statements; what else changes is the same of each. */
export async function moveParcels(tx: Tx, moves: readonly (Move & { readonly parcel: ParcelRow })[]): Promise<ParcelRow[]> {
  const rows = await written(tx, moves)
  const moved = moves.map((move) => ({
    ...move,
    before: move.parcel,
    parcel: invariant(rows.get(move.parcel.id), 'A parcel that is held'),
  }))
  const byBatch = Map.groupBy(moved, ({ to }) => (to === 'cancelled' ? 'cancelled' : 'submitted'))
  await Promise.all([
    insertEvents(tx, moved.map(entryOf)),
    emitWebhook(tx, moved.flatMap(tidingsOf)),
    ...[...byBatch].map(([status, of]) =>
      tellBatches(
        tx,
        of.map(({ before }) => before),
        status,
      ),
    ),
  ])
  const follow = moved.map(({ parcel, before, to, at, fee, source }) => ({
    parcel,
    from: before.status,
    to,
    at,
    by: actorOfMove(parcel, source),
    ...(fee !== undefined && { fee }),
  }))
  await publish(tx, 'parcels.moved', { moves: follow })
  return moved.map(({ parcel }) => parcel)
}

/** A carrier that reports is its own actor. What goes on by itself is done for who asked for the sending. */
function actorOfMove({ carrierAccountId, sentBy }: ParcelRow, source: string): Actor | null {
  const isReport = source === 'poller' || source.startsWith('webhook:')
  if (isReport && carrierAccountId !== null) return connectionActor('carrier', carrierAccountId)
  return currentActor() ?? sentBy
}

type Moved = Move & { readonly before: ParcelRow; readonly parcel: ParcelRow }

async function written(tx: Tx, moves: readonly (Move & { readonly parcel: ParcelRow })[]): Promise<ReadonlyMap<string, ParcelRow>> {
  const changes = moves.map(({ parcel, ...move }) => ({ projectId: parcel.projectId, id: parcel.id, ...changeOf(parcel, move) }))
  const [only, ...others] = changes
  if (only && others.length === 0) {
    const { projectId, id, ...change } = only
    return new Map([[id, await updateParcel(tx, { projectId, id }, change)]])
  }
  return new Map((await updateParcels(tx, changes)).map((parcel) => [parcel.id, parcel]))
}

/** What its subscribers are told of. */
const eventsOf = (to: ParcelStatus) =>
  to === 'delivered' ? (['parcel.status_changed', 'parcel.delivered'] as const) : (['parcel.status_changed'] as const)

/** What is being handed over is announced when the carrier has it. */
const announced = ({ status }: ParcelRow) => (status === 'submitting' ? 'created' : status)

function changeOf(parcel: ParcelRow, { to, at, change = {} }: Move): ParcelValues {
  const stamp = stampOf[to]
  return {
    ...change,
    status: to,
    sequence: parcel.sequence + eventsOf(to).length,
    outcomeUnknown: false,
    submitAt: null,
    submittingSince: null,
    pollAt: settled.includes(to) ? null : new Date(Date.now() + NEWS_AFTER_MS).toISOString(),
    ...(stamp && { [stamp]: at }),
    ...(to === 'delivery_failed' && { deliveryAttempts: parcel.deliveryAttempts + 1 }),
  }
}

function entryOf({ before, to, source, at, payload = {} }: Moved) {
  const submitted = to === 'submitted'
  return {
    projectId: before.projectId,
    parcelId: before.id,
    id: newId('evt'),
    type: submitted ? 'submitted' : 'status_changed',
    source,
    at,
    fromStatus: submitted ? null : announced(before),
    toStatus: to,
    payload,
  }
}

function tidingsOf({ before, parcel, to, source, payload = {} }: Moved) {
  const { projectId, id, sequence } = before
  const data = { parcel: present(parcel), fromStatus: announced(before), toStatus: to, source, ...payload }
  return eventsOf(to).map((type, at) => ({ projectId, type, data: { ...data, sequence: sequence + 1 + at }, orderKey: id }))
}
