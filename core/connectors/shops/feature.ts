import { eraseBySearch } from '../../data/personal-data/search-person.ts'
import { feature } from '../../feature.ts'
import { ApiError } from '../../http/errors/errors.ts'
import { partLeftBehind } from '../../integrations/connections/disconnect-handlers.ts'
import { markUnsure } from './channels.queries.ts'
import { connectors } from './connectors.routes.ts'
import { partFrom, requestParting } from './disconnect.ts'
import { connectorCallbacks } from './inbox/callbacks.routes.ts'
import { forgetOld, hearStore, workCallback } from './inbox/callbacks.ts'
import { inbox } from './inbox/inbox.routes.ts'
import { personalShopOrders } from './inbox/personal-data.queries.ts'
import { workAgain, workUnworked } from './inbox/replay.ts'
import { connectorSetup } from './install/setup.routes.ts'
import { subscribeAgain, subscribeUnsure } from './install/subscribe.ts'
import { whichShop } from './install/which-shop.ts'
import { pull, pullDue } from './orders/pull.ts'
import { settleWaiting } from './orders/resettle.ts'
import { rowSources } from './sheet-import/rows.routes.ts'
import { deleteSource, findSourceAt } from './sheet-import/sources.queries.ts'
import { lookUpOwnProducts, lookUpProducts } from './stock/look-up.ts'
import { tellDue, tellShop } from './stock/push-status.ts'
import { pushStock, pushStockDue } from './stock/push-stock.ts'
import { pushTriggers } from './stock/push-triggers.ts'

export default feature('channels', {
  routes: [connectors, inbox, connectorSetup, rowSources, connectorCallbacks],
  operations: { connector: { products: lookUpProducts, ownProducts: lookUpOwnProducts } },
  webhooks: { connector: (context, { slug }, storeId, request) => hearStore(context, storeId, slug, request) },
  setup: async ({ partings }) => {
    partings.set('connector', partFrom)
    return { services: {} }
  },
  jobs: {
    'channels.pullDue': { schedule: '*/5 * * * *', work: pullDue },
    'channels.pull': { work: (context, { connectionId }, signal) => pull(context, connectionId, signal) },
    'channels.settle': { work: (context, { connectionId }, signal) => settleWaiting(context, connectionId, signal) },
    'channels.callback': { work: (context, { callbackId }) => workCallback(context, callbackId) },
    'channels.replay': {
      schedule: '47 */6 * * *',
      work: (context, { connectionId }, signal) =>
        connectionId === undefined ? workUnworked(context, signal) : workAgain(context, connectionId, signal),
    },
    'channels.subscribeUnsure': { schedule: '23 * * * *', work: subscribeUnsure },
    'channels.subscribe': { work: (context, { connectionId }) => subscribeAgain(context, connectionId) },
    'channels.part': { work: (context, { connectionId }) => partLeftBehind(context, connectionId) },
    'channels.tellDue': { schedule: '* * * * *', work: tellDue },
    'channels.tell': { work: (context, { connectionId }, signal) => tellShop(context, connectionId, signal) },
    'channels.pushStockDue': { schedule: '*/2 * * * *', work: pushStockDue },
    'channels.pushStock': { work: (context, { connectionId }, signal) => pushStock(context, connectionId, signal) },
    'channels.forget': { schedule: '19 3 * * *', work: forgetOld },
  },
  subscribers: {
    'connection.changing': whichShop,
    'connection.signed_in': async (tx, { connectionId }) => void (await markUnsure(tx, connectionId)),
    'connection.leaving': async (tx, { connection }) => void (await deleteSource(tx, connection.id)),
    'store.leaving': (tx, { store }) => requestParting(tx, store.id),
    async 'sheet.choosing'(tx, { connectionId, spreadsheetId, tabId }) {
      if (await findSourceAt(tx, connectionId, spreadsheetId, tabId))
        throw new ApiError('conflict', 'The rows of this tab become orders: orders cannot be written there as well. Choose another tab.')
    },
  },
  triggers: pushTriggers,
  personalData: [
    personalShopOrders,
    eraseBySearch({
      table: 'channels',
      owner: 'connection',
      key: ['connection_id'],
      columns: { pull_message: 'text', subscribe_message: 'text' },
    }),
    eraseBySearch({
      table: 'channel_callbacks',
      owner: 'connection',
      key: ['id'],
      columns: { url: 'text', headers: 'json', body: 'bytes' },
      created: 'received_at',
      only: 'worked_at is not null',
      about: 'delete',
    }),
  ],
})
