import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { readList } from '../../http/resource/list.ts'
import { tagOperations } from '../../http/route.ts'
import { Data, Id, List } from '../../http/schema.ts'
import { Dispatch, DispatchRequest, DispatchResult, DispatchRules, dispatchList } from './dispatch.model.ts'
import { findDispatchRules, listDispatches } from './dispatch.queries.ts'
import { dispatchOrders } from './dispatch-orders.ts'
import { openPriceSource } from './prices.ts'
import { replaceDispatchRules } from './rules.ts'

const describe = tagOperations('Dispatcher')
const OfStore = T.Object({ storeId: Id })

/** Routes that send orders with the carrier that the store's rules choose. */
export const dispatchRoutes = (context: Context) => {
  const prices = openPriceSource(context)
  return new Elysia({ name: 'dispatcher', prefix: '/v1/stores/:storeId/integrations/dispatcher' })
    .use(context.authority)
    .post(
      '/dispatch',
      async ({ store, body }) => {
        const { dryRun = false, ...rest } = body
        if ('orderId' in rest) {
          const { orderId, ...choice } = rest
          return { data: await dispatchOrders(context, prices, store, [orderId], choice, { dryRun }) }
        }
        const { orderIds, ...choice } = rest
        return { data: await dispatchOrders(context, prices, store, orderIds, choice, { dryRun }) }
      },
      {
        store: ['agent', 'orders:write', 'parcels'],
        params: OfStore,
        body: DispatchRequest,
        response: Data(T.Array(DispatchResult)),
        detail: describe(
          'Send up to 100 orders, each with the carrier that the rules choose; the response has a result for each',
          'dispatchOrders',
        ),
      },
    )
    .get('/rules', async ({ store }) => ({ data: { rules: await findDispatchRules(context.sql, store.id) } }), {
      store: ['viewer', 'orders:read'],
      params: OfStore,
      response: Data(DispatchRules),
      detail: describe('Read the rules that choose a carrier', 'readDispatchRules'),
    })
    .put('/rules', async ({ store, body }) => ({ data: { rules: [...(await replaceDispatchRules(context, store, body.rules))] } }), {
      store: ['admin', 'stores:write'],
      params: OfStore,
      body: DispatchRules,
      response: Data(DispatchRules),
      detail: describe('Replace the rules', 'replaceDispatchRules'),
    })
    .get(
      '/dispatches',
      ({ store, query }) => readList(context.sql, dispatchList, query, (reader, asked) => listDispatches(reader, store.id, asked)),
      {
        store: ['viewer', 'orders:read'],
        params: OfStore,
        query: dispatchList.query,
        response: List(Dispatch),
        detail: describe('List the chosen carriers, with the reasons', 'listDispatches'),
      },
    )
}
