import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { expectOne } from '../../data/sql.ts'
import { sensitiveNeeds } from '../../http/auth/scopes.ts'
import { tagOperations } from '../../http/route.ts'
import { Data, Id } from '../../http/schema.ts'
import type { RequiredAccess } from '../../shop/stores/authority.ts'
import {
  ConfirmationInsights,
  ConfirmationInsightsRequest,
  FinancialTimeline,
  FinancialTimelineRequest,
  LandingPageLor,
  OrdersCount,
  OrdersCountRequest,
  OrdersTimeline,
  OrdersTimelineRequest,
  ProductLor,
  ProductsLorRequest,
  SeriesQuery,
  StoreLor,
  StoresLorRequest,
} from './analytics.model.ts'
import { readLandingPageLor, readProductsLor, readStoreLor, readStoresLor } from './lor.ts'
import { storesMacro } from './stores-macro.ts'
import { countOrdersByField, readConfirmationInsights, readFinancialTimeline, readOrdersTimeline } from './timelines.ts'

const describe = tagOperations('Analytics')
const store: RequiredAccess = ['viewer', sensitiveNeeds.readFigures]
const LOR = 'From leads to delivered orders, with rates'

/** Routes of the lead-to-order rates of stores, products and landing pages. */
export const lorRoutes = (context: Context) =>
  new Elysia({ name: 'lead to order rates', prefix: '/v1/stores' })
    .use(context.authority)
    .macro('eachStore', storesMacro(context))
    .get('/:storeId/analytics/lor', async ({ store: of, query }) => ({ data: await readStoreLor(context.sql, of, query) }), {
      store,
      params: T.Object({ storeId: Id }),
      query: SeriesQuery,
      response: Data(StoreLor),
      detail: describe(`${LOR}: of a store`, 'readStoreLor'),
    })
    .post(
      '/analytics/lor/batch',
      async ({ stores, body: { storeIds: _, ...asked } }) => ({ data: await readStoresLor(context.sql, stores, asked) }),
      {
        eachStore: store,
        body: StoresLorRequest,
        response: Data(T.Array(StoreLor)),
        detail: describe(`${LOR}: of several stores, each in its own time zone`, 'readStoresLor'),
      },
    )
    .post(
      '/:storeId/products/analytics/lor/batch',
      async ({ store: of, body: { productIds, ...asked } }) => ({
        data: await readProductsLor(context.sql, of, productIds, asked),
      }),
      {
        store,
        params: T.Object({ storeId: Id }),
        body: ProductsLorRequest,
        response: Data(T.Array(ProductLor)),
        detail: describe(`${LOR}: of several products`, 'readProductsLor'),
      },
    )
    .get(
      '/:storeId/products/:productId/analytics/lor',
      async ({ store: of, params, query }) => {
        const found = await readProductsLor(context.sql, of, [params.productId], query)
        return { data: expectOne(found) }
      },
      {
        store,
        params: T.Object({ storeId: Id, productId: Id }),
        query: SeriesQuery,
        response: Data(ProductLor),
        detail: describe(`${LOR}: of the orders that have a line of a product`, 'readProductLor'),
      },
    )
    .get(
      '/:storeId/product_landing_pages/:landingPageId/analytics/lor',
      async ({ store: of, params, query }) => ({ data: await readLandingPageLor(context.sql, of, params.landingPageId, query) }),
      {
        store,
        params: T.Object({ storeId: Id, landingPageId: Id }),
        query: SeriesQuery,
        response: Data(LandingPageLor),
        detail: describe(`${LOR}: of the orders whose metadata names this landingPageId`, 'readLandingPageLor'),
      },
    )

/** Routes of the analytics of a store's orders. */
export const orderAnalyticsRoutes = ({ sql, authority }: Context) =>
  new Elysia({ name: 'order analytics', prefix: '/v1/actions/analytics' })
    .use(authority)
    .post('/getFinancialTimeline', async ({ store: of, body }) => ({ data: await readFinancialTimeline(sql, of, body) }), {
      store,
      body: FinancialTimelineRequest,
      response: Data(FinancialTimeline),
      detail: describe('Read the amounts of the orders of a store over time', 'getFinancialTimeline'),
    })
    .post('/getOrdersTimeline', async ({ store: of, body }) => ({ data: await readOrdersTimeline(sql, of, body) }), {
      store,
      body: OrdersTimelineRequest,
      response: Data(OrdersTimeline),
      detail: describe('Count the orders of a store over time, by current status', 'getOrdersTimeline'),
    })
    .post('/getOrdersCountByField', async ({ store: of, body }) => ({ data: await countOrdersByField(sql, of, body) }), {
      store,
      body: OrdersCountRequest,
      response: Data(OrdersCount),
      detail: describe('Count the orders of a store by the values of a field', 'getOrdersCountByField'),
    })
    .post('/getConfirmationInsights', async ({ store: of, body }) => ({ data: await readConfirmationInsights(sql, of, body) }), {
      store,
      body: ConfirmationInsightsRequest,
      response: Data(ConfirmationInsights),
      detail: describe('Read the results of the orders of each agent', 'getConfirmationInsights'),
    })
