import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { transaction } from '../../data/sql.ts'
import { createOnce } from '../../http/idempotency.ts'
import { list } from '../../http/list.ts'
import { Data, Id, List } from '../../http/schema.ts'
import { assertProduct } from '../stores/access.ts'
import { ofStore } from '../stores/authority.ts'
import { NewProduct, Product, ProductChange, ProductReplacement, productList, RandomQuery } from './products.model.ts'
import { findProduct, listProducts, randomProducts } from './products.queries.ts'
import { changeProduct, countsStock, createProduct, deleteProduct, present, presentAll } from './products.ts'

const describe = (summary: string, operationId: string) => ({ tags: ['Products'], summary, operationId })
const ById = T.Object({ id: Id })
const blank = {
  description: '',
  sku: null,
  status: 'active',
  compareAtPrice: null,
  weightKg: 0,
  images: [],
  variants: [],
  metadata: {},
} as const

/** The catalogue of a store. */
export function products(context: Context) {
  const { sql } = context
  return new Elysia({ name: 'products', prefix: '/v1/products' })
    .use(context.authority)
    .macro(
      'product',
      ofStore(context, 'product', (id) => findProduct(sql, id)),
    )
    .get(
      '',
      async ({ store, query }) => {
        const found = await list(sql, productList, query, (reader, asked) => listProducts(reader, store.id, asked))
        return { ...found, data: await presentAll(sql, store, found.data) }
      },
      {
        store: ['viewer', 'products:read'],
        query: productList.query,
        response: List(Product),
        detail: describe('List products of a store', 'listProducts'),
      },
    )
    .post(
      '',
      async (creation) => {
        const { store } = creation
        if (countsStock(creation.body)) await assertProduct(context, store.id, 'inventory')
        return createOnce(context, creation, async (tx) => ({ data: await createProduct(tx, store, creation.body) }))
      },
      {
        store: ['admin', 'products:write'],
        body: NewProduct,
        response: { 201: Data(Product) },
        detail: describe('Create a product', 'createProduct'),
      },
    )
    .get(
      '/random',
      async ({ store, query }) => {
        return { data: await presentAll(sql, store, await randomProducts(sql, store.id, query.limit ?? 20)), nextCursor: null }
      },
      {
        store: ['viewer', 'products:read'],
        query: RandomQuery,
        response: List(Product),
        detail: describe('Some active products of a store, at random', 'randomProducts'),
      },
    )
    .get('/:id', async ({ product, store }) => ({ data: await present(sql, store, product) }), {
      product: ['viewer', 'products:read'],
      params: ById,
      response: Data(Product),
      detail: describe('Read a product with its stock', 'readProduct'),
    })
    .put(
      '/:id',
      async ({ product, store, body }) => ({
        data: await transaction(sql, (tx) => changeProduct(tx, store, product, { ...blank, images: [], variants: [], ...body })),
      }),
      {
        product: ['admin', 'products:write'],
        params: ById,
        body: ProductReplacement,
        response: Data(Product),
        detail: describe('Replace a product', 'replaceProduct'),
      },
    )
    .patch(
      '/:id',
      async ({ product, store, body }) => ({ data: await transaction(sql, (tx) => changeProduct(tx, store, product, body)) }),
      {
        product: ['admin', 'products:write'],
        params: ById,
        body: ProductChange,
        response: Data(Product),
        detail: describe('Change a product', 'changeProduct'),
      },
    )
    .delete(
      '/:id',
      async ({ product, store, set }) => {
        await transaction(sql, (tx) => deleteProduct(tx, store, product.id))
        set.status = 204
      },
      {
        product: ['admin', 'products:write'],
        params: ById,
        response: { 204: T.Void() },
        detail: describe('Delete a product; orders keep what they sold', 'deleteProduct'),
      },
    )
}
