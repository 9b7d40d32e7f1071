import type { Context } from '../../context.ts'
import { enqueue } from '../../data/jobs.ts'
import { slotWaitOf } from '../../integrations/connections/calls/call-adapter.ts'
import { type CarrierConnection, findEnabledConnection } from '../../integrations/connections/connection.ts'
import { AdapterFailure, isThrottled } from '../../integrations/egress/adapter-failure.ts'
import { claimDue, type DueParcel, listDueConnections, readWatched, setPolls } from '../parcels/polls.ts'
import { takeNews, trackWidth } from './apply-reports.ts'
import { nextPoll } from './poll-schedule.ts'

declare module '../../data/jobs.ts' {
  interface Jobs {
    'integrations.pollDue': Record<string, unknown>
    'integrations.poll': { connectionId: string }
  }
}

const ACCOUNTS_AT_ONCE = 1_000
/** Accounts of one carrier that are asked at once: one that answers slowly, or not at all, does not hold up the work of others. */
const LANES = 4
/** A run ends after this, so that one large account does not hold its lane; what is left is due again a minute later. */
const RUN_MS = 20_000
/** What was taken and could not be asked for comes again. */
const PUT_OFF_SECONDS = 600
const TURN_WAIT_MS = 3_000

/** Sees whose parcels are due, every minute. */
export async function pollDue({ sql }: Context) {
  for (const [at, { id, key }] of (await listDueConnections(sql, ACCOUNTS_AT_ONCE)).entries())
    await enqueue(sql, 'integrations.poll', { connectionId: id }, { key: `poll:${id}`, queue: `poll:${key}:${at % LANES}`, maxAttempts: 1 })
}

interface Run {
  readonly until: number
  readonly signal: AbortSignal
}

/** Asks one account's carrier for news of what is due, many parcels a call where it can, within half of its rate windows. */
export async function poll(context: Context, connectionId: string, signal: AbortSignal) {
  const run = { until: Date.now() + RUN_MS, signal }
  while (Date.now() < run.until && !signal.aborted) {
    const connection = await findEnabledConnection(context, 'carrier', connectionId)
    // Switched off: its parcels are due when it is on again.
    if (!connection || (await slotWaitOf(context, connection, { quota: 'poll' })) > TURN_WAIT_MS) return
    const due = await claimDue(context.sql, connection.row, PUT_OFF_SECONDS, trackWidth(connection))
    if (due.length === 0 || !(await askFor(context, connection, due, run))) return
  }
}

/** Whether there is sense in asking on. What the carrier said when it failed stands in the trace. */
async function askFor(context: Context, connection: CarrierConnection, due: readonly DueParcel[], run: Run): Promise<boolean> {
  const failure = await askOnce(context, connection, due, run)
  if (!failure) return true
  const mayBeOne =
    failure.reason === 'refused' || failure.reason === 'not_found' || (failure.reason === 'unavailable' && !isThrottled(failure))
  if (!mayBeOne || Date.now() > run.until) return false
  if (due.length === 1) return true
  // One parcel that the carrier or its adapter stumbles over does not keep the news of the others.
  const middle = Math.ceil(due.length / 2)
  return (await askFor(context, connection, due.slice(0, middle), run)) && askFor(context, connection, due.slice(middle), run)
}

/** What was asked for comes again by its age, alone or with what was not: that was put off, and is retired in its time. */
async function askOnce(
  context: Context,
  connection: CarrierConnection,
  due: readonly DueParcel[],
  { signal }: Run,
): Promise<AdapterFailure | null> {
  const { track, webhook } = connection.mounted.carrier
  const failure = await takeNews(context, connection, due, { source: 'poller', quota: 'poll', signal }).then(
    () => null,
    (error: unknown) => {
      if (error instanceof AdapterFailure) return error
      throw error
    },
  )
  const ids = due.map(({ id }) => id)
  const polls = (await readWatched(context.sql, connection.row.projectId, ids)).map((parcel) => {
    const next = track ? nextPoll(parcel, webhook !== undefined, Date.now()) : null
    return { id: parcel.id, at: next === null ? null : new Date(next).toISOString() }
  })
  const wasAsked = !failure || (due.length === 1 && !isThrottled(failure))
  await setPolls(context.sql, connection.row.projectId, wasAsked ? polls : polls.filter(({ at }) => at === null))
  return failure
}
