import type { Context } from '../../context.ts'
import { type PageOf, readKeysetPage } from '../../http/resource/page.ts'
import { pageRows } from '../../integrations/connections/calls/page-rows.ts'
import { signOut } from '../../integrations/connections/oauth-client/sign-out.ts'
import type { OperationCall, OperationName } from '../../integrations/operations/operation-registry.ts'
import { invariant } from '../../lib/invariant.ts'
import { findStore } from '../../shop/stores/stores.queries.ts'
import { sendGivenEvents, testGivenEvent } from './events/send-given-events.ts'
import { listLinks } from './links.queries.ts'
import { changeLink, presentLink, syncLinks } from './links.ts'
import { readAd, readListingPage } from './read-listings.ts'
import { changeSettings, fetchAdAccounts, readSettings } from './settings.ts'
import { summarizeSpend } from './spend/summary.ts'

type CallOf<N extends OperationName<'ads'>> = OperationCall<'ads', N>

const signOutConnection = async (context: Context, { connection }: CallOf<'signOut'>) => {
  await signOut(context, connection.row)
  return { disconnected: true }
}

interface Budgeted {
  readonly dailyBudget?: string
  readonly lifetimeBudget?: string
}

/** Rows with their budgets as numbers: a platform tells exact decimals. */
const withBudgets = <Row extends Budgeted>({ data, nextCursor }: PageOf<Row>) => ({
  nextCursor,
  data: data.map(({ dailyBudget, lifetimeBudget, ...row }) => ({
    ...row,
    ...(dailyBudget !== undefined && { dailyBudget: Number(dailyBudget) }),
    ...(lifetimeBudget !== undefined && { lifetimeBudget: Number(lifetimeBudget) }),
  })),
})

/** Handlers of the operations of connections to advertising platforms. */
export const adsOperations = {
  signOut: { worksWhenDisabled: signOutConnection },
  adAccounts: async (context: Context, { connection, query }: CallOf<'adAccounts'>) =>
    pageRows(await fetchAdAccounts(context, connection), query),
  settings: { worksWhenDisabled: (context: Context, { connection }: CallOf<'settings'>) => readSettings(context.sql, connection.row) },
  changeSettings: (context: Context, { connection, body }: CallOf<'changeSettings'>) => changeSettings(context, connection, body),
  summary: {
    worksWhenDisabled: async (context: Context, { connection: { row }, query }: CallOf<'summary'>) =>
      summarizeSpend(context.sql, invariant(await findStore(context.sql, row.storeId), 'The store of a connection'), row, query),
  },
  campaigns: async (context: Context, { connection, query: { limit, cursor, ...wanted } }: CallOf<'campaigns'>) => {
    const found = await readListingPage(context, connection, 'campaigns', wanted, pageInput(limit, cursor))
    return withBudgets(found)
  },
  adsets: async (context: Context, { connection, query: { limit, cursor, ...wanted } }: CallOf<'adsets'>) => {
    const found = await readListingPage(context, connection, 'adsets', wanted, pageInput(limit, cursor))
    return withBudgets(found)
  },
  ads: (context: Context, { connection, query: { limit, cursor, ...wanted } }: CallOf<'ads'>) =>
    readListingPage(context, connection, 'ads', wanted, pageInput(limit, cursor)),
  ad: (context: Context, { connection, params, query }: CallOf<'ad'>) => readAd(context, connection, params.adId, query.accountId),
  links: {
    worksWhenDisabled: async (context: Context, { connection: { row }, query }: CallOf<'links'>) => {
      const found = await readKeysetPage(query, (before, take) => listLinks(context.sql, row, query.level, before, take))
      return { ...found, data: found.data.map(presentLink) }
    },
  },
  changeLink: {
    worksWhenDisabled: (context: Context, { connection, params, body }: CallOf<'changeLink'>) =>
      changeLink(context, connection, params.linkId, body),
  },
  syncLinks: (context: Context, { connection }: CallOf<'syncLinks'>) => syncLinks(context, connection),
  sendEvent: (context: Context, { adapter, caller, body: { event, ...addressed } }: CallOf<'sendEvent'>) =>
    sendGivenEvents(context, caller, adapter.slug, { ...addressed, events: [event] }, () => ['event']),
  sendEvents: (context: Context, { adapter, caller, body }: CallOf<'sendEvents'>) =>
    sendGivenEvents(context, caller, adapter.slug, body, (index) => ['events', index]),
  testEvent: (context: Context, { adapter, caller, body }: CallOf<'testEvent'>) => testGivenEvent(context, caller, adapter.slug, body),
}

const pageInput = (limit: number | undefined, cursor: string | undefined) => ({
  ...(limit !== undefined && { limit }),
  ...(cursor !== undefined && { cursor }),
})
