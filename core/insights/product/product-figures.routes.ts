import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { withCustomPlan } from '../../data/keyset-page.ts'
import { Data, Id } from '../../http/schema.ts'
import { ProductReport, ProductSells, Range } from './product-figures.model.ts'
import { readReport, readSells } from './read-figures.ts'

const ByProduct = T.Object({ storeId: Id, productId: Id })
const tags = ['Products']

/** Routes of the figures of a product. */
export const productFigures = ({ sql, authority }: Context) =>
  new Elysia({ name: 'product figures', prefix: '/v1/stores/:storeId/products/:productId' })
    .use(authority)
    .get(
      '/sells',
      async ({ store, params, query }) => ({ data: await withCustomPlan(sql, (tx) => readSells(tx, store, params.productId, query)) }),
      {
        store: ['viewer', 'orders:read'],
        params: ByProduct,
        query: Range,
        response: Data(ProductSells),
        detail: { tags, summary: 'Units and money that a product sold, by day', operationId: 'readProductSells' },
      },
    )
    .get(
      '/report',
      async ({ store, params, query }) => ({ data: await withCustomPlan(sql, (tx) => readReport(tx, store, params.productId, query)) }),
      {
        store: ['viewer', 'orders:read'],
        params: ByProduct,
        query: Range,
        response: Data(ProductReport),
        detail: {
          tags,
          summary: 'Read the results and the revenue of a product: in total, by variant and by state',
          operationId: 'readProductReport',
        },
      },
    )
