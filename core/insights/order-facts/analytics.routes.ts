import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { expectOne } from '../../data/sql.ts'
import { Data, Id } from '../../http/schema.ts'
import type { RequiredAccess } from '../../shop/stores/authority.ts'
import {
  AskedSeries,
  ConfirmationInsights,
  CountAsked,
  FinancialAsked,
  FinancialTimeline,
  InsightsAsked,
  LandingPageLor,
  OrdersCount,
  OrdersTimeline,
  ProductLor,
  ProductsAsked,
  StoreLor,
  StoresAsked,
  TimelineAsked,
} from './analytics.model.ts'
import { eachStore } from './each-store.ts'
import { lorOfLandingPage, lorOfProducts, lorOfStore, lorOfStores } from './lor.ts'
import { confirmationInsights, countByField, financialTimeline, ordersTimeline } from './timelines.ts'

const describe = (summary: string, operationId: string) => ({ tags: ['Analytics'], summary, operationId })
const store: RequiredAccess = ['viewer', 'orders:read']
const LOR = 'From leads to delivered orders, with rates'

/** Routes of the lead-to-order rates of stores, products and landing pages. */
export const lor = (context: Context) =>
  new Elysia({ name: 'lead to order rates', prefix: '/v1/stores' })
    .use(context.authority)
    .macro('eachStore', eachStore(context))
    .get('/:storeId/analytics/lor', async ({ store: of, query }) => ({ data: await lorOfStore(context.sql, of, query, '/query') }), {
      store,
      params: T.Object({ storeId: Id }),
      query: AskedSeries,
      response: Data(StoreLor),
      detail: describe(`${LOR}: of a store`, 'readStoreLor'),
    })
    .post(
      '/analytics/lor/batch',
      async ({ stores, body: { storeIds: _, ...asked } }) => ({ data: await lorOfStores(context.sql, stores, asked) }),
      {
        eachStore: store,
        body: StoresAsked,
        response: Data(T.Array(StoreLor)),
        detail: describe(`${LOR}: of several stores, each in its own time zone`, 'readStoresLor'),
      },
    )
    .post(
      '/:storeId/products/analytics/lor/batch',
      async ({ store: of, body: { productIds, ...asked } }) => ({ data: await lorOfProducts(context.sql, of, productIds, asked, '/body') }),
      {
        store,
        params: T.Object({ storeId: Id }),
        body: ProductsAsked,
        response: Data(T.Array(ProductLor)),
        detail: describe(`${LOR}: of several products`, 'readProductsLor'),
      },
    )
    .get(
      '/:storeId/products/:productId/analytics/lor',
      async ({ store: of, params, query }) => {
        const found = await lorOfProducts(context.sql, of, [params.productId], query, '/query')
        return { data: expectOne(found) }
      },
      {
        store,
        params: T.Object({ storeId: Id, productId: Id }),
        query: AskedSeries,
        response: Data(ProductLor),
        detail: describe(`${LOR}: of the orders that have a line of a product`, 'readProductLor'),
      },
    )
    .get(
      '/:storeId/product_landing_pages/:landingPageId/analytics/lor',
      async ({ store: of, params, query }) => ({ data: await lorOfLandingPage(context.sql, of, params.landingPageId, query) }),
      {
        store,
        params: T.Object({ storeId: Id, landingPageId: Id }),
        query: AskedSeries,
        response: Data(LandingPageLor),
        detail: describe(`${LOR}: of the orders whose metadata names this landingPageId`, 'readLandingPageLor'),
      },
    )

/** Routes of the analytics of a store's orders. */
export const orderAnalytics = ({ sql, authority }: Context) =>
  new Elysia({ name: 'order analytics', prefix: '/v1/actions/analytics' })
    .use(authority)
    .post('/getFinancialTimeline', async ({ store: of, body }) => ({ data: await financialTimeline(sql, of, body) }), {
      store,
      body: FinancialAsked,
      response: Data(FinancialTimeline),
      detail: describe('Read the amounts of the orders of a store over time', 'getFinancialTimeline'),
    })
    .post('/getOrdersTimeline', async ({ store: of, body }) => ({ data: await ordersTimeline(sql, of, body) }), {
      store,
      body: TimelineAsked,
      response: Data(OrdersTimeline),
      detail: describe('Count the orders of a store over time, by current status', 'getOrdersTimeline'),
    })
    .post('/getOrdersCountByField', async ({ store: of, body }) => ({ data: await countByField(sql, of, body) }), {
      store,
      body: CountAsked,
      response: Data(OrdersCount),
      detail: describe('Count the orders of a store by the values of a field', 'getOrdersCountByField'),
    })
    .post('/getConfirmationInsights', async ({ store: of, body }) => ({ data: await confirmationInsights(sql, of, body) }), {
      store,
      body: InsightsAsked,
      response: Data(ConfirmationInsights),
      detail: describe('Read the results of the orders of each agent', 'getConfirmationInsights'),
    })
