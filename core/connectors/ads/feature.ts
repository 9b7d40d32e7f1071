import { eraseBySearch } from '../../data/personal-data/search-person.ts'
import { feature } from '../../feature.ts'
import { adsSignInRoutes, pixelRuleRoutes } from './ads.routes.ts'
import { adsOperations } from './ads-operations.ts'
import { noteStatusEvents } from './events/note-events.ts'
import { deleteOldAdsData, requestDueEventSends, sendDueEvents } from './events/send-events.ts'
import { deleteAdsConnectionData } from './settings.queries.ts'
import { readSpend, requestDueSpendReads } from './spend/read-spend.ts'

/** Spend of ads and the orders that resulted, and conversion events for pixels, which follow the statuses of orders. */
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
    'orders.changed': (tx, { changes }) => noteStatusEvents(tx, changes),
    'connection.removed': async (tx, { connection }) => {
      if (connection.kind === 'ads') await deleteAdsConnectionData(tx, connection)
    },
  },
  personalData: [
    eraseBySearch({
      table: 'ads_events',
      owner: 'order',
      key: ['connection_id', 'order_id', 'event', 'pixel_id'],
      columns: { message: 'text' },
    }),
  ],
})
