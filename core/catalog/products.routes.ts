import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../context.ts'
import { transaction } from '../data/sql.ts'
import type { Caller } from '../http/auth.ts'
import { notFound } from '../http/errors.ts'
import { createOnce } from '../http/idempotency.ts'
import { page } from '../http/page.ts'
import { Data, Id, List } from '../http/schema.ts'
import type { Role } from '../http/scopes.ts'
import { accessStore, chosenStore } from '../stores/access.ts'
import { NewProduct, Product, ProductChange, ProductQuery, ProductReplacement, RandomQuery } from './products.model.ts'
import { findProduct, listProducts, randomProducts } from './products.queries.ts'
import { changeProduct, createProduct, deleteProduct, present, presentAll } from './products.ts'

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
  const accessProduct = async (caller: Caller, id: string, role: Role) => {
    const row = await findProduct(sql, id)
    if (!row) throw notFound('The product')
    return { row, store: await accessStore(context, caller, row.storeId, role) }
  }
  return new Elysia({ name: 'products', prefix: '/v1/products' })
    .use(context.auth)
    .get(
      '',
      async ({ caller, query }) => {
        const store = await chosenStore(context, caller, query.storeId, 'viewer')
        const found = await page(query, (before, take) => listProducts(sql, store.id, query, before, take))
        return { ...found, data: await presentAll(sql, store, found.data) }
      },
      {
        access: 'products:read',
        query: ProductQuery,
        response: List(Product),
        detail: describe('List products of a store, newest first', 'listProducts'),
      },
    )
    .post(
      '',
      async (creation) => {
        const store = await accessStore(context, creation.caller, creation.body.storeId, 'admin')
        return createOnce(context, creation, async (tx) => ({ data: await createProduct(tx, store, creation.body) }))
      },
      {
        access: 'products:write',
        body: NewProduct,
        response: { 201: Data(Product) },
        detail: describe('Create a product', 'createProduct'),
      },
    )
    .get(
      '/random',
      async ({ caller, query }) => {
        const store = await chosenStore(context, caller, query.storeId, 'viewer')
        return { data: await presentAll(sql, store, await randomProducts(sql, store.id, query.limit ?? 20)), nextCursor: null }
      },
      {
        access: 'products:read',
        query: RandomQuery,
        response: List(Product),
        detail: describe('Some active products of a store, at random', 'randomProducts'),
      },
    )
    .get(
      '/:id',
      async ({ caller, params }) => {
        const { row, store } = await accessProduct(caller, params.id, 'viewer')
        return { data: await present(sql, store, row) }
      },
      { access: 'products:read', params: ById, response: Data(Product), detail: describe('Read a product with its stock', 'readProduct') },
    )
    .put(
      '/:id',
      async ({ caller, params, body }) => {
        const { row, store } = await accessProduct(caller, params.id, 'admin')
        return { data: await transaction(sql, (tx) => changeProduct(tx, store, row, { ...blank, images: [], variants: [], ...body })) }
      },
      {
        access: 'products:write',
        params: ById,
        body: ProductReplacement,
        response: Data(Product),
        detail: describe('Replace a product', 'replaceProduct'),
      },
    )
    .patch(
      '/:id',
      async ({ caller, params, body }) => {
        const { row, store } = await accessProduct(caller, params.id, 'admin')
        return { data: await transaction(sql, (tx) => changeProduct(tx, store, row, body)) }
      },
      {
        access: 'products:write',
        params: ById,
        body: ProductChange,
        response: Data(Product),
        detail: describe('Change a product', 'changeProduct'),
      },
    )
    .delete(
      '/:id',
      async ({ caller, params, set }) => {
        const { store } = await accessProduct(caller, params.id, 'admin')
        await transaction(sql, (tx) => deleteProduct(tx, store, params.id))
        set.status = 204
      },
      {
        access: 'products:write',
        params: ById,
        response: { 204: T.Void() },
        detail: describe('Delete a product; orders keep what they sold', 'deleteProduct'),
      },
    )
}
