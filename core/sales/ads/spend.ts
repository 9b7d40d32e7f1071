import { InsightPage } from '../../../plugins/ads/members.ts'
import type { Insight } from '../../../plugins/ads/model.ts'
import type { Context } from '../../context.ts'
import { enqueue } from '../../data/jobs.ts'
import { transaction } from '../../data/sql.ts'
import { AdapterFailure } from '../../platform/gateway/failure.ts'
import { callAdapter } from '../../shop/connections/call.ts'
import { connectionIfOn } from '../../shop/connections/connection.ts'
import { partsOf } from './parts.ts'
import { type AccountRow, findAccount, lockAccount } from './settings.queries.ts'
import type { AdsConnection } from './settings.ts'
import { claimAccounts, forgetDays, insertSpend, noteProblem, noteRead, type SpendRow } from './spend.queries.ts'

declare module '../../data/jobs.ts' {
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
const PAGES_MAX = 100
const ROWS_MAX = 20_000
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

/** Reads what the ads of an account cost on its last days, all of them or nothing. */
export async function readSpend(context: Context, connectionId: string, accountId: string, signal?: AbortSignal): Promise<void> {
  const connection = await connectionIfOn(context, 'ads', connectionId)
  const account = await findAccount(context.sql, connectionId, accountId)
  if (!connection || !account) return
  const { from, to } = daysToRead(account, connection.mounted.adapter.limits.insightDays)
  try {
    const found = await insightsOf(context, connection, accountId, { from, to }, signal)
    await keep(context, account, from, to, found)
  } catch (error) {
    if (!(error instanceof AdapterFailure)) throw error
    await noteProblem(context.sql, connectionId, accountId, error.message.slice(0, 500))
  }
}

/** In the account's own zone: as many as the platform tells of at first, and then those that may still change. */
function daysToRead({ timeZone, readAt }: AccountRow, most: number) {
  const to = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(new Date())
  const missed = readAt === null ? most : Math.ceil((Date.now() - Date.parse(readAt)) / DAY_MS) + LATE_DAYS
  const days = Math.min(most, missed)
  return { from: new Date(Date.parse(to) - (days - 1) * DAY_MS).toISOString().slice(0, 10), to }
}

async function insightsOf(
  context: Context,
  connection: AdsConnection,
  accountId: string,
  { from, to }: { from: string; to: string },
  signal?: AbortSignal,
): Promise<Insight[]> {
  const rows: Insight[] = []
  let cursor: string | undefined
  for (let pages = 0; pages < PAGES_MAX && rows.length < ROWS_MAX; pages += 1) {
    const period = { accountId, from, to, ...(cursor !== undefined && { cursor }) }
    const page = await callAdapter(context, connection, (adapter, own) => adapter.insights(own, period), {
      operation: 'insights',
      deadlineMs: CALL_MS,
      schema: InsightPage,
      ...(signal && { signal }),
    })
    rows.push(...page.rows.filter(({ day }) => day >= from && day <= to))
    cursor = page.cursor
    if (cursor === undefined) return rows
  }
  throw new AdapterFailure('refused', true, `The account has more than ${ROWS_MAX} rows for these days: link smaller ones.`)
}

/** Days are written whole, and only for an account that is still linked. */
async function keep({ sql }: Context, { connectionId, id: accountId }: AccountRow, from: string, to: string, found: readonly Insight[]) {
  const byPlace = new Map(found.map((row) => [`${row.day} ${row.adId}`, row]))
  await transaction(sql, async (tx) => {
    const account = await lockAccount(tx, connectionId, accountId)
    if (!account) return
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
    await noteRead(tx, connectionId, accountId)
  })
}
