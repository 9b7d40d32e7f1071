import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { withCustomPlan } from '../../data/keyset-page.ts'
import { sensitiveNeeds } from '../../http/auth/scopes.ts'
import { Data, Id } from '../../http/schema.ts'
import { DayRange, ProductReport, ProductSells } from './product-figures.model.ts'
import { readProductReport, readProductSells } from './read-figures.ts'

const ByProduct = T.Object({ storeId: Id, productId: Id })
const tags = ['Products']

/** Routes of the figures of a product. */
export const productFigureRoutes = ({ sql, authority }: Context) =>
  new Elysia({ name: 'product figures', prefix: '/v1/stores/:storeId/products/:productId' })
    .use(authority)
    .get(
      '/sells',
      async ({ store, params, query }) => ({
        data: await withCustomPlan(sql, (tx) => readProductSells(tx, store, params.productId, query)),
      }),
      {
        store: ['viewer', sensitiveNeeds.readFigures],
        params: ByProduct,
        query: DayRange,
        response: Data(ProductSells),
        detail: { tags, summary: 'Units and money that a product sold, by day', operationId: 'readProductSells' },
      },
    )
    .get(
      '/report',
      async ({ store, params, query }) => ({
        data: await withCustomPlan(sql, (tx) => readProductReport(tx, store, params.productId, query)),
      }),
      {
        store: ['viewer', sensitiveNeeds.readFigures],
        params: ByProduct,
        query: DayRange,
        response: Data(ProductReport),
        detail: {
          tags,
          summary: 'Read the results and the revenue of a product: in total, by variant and by state',
          operationId: 'readProductReport',
        },
      },
    )
