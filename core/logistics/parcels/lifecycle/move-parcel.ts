import type { ParcelStatus } from '../../../../plugins/carrier/model.ts'
import { expectOne, type Tx } from '../../../data/sql.ts'
import { publish } from '../../../data/subscribers.ts'
import { type Actor, connectionActor, currentActor } from '../../../data/tenant-context.ts'
import { newId } from '../../../lib/ids.ts'
import { invariant } from '../../../lib/invariant.ts'
import { emitWebhook } from '../../../platform/webhooks/emit.ts'
import { recordBatchOutcomes } from '../batch/record-outcomes.ts'
import { insertParcelEvents, type ParcelRow, type ParcelValues, updateParcel, updateParcels } from '../parcels.queries.ts'
import { presentParcel } from '../present.ts'
import type { MoveDetails } from './events.ts'
import { finalParcelStatuses, timestampOf } from './transitions.ts'

declare module '../../../data/subscribers.ts' {
  interface DomainEvents {
    /** Published when parcels have new statuses. */
    'parcels.moved': { moves: readonly ParcelMove[] }
  }
}

/** Status change of a locked parcel, with the parcel as it is after the change. */
export interface ParcelMove {
  readonly parcel: ParcelRow
  readonly from: ParcelStatus
  readonly to: ParcelStatus
  readonly at: string
  readonly fee?: number
  /** Actor of the change; null for the system. */
  readonly by: Actor | null
}

/** Delay of the next tracking poll after a status change. */
const POLL_AFTER_MS = 20 * 60_000

/** New status of a parcel, with its details. */
export interface ParcelStatusChange {
  readonly to: ParcelStatus
  /** `api`, `poller`, `system`, or `webhook:{carrier}`. */
  readonly source: string
  /** Time of the change at the carrier. */
  readonly at: string
  readonly payload?: MoveDetails
  /** Fee that the carrier keeps from the collected cash, in the major unit. */
  readonly fee?: number
  /** Other columns to update. */
  readonly change?: ParcelValues
}

/** Changes the status of a parcel: its row, timeline, order, stock and events. The caller must have locked the row. */
export async function moveParcel(tx: Tx, parcel: ParcelRow, move: ParcelStatusChange): Promise<ParcelRow> {
  return expectOne(await moveParcels(tx, [{ ...move, parcel }]))
}

/** Changes the status of many parcels with few statements; all must set the same columns. The caller must have locked the rows. */
export async function moveParcels(tx: Tx, moves: readonly (ParcelStatusChange & { readonly parcel: ParcelRow })[]): Promise<ParcelRow[]> {
  const rows = await updateMoved(tx, moves)
  const moved = moves.map((move) => ({
    ...move,
    before: move.parcel,
    parcel: invariant(rows.get(move.parcel.id), 'A parcel that is held'),
  }))
  const byBatch = Map.groupBy(moved, ({ to }) => (to === 'cancelled' ? 'cancelled' : 'submitted'))
  await Promise.all([
    insertParcelEvents(tx, moved.map(timelineEntryOf)),
    emitWebhook(tx, moved.flatMap(webhookEventsOf)),
    ...[...byBatch].map(([status, of]) =>
      recordBatchOutcomes(
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

/**
 * Returns the actor of a status change: the carrier's connection for a report; else the current actor, or the one that requested the
 * submission.
 */
function actorOfMove({ carrierAccountId, sentBy }: ParcelRow, source: string): Actor | null {
  const isReport = source === 'poller' || source.startsWith('webhook:')
  if (isReport && carrierAccountId !== null) return connectionActor('carrier', carrierAccountId)
  return currentActor() ?? sentBy
}

type AppliedMove = ParcelStatusChange & { readonly before: ParcelRow; readonly parcel: ParcelRow }

async function updateMoved(
  tx: Tx,
  moves: readonly (ParcelStatusChange & { readonly parcel: ParcelRow })[],
): Promise<ReadonlyMap<string, ParcelRow>> {
  const changes = moves.map(({ parcel, ...move }) => ({ projectId: parcel.projectId, id: parcel.id, ...columnsOf(parcel, move) }))
  const [only, ...others] = changes
  if (only && others.length === 0) {
    const { projectId, id, ...change } = only
    return new Map([[id, await updateParcel(tx, { projectId, id }, change)]])
  }
  return new Map((await updateParcels(tx, changes)).map((parcel) => [parcel.id, parcel]))
}

/** Types of the webhook events for a new status. */
const eventTypesOf = (to: ParcelStatus) =>
  to === 'delivered' ? (['parcel.status_changed', 'parcel.delivered'] as const) : (['parcel.status_changed'] as const)

/** Status as the API shows it: `submitting` counts as `created` until the carrier has the parcel. */
const publicStatusOf = ({ status }: ParcelRow) => (status === 'submitting' ? 'created' : status)

function columnsOf(parcel: ParcelRow, { to, at, change = {} }: ParcelStatusChange): ParcelValues {
  const stamp = timestampOf[to]
  return {
    ...change,
    status: to,
    sequence: parcel.sequence + eventTypesOf(to).length,
    outcomeUnknown: false,
    submitAt: null,
    submittingSince: null,
    pollAt: finalParcelStatuses.includes(to) ? null : new Date(Date.now() + POLL_AFTER_MS).toISOString(),
    ...(stamp && { [stamp]: at }),
    ...(to === 'delivery_failed' && { deliveryAttempts: parcel.deliveryAttempts + 1 }),
  }
}

function timelineEntryOf({ before, to, source, at, payload = {} }: AppliedMove) {
  const submitted = to === 'submitted'
  return {
    projectId: before.projectId,
    parcelId: before.id,
    id: newId('evt'),
    type: submitted ? 'submitted' : 'status_changed',
    source,
    at,
    fromStatus: submitted ? null : publicStatusOf(before),
    toStatus: to,
    payload,
  }
}

function webhookEventsOf({ before, parcel, to, source, payload = {} }: AppliedMove) {
  const { projectId, id, sequence } = before
  const data = { parcel: presentParcel(parcel), fromStatus: publicStatusOf(before), toStatus: to, source, ...payload }
  return eventTypesOf(to).map((type, at) => ({ projectId, type, data: { ...data, sequence: sequence + 1 + at }, orderKey: id }))
}
