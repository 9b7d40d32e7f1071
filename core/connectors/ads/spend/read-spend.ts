import { InsightPage } from '../../../../plugins/ads/members.ts'
import type { Insight } from '../../../../plugins/ads/model.ts'
import type { Context } from '../../../context.ts'
import { enqueue } from '../../../data/jobs.ts'
import { transaction } from '../../../data/sql.ts'
import { callAdapter } from '../../../integrations/connections/calls/call-adapter.ts'
import { findEnabledConnection } from '../../../integrations/connections/connection.ts'
import { AdapterFailure } from '../../../integrations/egress/adapter-failure.ts'
import { DAY_MS } from '../../../lib/durations.ts'
import { chunksOf } from '../chunks.ts'
import { type AccountRow, findAccount, lockAccount } from '../settings.queries.ts'
import type { AdsConnection } from '../settings.ts'
import {
  claimAccounts,
  countRowsOfFullestDay,
  deleteSpendOfDays,
  insertSpend,
  recordAccountProblem,
  recordAccountRead,
  recordNextDay,
  type SpendRow,
} from './spend.queries.ts'

declare module '../../../data/jobs.ts' {
  interface Jobs {
    'ads.spendDue': Record<string, unknown>
    'ads.spend': { connectionId: string; accountId: string }
  }
}

const ACCOUNTS_AT_ONCE = 500
const HOUR_SECONDS = 3600
/** Days for which platforms still attribute conversions to an earlier day. */
const LATE_DAYS = 7
const CALL_MS = 30_000
/** Largest number of rows that are read before they are written. */
const ROWS_MAX = 10_000
const PAGES_MAX = 50
/** Largest number of empty pages that are read while a report is being prepared. */
const EMPTY_MAX = 50
/** Share of the row limit that is planned for, since days differ. */
const PLANNED_SHARE = 0.7
const WRITTEN_AT_ONCE = 500

/** Enqueues the reading of accounts that are due; each is due once an hour. */
export async function requestDueSpendReads({ sql }: Context): Promise<void> {
  for (const { connectionId, id: accountId, projectId } of await claimAccounts(sql, ACCOUNTS_AT_ONCE, HOUR_SECONDS))
    await enqueue(
      sql,
      'ads.spend',
      { connectionId, accountId },
      { key: `ads:${connectionId}:${accountId}`, queue: `ads:${connectionId}`, owner: projectId, maxAttempts: 1 },
    )
}

/** Reads the spend of an account's last days and continues where the last run stopped. Records the problem if the platform fails. */
export async function readSpend(context: Context, connectionId: string, accountId: string, signal?: AbortSignal): Promise<void> {
  const connection = await findEnabledConnection(context, 'ads', connectionId)
  const account = connection && (await findAccount(context.sql, connection.row, accountId))
  if (!account) return
  const { from, to } = daysToRead(account, connection.mounted.adapter.limits.insightDays)
  try {
    await readDays(context, connection, account, { from, to }, signal)
  } catch (error) {
    if (!(error instanceof AdapterFailure)) throw error
    await recordAccountProblem(context.sql, account, error.message.slice(0, 500))
  }
}

interface Days {
  readonly from: string
  readonly to: string
}

/** Reads several days per request, as many as the rows of recent days suggest. Halves the number if a request returns too much. */
async function readDays(context: Context, connection: AdsConnection, account: AccountRow, { from, to }: Days, signal?: AbortSignal) {
  const densest = await countRowsOfFullestDay(context.sql, account, LATE_DAYS)
  let daysAtOnce = Math.max(1, Math.floor((ROWS_MAX * PLANNED_SHARE) / Math.max(1, densest)))
  for (let first = from; first <= to; ) {
    daysAtOnce = Math.min(daysAtOnce, daysBetween(first, to))
    const days = { from: first, to: dayAfter(first, daysAtOnce - 1) }
    const found = await fetchInsights(context, connection, account.id, days, signal)
    if (found) {
      first = dayAfter(days.to, 1)
      if (!(await replaceDays(context, account, days, found, first))) return
    } else if (daysAtOnce > 1) daysAtOnce = Math.floor(daysAtOnce / 2)
    else throw new AdapterFailure('refused', `The account has more than ${ROWS_MAX} ads on one day. Link smaller ones.`, { wasSent: true })
  }
  await recordAccountRead(context.sql, account)
}

const dayAfter = (day: string, days: number) => new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)
const daysBetween = (from: string, to: string) => Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1

/** Returns the days to read, in the account's time zone: all that the platform offers at first, later those that may still change. */
function daysToRead({ timeZone, readAt, nextDay }: AccountRow, most: number): Days {
  const to = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(new Date())
  const missed = readAt === null ? most : Math.ceil((Date.now() - Date.parse(readAt)) / DAY_MS) + LATE_DAYS
  const from = dayAfter(to, 1 - Math.min(most, missed))
  return { from: nextDay === null || nextDay < from ? from : nextDay, to }
}

/** Reads the figures of a period. Returns undefined if there are too many to read together. */
async function fetchInsights(
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

/** Replaces whole days of an account. Returns false if it is no longer linked. */
async function replaceDays(
  { sql }: Context,
  key: AccountRow,
  { from, to }: Days,
  found: readonly Insight[],
  nextDay: string,
): Promise<boolean> {
  const byPlace = new Map(found.map((row) => [`${row.day} ${row.adId}`, row]))
  return transaction(sql, async (tx) => {
    const account = await lockAccount(tx, key)
    if (!account) return false
    await deleteSpendOfDays(tx, account, from, to)
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
        projectId: account.projectId,
        connectionId: account.connectionId,
        accountId: account.id,
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
    for (const part of chunksOf(rows, WRITTEN_AT_ONCE)) await insertSpend(tx, part)
    await recordNextDay(tx, account, nextDay)
    return true
  })
}
