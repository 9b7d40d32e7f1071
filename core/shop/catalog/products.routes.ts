import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { expectOne, type Queryable, transaction } from '../../data/sql.ts'
import { queueByOwner } from '../../http/concurrency.ts'
import { answerNotModified } from '../../http/etag.ts'
import { createOnce } from '../../http/idempotency.ts'
import { rememberVersions } from '../../http/known-versions.ts'
import { readList } from '../../http/resource/list.ts'
import { tagOperations } from '../../http/route.ts'
import { Data, Id } from '../../http/schema.ts'
import { type Audience, assertProductEnabled } from '../stores/access.ts'
import { storeItemMacro } from '../stores/authority.ts'
import type { Store } from '../stores/stores.model.ts'
import { visibleProductMacro } from './authority.ts'
import { findFirstPageVersion } from './first-page-version.ts'
import { presentProducts, presentPublicProducts, stockScopeOf } from './present-product.ts'
import {
  NewProduct,
  Product,
  ProductChange,
  ProductReplacement,
  productList,
  RandomProductsQuery,
  replacementDefaults,
  VisibleProduct,
  VisibleProducts,
} from './products.model.ts'
import { findProduct, listProducts, listRandomProducts, type ProductRow } from './products.queries.ts'
import { changeProduct, createProduct, deleteProduct, hasInitialStock } from './products.ts'

/** Pages filtered by stock that are read at once: each may pass over a whole catalogue, and has a connection of the pool meanwhile. */
const byStock = queueByOwner({ own: 1, all: 2, waiting: 100 }, 'Too many lists of this store by stock are waiting.')

const describe = tagOperations('Products')
const ById = T.Object({ id: Id })

/** Presents products as the caller may see them. */
const presentFor = (sql: Queryable, store: Store, audience: Audience, rows: readonly ProductRow[]) =>
  audience === 'public' ? presentPublicProducts(sql, store, rows) : presentProducts(sql, store, rows)

/** Routes of the catalogue: whole for members and API keys of the store, active products for the public. */
export function products(context: Context) {
  const { sql } = context
  const firstPages = rememberVersions()
  return new Elysia({ name: 'products', prefix: '/v1/products' })
    .use(context.authority)
    .macro(
      'product',
      storeItemMacro(context, 'product', (id) => findProduct(sql, id)),
    )
    .macro('shownProduct', visibleProductMacro(context))
    .get(
      '',
      async ({ store, audience, query, request: { signal } }) => {
        const read = () =>
          readList(sql, productList, query, (reader, asked) =>
            listProducts(reader, stockScopeOf(store), asked, { onlyActive: audience === 'public' }),
          )
        const isByStock = 'filter[inStock]' in query || 'inStock' in query
        // Waits before a connection is taken: those who wait would hold all of them.
        const found = await (isByStock ? byStock(store.id, read, signal) : read())
        return { ...found, data: await presentFor(sql, store, audience, found.data) }
      },
      {
        beforeHandle: async ({ store, audience, query, request, set }) =>
          firstPages.answer({ request, set, audience }, () => findFirstPageVersion(sql, { store, audience, query })),
        afterHandle: [answerNotModified, firstPages.remember],
        storefront: ['viewer', 'products:read'],
        query: productList.query,
        response: VisibleProducts,
        detail: describe('List products of a store: all for its members and keys, active ones for the public', 'listProducts'),
      },
    )
    .post(
      '',
      async (creation) => {
        const { store } = creation
        if (hasInitialStock(creation.body)) await assertProductEnabled(context, store.id, 'inventory')
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
      async ({ store, audience, query }) => ({
        data: await presentFor(sql, store, audience, await listRandomProducts(sql, store.projectId, query.limit ?? 20)),
        nextCursor: null,
      }),
      {
        storefront: ['viewer', 'products:read'],
        query: RandomProductsQuery,
        response: VisibleProducts,
        detail: describe('List some active products of a store at random', 'randomProducts'),
      },
    )
    .get(
      '/:id',
      async ({ product, store, audience }) => ({ data: expectOne<VisibleProduct>(await presentFor(sql, store, audience, [product])) }),
      {
        afterHandle: answerNotModified,
        shownProduct: ['viewer', 'products:read'],
        params: ById,
        response: Data(VisibleProduct),
        detail: describe(
          'Read a product: with stock and cost for members and keys of its store; the public reads active ones',
          'readProduct',
        ),
      },
    )
    .put(
      '/:id',
      async ({ product, store, body }) => ({
        data: await transaction(sql, (tx) => changeProduct(tx, store, product.id, { ...replacementDefaults, ...body })),
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
      async ({ product, store, body }) => ({ data: await transaction(sql, (tx) => changeProduct(tx, store, product.id, body)) }),
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
        detail: describe('Delete a product; orders keep their lines', 'deleteProduct'),
      },
    )
}
