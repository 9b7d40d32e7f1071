import { Type as T } from '@sinclair/typebox'
import type { Queryable } from '../../data/sql.ts'
import { readList } from '../../http/resource/list.ts'
import { exact, Id, Maybe, oneOf } from '../../http/schema.ts'
import { readStatusCounts, readStoreSummary } from '../../insights/store/read-figures.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { changeOrder } from '../../orders/change/change.ts'
import { lockOrderWithParcels } from '../../orders/change/lock-order.ts'
import { orderDetailsOf } from '../../orders/details/details.ts'
import { orderList } from '../../orders/list.model.ts'
import { listOrders } from '../../orders/list.ts'
import { findOrder } from '../../orders/orders.queries.ts'
import { presentOrder } from '../../orders/present.ts'
import { orderStatuses } from '../../orders/statuses.ts'
import { buildStoredFields } from '../../shop/catalog/build-stored-product.ts'
import { presentProduct, stockScopeOf } from '../../shop/catalog/present-product.ts'
import { ProductChange, productList, productStatuses } from '../../shop/catalog/products.model.ts'
import { findProducts, listProducts } from '../../shop/catalog/products.queries.ts'
import { changeProduct, lockProductForChange } from '../../shop/catalog/products.ts'
import { DeliveryPricesChange } from '../../shop/stores/delivery-prices/delivery-prices.model.ts'
import {
  applyDeliveryPricesChange,
  changeDeliveryPrices,
  deliveryPricesOf,
  pickChangedPrices,
} from '../../shop/stores/delivery-prices/delivery-prices.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { lockExistingDetails } from '../../shop/stores/stores.ts'
import { type BuiltInTool, defineReadTool, defineWriteTool } from './tool.ts'

const Search = T.String({ minLength: 1, maxLength: 200 })
const Day = Maybe(T.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description: "in the store's time zone" }))
const Limit = Maybe(T.Integer({ minimum: 1, maximum: 20, default: 10 }))
const { name, price, description, compareAtPrice, status, tags, shipping } = ProductChange.properties

async function productOf(sql: Queryable, store: Store, id: string) {
  const [product] = await findProducts(sql, store.projectId, [id])
  if (!product) throw notFound('The product')
  return product
}

async function orderOf(sql: Queryable, store: Store, id: string) {
  const order = await findOrder(sql, { storeId: store.id, id })
  if (!order) throw notFound('The order')
  return order
}

/** Returns the fields of an object that a change names. */
const pickFields = (of: object, change: object) =>
  Object.fromEntries(Object.keys(change).map((key) => [key, (of as Record<string, unknown>)[key]]))

/** Tools of this server that the assistant can call, by name: some read a store, the others propose a change to it. */
export const builtInTools: Readonly<Record<string, BuiltInTool>> = {
  search_orders: defineReadTool({
    description: 'Orders of the store, newest first. q: the reference, part of the name of a customer, or the phone number.',
    right: ['viewer', 'orders:read'],
    parameters: exact({ q: Maybe(Search), status: Maybe(oneOf(orderStatuses)), limit: Limit }),
    async read({ sql }, store, { limit = 10, ...asked }) {
      const found = await readList(sql, orderList, { ...asked, limit }, (from, what) => listOrders(from, store, what))
      return { orders: found.data.map(presentOrder), more: found.nextCursor !== null }
    },
  }),
  read_order: defineReadTool({
    description: 'An order with its history and its lines.',
    right: ['viewer', 'orders:read'],
    parameters: exact({ orderId: Id }),
    async read(context, store, { orderId }) {
      return { order: await orderDetailsOf(context, await orderOf(context.sql, store, orderId)) }
    },
  }),
  order_figures: defineReadTool({
    description:
      'Order figures for a range of days, compared with as many days before, and how many orders are in each status. Without days: the most recent ones.',
    right: ['viewer', 'figures:read'],
    parameters: exact({ from: Day, to: Day }),
    async read({ sql }, store, range) {
      const [summary, statuses] = await Promise.all([readStoreSummary(sql, store, range), readStatusCounts(sql, store, range)])
      return { summary, statuses }
    },
  }),
  search_products: defineReadTool({
    description: 'Products of the store, newest first, with stock and prices. q: words of the name.',
    right: ['viewer', 'products:read'],
    parameters: exact({ q: Maybe(Search), status: Maybe(oneOf(productStatuses)), limit: Limit }),
    async read({ sql }, store, { limit = 10, ...asked }) {
      const found = await readList(sql, productList, { ...asked, limit }, (from, what) => listProducts(from, stockScopeOf(store), what))
      const products = found.data.map(({ id, name: named, price: costs, status: is, sku }) => ({
        id,
        name: named,
        price: costs,
        status: is,
        sku,
      }))
      return { products, more: found.nextCursor !== null }
    },
  }),
  read_product: defineReadTool({
    description: 'All of a product.',
    right: ['viewer', 'products:read'],
    parameters: exact({ productId: Id }),
    async read({ sql }, store, { productId }) {
      return { product: await presentProduct(sql, store, await productOf(sql, store, productId)) }
    },
  }),
  read_delivery_prices: defineReadTool({
    description: 'What delivery costs the customers of the store, by delivery type, and by the code of a state where it differs.',
    right: ['viewer', 'stores:read'],
    parameters: exact({}),
    read: async (_, store) => ({ deliveryPrices: deliveryPricesOf(store) }),
  }),
  propose_product_change: defineWriteTool({
    description:
      'Proposes to change a product: its name, description, prices, status, tags, or what its delivery costs. Nothing is changed until the person confirms it.',
    right: ['admin', 'products:write'],
    parameters: exact({
      productId: Id,
      change: exact({ name, description, price, compareAtPrice, status, tags, shipping }, { minProperties: 1 }),
    }),
    async preview(sql, store, { productId, change }) {
      const product = await presentProduct(sql, store, await productOf(sql, store, productId))
      buildStoredFields(change, store.currencyCode)
      return { thing: productId, before: pickFields(product, change), after: change }
    },
    async lock(tx, store, { productId }) {
      await lockProductForChange(tx, { projectId: store.projectId, id: productId })
      return store
    },
    apply: (tx, store, { productId, change }) => changeProduct(tx, store, productId, change),
  }),
  propose_delivery_prices: defineWriteTool({
    description:
      'Proposes to change what delivery costs the customers of the whole store, by delivery type and by state; prices that are not named stay. Nothing is changed until the person confirms it.',
    right: ['admin', 'stores:write'],
    parameters: exact({ change: { ...DeliveryPricesChange, minProperties: 1 } }),
    async preview(_, store, { change }) {
      const current = deliveryPricesOf(store)
      const next = applyDeliveryPricesChange(store, change)
      return { thing: store.id, before: pickChangedPrices(store, current, change), after: pickChangedPrices(store, next, change) }
    },
    lock: (tx, store) => lockExistingDetails(tx, store.id),
    apply: (tx, store, { change }) => changeDeliveryPrices(tx, store.id, change),
  }),
  propose_order_change: defineWriteTool({
    description: 'Proposes to change the note or the status of an order. Nothing is changed until the person confirms it.',
    right: ['agent', 'orders:write'],
    parameters: exact({
      orderId: Id,
      change: exact({ status: Maybe(oneOf(orderStatuses)), note: Maybe(T.String({ maxLength: 2000 })) }, { minProperties: 1 }),
    }),
    async preview(sql, store, { orderId, change }) {
      return { thing: orderId, before: pickFields(presentOrder(await orderOf(sql, store, orderId)), change), after: change }
    },
    async lock(tx, store, { orderId }) {
      await lockOrderWithParcels(tx, { projectId: store.projectId, storeId: store.id, orderId })
      return store
    },
    apply: (tx, store, { orderId, change }) => changeOrder(tx, store, orderId, change),
  }),
}
