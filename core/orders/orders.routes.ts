import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { Warning } from '../../plugins/carrier/model.ts'
import type { Context } from '../context.ts'
import { createOnce } from '../http/idempotency.ts'
import { expectedVersionOf, ifMatchHeader } from '../http/if-match.ts'
import { languageOf } from '../http/pages/language.ts'
import type { Language } from '../http/pages/notice-page.ts'
import { readList } from '../http/resource/list.ts'
import { tagOperations } from '../http/route.ts'
import { Data, Id, List, oneOf } from '../http/schema.ts'
import { csvResponse, exportCsv, exportQuery } from '../http/table/csv-export.ts'
import { notFound } from '../lib/errors/domain-error.ts'
import { hasAccess } from '../shop/stores/access.ts'
import { storeItemMacro } from '../shop/stores/authority.ts'
import { withCurrentStore } from '../shop/stores/memory/remembered-stores.ts'
import type { Store } from '../shop/stores/stores.model.ts'
import { findStore } from '../shop/stores/stores.queries.ts'
import { changeOrder, deleteOrder } from './change/change.ts'
import { type PlacedOrder, placeOrder } from './create/create.ts'
import { orderSourceOf } from './create/origin.ts'
import { priceWarnings } from './create/price-warnings.ts'
import { OrderDetails } from './details/details.model.ts'
import { orderDetailsOf, tracedOrderDetailsOf } from './details/details.ts'
import { orderColumns } from './export/export-orders.ts'
import { orderList } from './list.model.ts'
import { EXPORTED } from './list.queries.ts'
import { listOrders } from './list.ts'
import { NewOrder, Order, OrderChange, OrderReplacement, TrackedOrder } from './orders.model.ts'
import { findOrderById } from './orders.queries.ts'
import { presentOrder } from './present.ts'
import { CalculatedOrder, OrderCalculation } from './pricing/calculate.model.ts'
import { calculateOrder } from './pricing/calculate.ts'
import { ListedOrder } from './progress/progress.model.ts'
import { carrierNameOf, withProgress } from './progress/read-progress.ts'
import { trackOrder } from './public/track.ts'
import { acceptsHtml, trackPage, unknownOrderPage } from './public/track-page.ts'
import { changeIfVersion } from './versions/change-if-version.ts'

const describe = tagOperations('Orders')
const OTHER_PHONE =
  'The use of a promotion moves to the new phone number. When that number may not use it, the response is `invalid_promo`; PATCH with `promoCode: null` removes the code in the same change.'
const versioned = { parameters: [ifMatchHeader] }
const ById = T.Object({ id: Id })
const CreatedOrder = T.Object({ data: Order, warnings: T.Optional(T.Array(Warning, { description: 'not shown to customers' })) })

const refOf = ({ id: storeId, projectId }: Store, { id: orderId }: { readonly id: string }) => ({ projectId, storeId, orderId })

/** Routes of a store's orders: created from storefronts, confirmed by members, then updated by their parcels. */
export function orderRoutes(context: Context) {
  const { sql } = context
  const findTracked = async (id: string) => {
    const order = await findOrderById(sql, id)
    return order && trackOrder(sql, order)
  }
  const presentTracked = async (id: string) => {
    const found = await findTracked(id)
    if (!found) throw notFound('The order')
    return { data: found }
  }
  const renderTrackPage = async (id: string, language: Language) => {
    const order = await findOrderById(sql, id)
    const store = order && (await findStore(sql, order.storeId))
    if (!order || !store) return unknownOrderPage(language)
    const carrierName = (slug: string) => carrierNameOf(context.plugins, slug)
    const { items, total, paid } = order
    return trackPage(
      await trackOrder(sql, order),
      { shop: store.name, currency: store.currencyCode, items, total, paid, carrierName },
      language,
    )
  }
  return new Elysia({ name: 'orders', prefix: '/v1/orders' })
    .use(context.authority)
    .macro(
      'order',
      storeItemMacro(context, 'order', (id) => findOrderById(sql, id)),
    )
    .get(
      '',
      async ({ store, query }) => {
        const found = await readList(sql, orderList, query, async (reader, asked) =>
          withProgress(reader, context.plugins, store.id, await listOrders(reader, store, asked)),
        )
        return { ...found, data: found.data.map(({ progress, ...order }) => ({ ...presentOrder(order), ...progress })) }
      },
      {
        store: ['viewer', 'orders:read'],
        query: orderList.query,
        response: List(ListedOrder),
        detail: describe('List orders of a store', 'listOrders'),
      },
    )
    .get(
      '/export.csv',
      ({ store, query, request }) =>
        exportCsv({ request, query, ownerId: store.id, name: 'orders' }, orderColumns, (asked) =>
          readList(sql, orderList, asked, (reader, wanted) => listOrders(reader, store, wanted, EXPORTED)),
        ),
      {
        store: ['viewer', 'orders:read'],
        query: exportQuery(orderList.query),
        detail: { ...describe('Export orders as CSV, with the filters of their list', 'exportOrders'), ...csvResponse },
      },
    )
    .post(
      '',
      (creation) =>
        withCurrentStore(sql, creation.store, (store) => {
          const { address, audience, body } = creation
          const origin = { source: orderSourceOf({ store, audience }), address }
          return createOnce(context, creation, async (tx) => withWarnings(store, await placeOrder(tx, store, body, origin)))
        }),
      {
        storefront: ['agent', 'orders:write', 'remembered'],
        body: NewOrder,
        response: { 201: CreatedOrder },
        detail: describe('Create an order: prices it and reserves its stock', 'createOrder'),
      },
    )
    .post(
      '/calculate',
      async ({ store, audience, body }) => ({ data: await calculateOrder(sql, store, body, orderSourceOf({ store, audience })) }),
      {
        storefront: ['agent', 'orders:write'],
        body: OrderCalculation,
        response: Data(CalculatedOrder),
        detail: describe('Calculate the price of an order without creating it', 'calculateOrder'),
      },
    )
    .get(
      '/:id',
      async ({ order, store, caller }) => {
        const maySend = await hasAccess(context, caller, store.id, ['agent', 'orders:write'])
        return { data: maySend ? await tracedOrderDetailsOf(context, store.projectId, order) : await orderDetailsOf(context, order) }
      },
      {
        order: ['viewer', 'orders:read'],
        params: ById,
        response: Data(OrderDetails),
        detail: describe(
          'Read an order with its history, the reasons of failed sendings, and the reliability of its recipient',
          'readOrder',
        ),
      },
    )
    .put(
      '/:id',
      async ({ order, store, request, body: { customer, destination, ...body } }) => ({
        data: await changeIfVersion(sql, refOf(store, order), expectedVersionOf(request), (tx) =>
          changeOrder(tx, store, order.id, {
            note: '',
            metadata: {},
            ...body,
            customer: { phoneAlt: null, email: null, ...customer },
            destination: { pickupId: null, ...destination },
          }),
        ),
      }),
      {
        order: ['agent', 'orders:write'],
        params: ById,
        body: OrderReplacement,
        response: Data(Order),
        detail: { ...describe('Replace an order that is not yet with a carrier', 'replaceOrder'), description: OTHER_PHONE, ...versioned },
      },
    )
    .patch(
      '/:id',
      async ({ order, store, request, body }) => ({
        data: await changeIfVersion(sql, refOf(store, order), expectedVersionOf(request), (tx) => changeOrder(tx, store, order.id, body)),
      }),
      {
        order: ['agent', 'orders:write'],
        params: ById,
        body: OrderChange,
        response: Data(Order),
        detail: { ...describe('Change an order or its status', 'changeOrder'), description: OTHER_PHONE, ...versioned },
      },
    )
    .delete(
      '/:id',
      async ({ order, store, request, set }) => {
        await changeIfVersion(sql, refOf(store, order), expectedVersionOf(request), (tx) => deleteOrder(tx, store, order.id))
        set.status = 204
      },
      {
        order: ['admin', 'orders:write'],
        params: ById,
        response: { 204: T.Void() },
        detail: { ...describe('Delete an order and release its stock', 'deleteOrder'), ...versioned },
      },
    )
    .get(
      '/:id/track',
      ({ params: { id }, query, request: { headers } }) =>
        acceptsHtml(headers.get('accept'))
          ? renderTrackPage(id, languageOf(query.language ?? null, headers.get('accept-language')))
          : presentTracked(id),
      {
        open: true,
        params: ById,
        query: T.Object({
          language: T.Optional(oneOf(['ar', 'fr', 'en'], { description: "language of the page; the browser's by default" })),
        }),
        response: Data(TrackedOrder),
        detail: {
          ...describe('Track an order, for its customer, by its link: a page for browsers, else JSON', 'trackOrder'),
          'x-page': true,
        },
      },
    )
}

/** Adds warnings for members of the store and API keys: a blocked recipient, an unknown place, a delivery without a price. */
function withWarnings(store: Store, { order, blockReason }: PlacedOrder) {
  const { warnings: ofPlace = [] } = order
  if (order.source === 'storefront') return { data: order }
  const blocked = blockReason === null ? [] : [{ code: 'recipient_blocked', message: `The store has blocked ${blockReason}.` }]
  const warnings = [...blocked, ...ofPlace, ...priceWarnings(store, order.destination)]
  return { data: order, ...(warnings.length > 0 && { warnings }) }
}
