import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { transaction } from '../../data/sql.ts'
import { ApiError, notFound } from '../../http/errors.ts'
import { createOnce } from '../../http/idempotency.ts'
import { list } from '../../http/list.ts'
import { Data, Id, List } from '../../http/schema.ts'
import { findParcel, listAppliedEvents } from '../../logistics/parcels/parcels.queries.ts'
import type { Standing } from '../../shop/stores/access.ts'
import { ofStore } from '../../shop/stores/authority.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { changeOrder, deleteOrder } from './change.ts'
import { createOrder } from './create.ts'
import { NewOrder, Order, OrderChange, OrderReplacement, orderList, Tracked } from './orders.model.ts'
import { findOrder, listOrders, type OrderRow } from './orders.queries.ts'
import { present } from './present.ts'

const describe = (summary: string, operationId: string) => ({ tags: ['Orders'], summary, operationId })
const ById = T.Object({ id: Id })

/** Orders of a store: taken from storefronts, confirmed by people, then followed through their parcels. */
export function orders(context: Context) {
  const { sql } = context
  return new Elysia({ name: 'orders', prefix: '/v1/orders' })
    .use(context.authority)
    .macro(
      'order',
      ofStore(context, 'order', (id) => findOrder(sql, id)),
    )
    .get(
      '',
      async ({ store, query }) => {
        const found = await list(sql, orderList, query, (reader, asked) => listOrders(reader, store.id, asked))
        return { ...found, data: found.data.map(present) }
      },
      {
        store: ['viewer', 'orders:read'],
        query: orderList.query,
        response: List(Order),
        detail: describe('List orders of a store', 'listOrders'),
      },
    )
    .post(
      '',
      (creation) => {
        const origin = { source: sourceOf(creation), address: creation.address }
        return createOnce(context, creation, async (tx) => ({ data: await createOrder(tx, creation.store, creation.body, origin) }))
      },
      {
        storefront: ['agent', 'orders:write'],
        body: NewOrder,
        response: { 201: Data(Order) },
        detail: describe('Take an order: priced here, stock reserved', 'createOrder'),
      },
    )
    .get('/:id', ({ order }) => ({ data: present(order) }), {
      order: ['viewer', 'orders:read'],
      params: ById,
      response: Data(Order),
      detail: describe('Read an order', 'readOrder'),
    })
    .put(
      '/:id',
      async ({ order, store, body }) => ({
        data: await transaction(sql, (tx) => changeOrder(tx, store, order.id, { note: '', metadata: {}, ...body })),
      }),
      {
        order: ['agent', 'orders:write'],
        params: ById,
        body: OrderReplacement,
        response: Data(Order),
        detail: describe('Replace an order that is not yet with a carrier', 'replaceOrder'),
      },
    )
    .patch('/:id', async ({ order, store, body }) => ({ data: await transaction(sql, (tx) => changeOrder(tx, store, order.id, body)) }), {
      order: ['agent', 'orders:write'],
      params: ById,
      body: OrderChange,
      response: Data(Order),
      detail: describe('Change an order or its status', 'changeOrder'),
    })
    .delete(
      '/:id',
      async ({ order, store, set }) => {
        await transaction(sql, (tx) => deleteOrder(tx, store, order.id))
        set.status = 204
      },
      {
        order: ['admin', 'orders:write'],
        params: ById,
        response: { 204: T.Void() },
        detail: describe('Delete an order and give its stock back', 'deleteOrder'),
      },
    )
    .get(
      '/:id/track',
      async ({ params }) => {
        const order = await findOrder(sql, params.id)
        if (!order) throw notFound('The order')
        return { data: await tracked(context, order) }
      },
      {
        open: true,
        params: ById,
        response: Data(Tracked),
        detail: describe('Where an order is, for its customer: whoever knows its id may ask', 'trackOrder'),
      },
    )
}

const SOURCES = { key: 'api', member: 'member', public: 'storefront' } as const

/** Where an order comes from. Throws `unauthenticated` for the public of a store that takes none from it. */
function sourceOf({ store, standing }: { store: Store; standing: Standing }): OrderRow['source'] {
  if (standing === 'public' && store.settings.publicOrders === false)
    throw new ApiError('unauthenticated', 'This store takes orders from its members and API keys only.')
  return SOURCES[standing]
}

async function tracked({ sql }: Context, order: OrderRow) {
  const parcel = order.parcelId ? await findParcel(sql, order.parcelId) : undefined
  const events = parcel ? await listAppliedEvents(sql, parcel.projectId, parcel.id) : []
  return {
    reference: order.reference,
    status: order.status,
    trackingId: parcel?.trackingId ?? null,
    carrier: parcel?.courierId ?? null,
    updatedAt: order.updatedAt,
    events: events.flatMap(({ toStatus, at }) => (toStatus ? [{ status: toStatus, at }] : [])),
  }
}
