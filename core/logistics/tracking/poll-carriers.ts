import type { Context } from '../../context.ts'
import { enqueue } from '../../data/jobs.ts'
import { slotWaitOf } from '../../integrations/connections/calls/call-adapter.ts'
import { type CarrierConnection, findEnabledConnection } from '../../integrations/connections/connection.ts'
import { AdapterFailure, isThrottled } from '../../integrations/egress/adapter-failure.ts'
import { claimDueParcels, type DueParcel, listDueConnections, readPollStates, updatePollTimes } from '../parcels/polls.ts'
import { nextPollTime } from './poll-schedule.ts'
import { trackBatchSize, trackParcels } from './track-parcels.ts'

declare module '../../data/jobs.ts' {
  interface Jobs {
    'tracking.pollDue': Record<string, unknown>
    'tracking.poll': { connectionId: string }
  }
}

const ACCOUNTS_AT_ONCE = 1_000
/** Number of connections of one carrier that are polled concurrently, so that a slow carrier does not delay the others. */
const LANES = 4
/** Duration after which a run ends, so that a large connection does not block its lane; the rest is due again a minute later. */
const RUN_MS = 20_000
/** Delay after which parcels that were claimed but not polled are due again. */
const POSTPONE_SECONDS = 600
const SLOT_WAIT_MS = 3_000

/** Enqueues a poll for each connection with due parcels. Work of the job `tracking.pollDue`. */
export async function enqueueDuePolls({ sql }: Context) {
  for (const [at, { id, key }] of (await listDueConnections(sql, ACCOUNTS_AT_ONCE)).entries())
    await enqueue(sql, 'tracking.poll', { connectionId: id }, { key: `poll:${id}`, queue: `poll:${key}:${at % LANES}`, maxAttempts: 1 })
}

interface Run {
  readonly until: number
  readonly signal: AbortSignal
}

/** Polls the due parcels of a connection, many per call if the carrier allows it, within half of its rate limits. */
export async function pollConnection(context: Context, connectionId: string, signal: AbortSignal) {
  const run = { until: Date.now() + RUN_MS, signal }
  while (Date.now() < run.until && !signal.aborted) {
    const connection = await findEnabledConnection(context, 'carrier', connectionId)
    // The parcels of a disabled connection become due again when it is enabled.
    if (!connection || (await slotWaitOf(context, connection, { quota: 'poll' })) > SLOT_WAIT_MS) return
    const due = await claimDueParcels(context.sql, connection.row, POSTPONE_SECONDS, trackBatchSize(connection))
    if (due.length === 0 || !(await pollParcels(context, connection, due, run))) return
  }
}

/**
 * Polls parcels, and halves the group after a failure that one parcel may cause. Returns false when polling should stop. The trace has the
 * carrier's error.
 */
async function pollParcels(context: Context, connection: CarrierConnection, due: readonly DueParcel[], run: Run): Promise<boolean> {
  const failure = await pollOnce(context, connection, due, run)
  if (!failure) return true
  const mayBeOne =
    failure.reason === 'refused' || failure.reason === 'not_found' || (failure.reason === 'unavailable' && !isThrottled(failure))
  if (!mayBeOne || Date.now() > run.until) return false
  if (due.length === 1) return true
  // One parcel that fails at the carrier or in its adapter must not block the reports of the others.
  const middle = Math.ceil(due.length / 2)
  return (await pollParcels(context, connection, due.slice(0, middle), run)) && pollParcels(context, connection, due.slice(middle), run)
}

/** Polls parcels in one call, and sets the time of their next poll. Parcels that were not polled stay postponed. */
async function pollOnce(
  context: Context,
  connection: CarrierConnection,
  due: readonly DueParcel[],
  { signal }: Run,
): Promise<AdapterFailure | null> {
  const { track, webhook } = connection.mounted.carrier
  const failure = await trackParcels(context, connection, due, { source: 'poller', quota: 'poll', signal }).then(
    () => null,
    (error: unknown) => {
      if (error instanceof AdapterFailure) return error
      throw error
    },
  )
  const ids = due.map(({ id }) => id)
  const polls = (await readPollStates(context.sql, connection.row.projectId, ids)).map((parcel) => {
    const next = track ? nextPollTime(parcel, { callsBack: webhook !== undefined }, Date.now()) : null
    return { id: parcel.id, at: next === null ? null : new Date(next).toISOString() }
  })
  const wasAsked = !failure || (due.length === 1 && !isThrottled(failure))
  await updatePollTimes(context.sql, connection.row.projectId, wasAsked ? polls : polls.filter(({ at }) => at === null))
  return failure
}
