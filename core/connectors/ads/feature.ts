import { eraseBySearch } from '../../data/personal-data/search-person.ts'
import { feature } from '../../feature.ts'
import { adsSignInRoutes, pixelRuleRoutes } from './ads.routes.ts'
import { adsOperations } from './ads-operations.ts'
import { deleteOldAdsData, requestDueEventSends, sendDueEvents } from './events/send-events.ts'
import { deleteAdsConnectionData } from './settings.queries.ts'
import { readSpend, requestDueSpendReads } from './spend/read-spend.ts'

/**
 * Spend of ads and the orders that resulted, and conversion events for pixels. A trigger on orders inserts the events in the transaction
 * that changes the order.
 */
const AD_RULES = `Notes an event for each rule that names the order's new status; the job ads.sendDue sends it. Orders move in bulk: one insert from a
  select of the rules costs less than a round trip for each order.`

export default feature('ads', {
  routes: [pixelRuleRoutes, adsSignInRoutes],
  operations: { ads: adsOperations },
  jobs: {
    'ads.sendDue': { schedule: '* * * * *', work: requestDueEventSends },
    'ads.send': { work: (context, { connectionId }, signal) => sendDueEvents(context, connectionId, signal) },
    'ads.deleteExpired': { schedule: '53 3 * * *', work: deleteOldAdsData },
    'ads.spendDue': { schedule: '*/5 * * * *', work: requestDueSpendReads },
    'ads.spend': { work: (context, { connectionId, accountId }, signal) => readSpend(context, connectionId, accountId, signal) },
  },
  subscribers: {
    'connection.removed': async (tx, { connection }) => {
      if (connection.kind === 'ads') await deleteAdsConnectionData(tx, connection)
    },
  },
  triggers: [
    { table: 'orders', name: 'ads_new', on: ['insert'], function: 'ads_follow', why: AD_RULES },
    { table: 'orders', name: 'ads_moved', on: ['update'], function: 'ads_follow', why: AD_RULES },
  ],
  personalData: [
    eraseBySearch({
      table: 'ads_events',
      owner: 'order',
      key: ['connection_id', 'order_id', 'event', 'pixel_id'],
      columns: { message: 'text' },
    }),
  ],
})
