import { eraseBySearch } from '../../data/personal-data/search-person.ts'
import { feature } from '../../feature.ts'
import { unregisterOrphanedWebhooks } from '../../integrations/connections/unregister-webhooks.ts'
import { connectorRoutes } from './connectors.routes.ts'
import { disconnectShop, requestShopDisconnects } from './disconnect-shop.ts'
import { deleteOldShopData } from './inbox/delete-expired.ts'
import { inboxRoutes } from './inbox/inbox.routes.ts'
import { personalShopOrders } from './inbox/personal-data.queries.ts'
import { processWebhook } from './inbox/process-webhook.ts'
import { findStoreRecipients, storeWebhook } from './inbox/receive-webhook.ts'
import { replayWebhooks, retryUnprocessedWebhooks } from './inbox/replay.ts'
import { countOrdersToImport, countUnmatchedGoods, countUnreadableOrders } from './inbox/waiting.queries.ts'
import { connectorWebhookRoutes } from './inbox/webhooks.routes.ts'
import { guardShopChange } from './install/guard-shop-change.ts'
import { renewWebhooks, requestStaleWebhookRenewals } from './install/register-webhooks.ts'
import { connectorSetupRoutes } from './install/setup.routes.ts'
import { importPendingOrders } from './orders/import-pending-orders.ts'
import { pullOrders, requestDuePulls } from './orders/pull-orders.ts'
import { deleteRowSource, findRowSourceOfTab } from './sheet-import/row-sources.queries.ts'
import { rowSourceRoutes } from './sheet-import/rows.routes.ts'
import { markAccountUnsure } from './shop-sync.queries.ts'
import { connectorShopErrors } from './shops.errors.ts'
import { lookUpOwnProducts, lookUpProducts } from './stock/look-up-products.ts'
import { markMovedOrders, pushStatuses, requestDueStatusPushes } from './stock/push-status.ts'
import { pushStock, requestDueStockPushes } from './stock/push-stock.ts'
import { pushTriggers } from './stock/push-triggers.ts'

export default feature('shops', {
  routes: [connectorRoutes, inboxRoutes, connectorSetupRoutes, rowSourceRoutes, connectorWebhookRoutes],
  operations: { connector: { products: lookUpProducts, ownProducts: lookUpOwnProducts } },
  webhooks: { connector: { findRecipients: findStoreRecipients, handle: storeWebhook, unregister: disconnectShop } },
  jobs: {
    'connectors.pullDue': { schedule: '*/5 * * * *', work: requestDuePulls },
    'connectors.pull': { work: (context, { connectionId }, signal) => pullOrders(context, connectionId, signal) },
    'connectors.importPending': { work: (context, { connectionId }, signal) => importPendingOrders(context, connectionId, signal) },
    'connectors.processWebhook': { work: (context, { callbackId }) => processWebhook(context, callbackId) },
    'connectors.replayWebhooks': {
      schedule: '47 */6 * * *',
      work: (context, { connectionId }, signal) =>
        connectionId === undefined ? retryUnprocessedWebhooks(context, signal) : replayWebhooks(context, connectionId, signal),
    },
    'connectors.registerMissingWebhooks': { schedule: '23 * * * *', work: requestStaleWebhookRenewals },
    'connectors.registerWebhooks': { work: (context, { connectionId }) => renewWebhooks(context, connectionId) },
    'connectors.disconnect': { work: (context, { connectionId }) => unregisterOrphanedWebhooks(context, connectionId) },
    'connectors.pushStatusDue': { schedule: '* * * * *', work: requestDueStatusPushes },
    'connectors.pushStatus': { work: (context, { connectionId }, signal) => pushStatuses(context, connectionId, signal) },
    'connectors.pushStockDue': { schedule: '*/2 * * * *', work: requestDueStockPushes },
    'connectors.pushStock': { work: (context, { connectionId }, signal) => pushStock(context, connectionId, signal) },
    'connectors.deleteExpired': { schedule: '19 3 * * *', work: deleteOldShopData },
  },
  subscribers: {
    'orders.changed': (tx, { changes }) => markMovedOrders(tx, changes),
    'connection.changed': guardShopChange,
    'connection.signed_in': async (tx, { projectId, connectionId }) => void (await markAccountUnsure(tx, { projectId, id: connectionId })),
    'connection.removed': async (tx, { connection }) => void (await deleteRowSource(tx, connection)),
    'store.deleted': (tx, { store }) => requestShopDisconnects(tx, store.id),
    async 'sheet.target_chosen'(tx, { projectId, connectionId, spreadsheetId, tabId }) {
      if (await findRowSourceOfTab(tx, { projectId, id: connectionId }, spreadsheetId, tabId)) throw connectorShopErrors.tabIsWritten()
    },
  },
  triggers: pushTriggers,
  attention: [
    {
      kind: 'shop_orders_unreadable',
      meaning: 'Sales of connected shops that could not be read: look at what the shop sent, then try again.',
      group: 'orders',
      right: ['agent', 'orders:write'],
      count: countUnreadableOrders,
    },
    {
      kind: 'shop_orders_waiting',
      meaning: 'Sales of connected shops that cannot be imported yet: solve the reason that each one names.',
      group: 'orders',
      right: ['agent', 'orders:write'],
      count: countOrdersToImport,
    },
    {
      kind: 'shop_goods_unmatched',
      meaning: 'Articles of connected shops without a product of the store: match them once.',
      group: 'connections',
      right: ['agent', 'orders:write'],
      count: countUnmatchedGoods,
    },
  ],
  personalData: [
    personalShopOrders,
    eraseBySearch({
      table: 'connectors',
      owner: 'project',
      key: ['connection_id'],
      columns: { pull_message: 'text', subscribe_message: 'text' },
    }),
    eraseBySearch({
      table: 'connector_callbacks',
      owner: 'project',
      key: ['id'],
      columns: { url: 'text', headers: 'json', events: 'body', body: 'bytes' },
      created: 'received_at',
      only: 'worked_at is not null',
      about: 'delete',
    }),
  ],
})
