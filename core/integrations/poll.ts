import type { Context } from '../context.ts'
import { enqueue } from '../data/jobs.ts'
import { CarrierFailure } from '../gateway/failure.ts'
import { type Account, accountIfOn, turnAt } from './call-carrier.ts'
import { claimDue, type DueParcel, listDueAccounts, readWatched, setPolls } from './poll.queries.ts'
import { nextPoll } from './poll-schedule.ts'
import { takeNews, trackWidth } from './take-news.ts'

declare module '../data/jobs.ts' {
  interface Jobs {
    'integrations.pollDue': Record<string, unknown>
    'integrations.poll': { accountId: string }
  }
}

const ACCOUNTS_AT_ONCE = 1_000
/** Half of each rate window is left to sending. */
const SHARE = 0.5
/** A run ends after this, so that one large account does not hold a worker; what is left is due again a minute later. */
const RUN_MS = 45_000
/** What was taken and could not be asked for comes again. */
const PUT_OFF_SECONDS = 600
const TURN_WAIT_MS = 3_000

/** Sees whose parcels are due. Runs every minute; an account that is being asked already is not asked twice. */
export async function pollDue({ sql }: Context) {
  for (const accountId of await listDueAccounts(sql, ACCOUNTS_AT_ONCE))
    await enqueue(sql, 'integrations.poll', { accountId }, { key: `poll:${accountId}`, maxAttempts: 1 })
}

/** Asks one account's carrier for news of what is due, many parcels a call where it can, within half of its rate windows. */
export async function poll(context: Context, accountId: string, signal: AbortSignal) {
  const account = await accountIfOn(context, accountId)
  // Switched off since: its parcels are due again when it is on.
  if (!account) return
  for (const until = Date.now() + RUN_MS; Date.now() < until && !signal.aborted; ) {
    if ((await turnAt(context, account, { share: SHARE })) > TURN_WAIT_MS) return
    const due = await claimDue(context.sql, accountId, PUT_OFF_SECONDS, trackWidth(account))
    if (due.length === 0) return
    const asked = await askFor(context, account, due, signal).catch(asNotAsked)
    if (!asked) return
  }
}

/** A carrier that cannot be asked now is asked again later; what it said stands in the trace. */
function asNotAsked(error: unknown): false {
  if (error instanceof CarrierFailure) return false
  throw error
}

async function askFor(context: Context, account: Account, due: readonly DueParcel[], signal: AbortSignal) {
  const { carrier } = account.mounted
  if (carrier.track) await takeNews(context, account, due, { source: 'poller', share: SHARE, signal })
  const after = await readWatched(
    context.sql,
    due.map(({ id }) => id),
  )
  const next = (parcel: DueParcel) => (carrier.track ? nextPoll(parcel, carrier.webhook !== undefined, Date.now()) : null)
  const polls = after.map((parcel) => ({ id: parcel.id, at: next(parcel) }))
  await setPolls(
    context.sql,
    polls.map(({ id, at }) => ({ id, at: at === null ? null : new Date(at).toISOString() })),
  )
  return true
}
