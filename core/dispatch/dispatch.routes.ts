import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../context.ts'
import { page } from '../http/page.ts'
import { Data, Id, List, pageQuery } from '../http/schema.ts'
import { accessStore } from '../stores/access.ts'
import { Dispatch, Dispatched, DispatchOrders, Rules } from './dispatch.model.ts'
import { findRules, listDispatches } from './dispatch.queries.ts'
import { dispatchOrders } from './dispatch-orders.ts'
import { openPrices } from './prices.ts'
import { replaceRules } from './rules.ts'

const describe = (summary: string, operationId: string, role: string) => ({ tags: ['Dispatcher'], summary, operationId, 'x-role': role })
const OfStore = T.Object({ storeId: Id })

/** Orders sent with the carrier that the store's rules choose. */
export const dispatcher = (context: Context) => {
  const prices = openPrices(context)
  return new Elysia({ name: 'dispatcher', prefix: '/v1/stores/:storeId/integrations/dispatcher' })
    .use(context.auth)
    .post(
      '/dispatch',
      async ({ caller, params: { storeId }, body }) => {
        await accessStore(context, caller, storeId, 'agent')
        const { dryRun = false, ...rest } = body
        if ('orderId' in rest) {
          const { orderId, ...choice } = rest
          return { data: await dispatchOrders(context, prices, storeId, [orderId], choice, dryRun) }
        }
        const { orderIds, ...choice } = rest
        return { data: await dispatchOrders(context, prices, storeId, orderIds, choice, dryRun) }
      },
      {
        access: 'orders:write',
        params: OfStore,
        body: DispatchOrders,
        response: Data(T.Array(Dispatched)),
        detail: describe(
          'Send up to 100 orders, each with the carrier that the rules choose; answers row by row',
          'dispatchOrders',
          'agent',
        ),
      },
    )
    .get(
      '/rules',
      async ({ caller, params: { storeId } }) => {
        await accessStore(context, caller, storeId, 'viewer')
        return { data: { rules: await findRules(context.sql, storeId) } }
      },
      {
        access: 'orders:read',
        params: OfStore,
        response: Data(Rules),
        detail: describe('Rules by which a carrier is chosen', 'readDispatchRules', 'viewer'),
      },
    )
    .put(
      '/rules',
      async ({ caller, params: { storeId }, body }) => {
        await accessStore(context, caller, storeId, 'admin')
        return { data: { rules: [...(await replaceRules(context, storeId, body.rules))] } }
      },
      {
        access: 'stores:write',
        params: OfStore,
        body: Rules,
        response: Data(Rules),
        detail: describe('Replace the rules', 'replaceDispatchRules', 'admin'),
      },
    )
    .get(
      '/dispatches',
      async ({ caller, params: { storeId }, query }) => {
        await accessStore(context, caller, storeId, 'viewer')
        return page(query, (before, take) => listDispatches(context.sql, storeId, query.orderId, before, take))
      },
      {
        access: 'orders:read',
        params: OfStore,
        query: T.Object({ ...pageQuery, orderId: T.Optional(Id) }),
        response: List(Dispatch),
        detail: describe('What was chosen, and why; newest first', 'listDispatches', 'viewer'),
      },
    )
}
