import { InsightPage } from '../../../../plugins/ads/members.ts'
import type { Insight } from '../../../../plugins/ads/model.ts'
import type { Context } from '../../../context.ts'
import { enqueue } from '../../../data/jobs.ts'
import { transaction } from '../../../data/sql.ts'
import { callAdapter } from '../../../integrations/connections/calls/call.ts'
import { connectionIfOn } from '../../../integrations/connections/connection.ts'
import { AdapterFailure } from '../../../integrations/egress/failure.ts'
import { partsOf } from '../parts.ts'
import { type AccountRow, findAccount, lockAccount } from '../settings.queries.ts'
import type { AdsConnection } from '../settings.ts'
import { claimAccounts, countDensest, forgetDays, insertSpend, noteDay, noteProblem, noteRead, type SpendRow } from './spend.queries.ts'

declare module '../../../data/jobs.ts' {
  interface Jobs {
    'ads.spendDue': Record<string, unknown>
    'ads.spend': { connectionId: string; accountId: string }
  }
}

const ACCOUNTS_AT_ONCE = 500
const HOUR_SECONDS = 3600
/** Platforms say for so long that what happened earlier came of an ad. */
const LATE_DAYS = 7
const DAY_MS = 86_400_000
const CALL_MS = 30_000
/** What is read before it is written. */
const ROWS_MAX = 10_000
const PAGES_MAX = 50
/** Pages on which nothing stands yet, while a report is waited for. */
const EMPTY_MAX = 50
/** Days differ. */
const SURE_SHARE = 0.7
const WRITTEN_AT_ONCE = 500

/** Sees which accounts are to be read, each once an hour. */
export async function readDueSpend({ sql }: Context): Promise<void> {
  for (const { connectionId, id: accountId, projectId } of await claimAccounts(sql, ACCOUNTS_AT_ONCE, HOUR_SECONDS))
    await enqueue(
      sql,
      'ads.spend',
      { connectionId, accountId },
      { key: `ads:${connectionId}:${accountId}`, queue: `ads:${connectionId}`, owner: projectId, maxAttempts: 1 },
    )
}

/** Reads what the ads of an account cost on its last days, and where that ended before all was read goes on from there. */
export async function readSpend(context: Context, connectionId: string, accountId: string, signal?: AbortSignal): Promise<void> {
  const connection = await connectionIfOn(context, 'ads', connectionId)
  const account = await findAccount(context.sql, connectionId, accountId)
  if (!connection || !account) return
  const { from, to } = daysToRead(account, connection.mounted.adapter.limits.insightDays)
  try {
    await readDays(context, connection, account, { from, to }, signal)
  } catch (error) {
    if (!(error instanceof AdapterFailure)) throw error
    await noteProblem(context.sql, connectionId, accountId, error.message.slice(0, 500))
  }
}

interface Days {
  readonly from: string
  readonly to: string
}

/** As many days together as can be read at once, by what there was of such a day before: of large accounts a few, or one. */
async function readDays(context: Context, connection: AdsConnection, account: AccountRow, { from, to }: Days, signal?: AbortSignal) {
  const { connectionId, id } = account
  const densest = await countDensest(context.sql, connectionId, id, LATE_DAYS)
  let together = Math.max(1, Math.floor((ROWS_MAX * SURE_SHARE) / Math.max(1, densest)))
  for (let first = from; first <= to; ) {
    together = Math.min(together, daysBetween(first, to))
    const days = { from: first, to: dayAfter(first, together - 1) }
    const found = await insightsOf(context, connection, id, days, signal)
    if (found) {
      first = dayAfter(days.to, 1)
      if (!(await keep(context, account, days, found, first))) return
    } else if (together > 1) together = Math.floor(together / 2)
    else throw new AdapterFailure('refused', true, `The account has more than ${ROWS_MAX} ads on one day. Link smaller ones.`)
  }
  await noteRead(context.sql, connectionId, id)
}

const dayAfter = (day: string, days: number) => new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)
const daysBetween = (from: string, to: string) => Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1

/** In the account's own zone: as many as the platform tells of at first, and then those that may still change. */
function daysToRead({ timeZone, readAt, nextDay }: AccountRow, most: number): Days {
  const to = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(new Date())
  const missed = readAt === null ? most : Math.ceil((Date.now() - Date.parse(readAt)) / DAY_MS) + LATE_DAYS
  const from = dayAfter(to, 1 - Math.min(most, missed))
  return { from: nextDay === null || nextDay < from ? from : nextDay, to }
}

/** Undefined where there are too many to be read together. */
async function insightsOf(
  context: Context,
  connection: AdsConnection,
  accountId: string,
  { from, to }: Days,
  signal?: AbortSignal,
): Promise<Insight[] | undefined> {
  const rows: Insight[] = []
  let cursor: string | undefined
  for (let pages = 0, empty = 0; pages < PAGES_MAX && empty < EMPTY_MAX && rows.length < ROWS_MAX; ) {
    const period = { accountId, from, to, ...(cursor !== undefined && { cursor }) }
    const page = await callAdapter(context, connection, (adapter, own) => adapter.insights(own, period), {
      operation: 'insights',
      deadlineMs: CALL_MS,
      schema: InsightPage,
      ...(signal && { signal }),
    })
    if (page.rows.length > 0) pages += 1
    else empty += 1
    rows.push(...page.rows.filter(({ day }) => day >= from && day <= to))
    cursor = page.cursor
    if (cursor === undefined) return rows
  }
  return undefined
}

/** Days are written whole, and only for an account that is still linked: whether it is. */
async function keep(
  { sql }: Context,
  { connectionId, id: accountId }: AccountRow,
  { from, to }: Days,
  found: readonly Insight[],
  nextDay: string,
): Promise<boolean> {
  const byPlace = new Map(found.map((row) => [`${row.day} ${row.adId}`, row]))
  return transaction(sql, async (tx) => {
    const account = await lockAccount(tx, connectionId, accountId)
    if (!account) return false
    await forgetDays(tx, connectionId, accountId, from, to)
    const rows = [...byPlace.values()].map(
      ({
        day,
        adId,
        adSetId,
        campaignId,
        campaignName = null,
        spend,
        impressions,
        clicks,
        conversions = 0,
        purchases = conversions,
        leads = 0,
      }): SpendRow => ({
        connectionId,
        accountId,
        day,
        adId,
        adSetId,
        campaignId,
        campaignName,
        currency: account.currency,
        spend,
        impressions,
        clicks,
        purchases,
        leads,
      }),
    )
    for (const part of partsOf(rows, WRITTEN_AT_ONCE)) await insertSpend(tx, part)
    await noteDay(tx, connectionId, accountId, nextDay)
    return true
  })
}
