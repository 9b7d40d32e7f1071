import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../context.ts'
import { transaction } from '../data/sql.ts'
import { type Caller, checkScope } from '../http/auth.ts'
import { ApiError, notFound } from '../http/errors.ts'
import { createOnce } from '../http/idempotency.ts'
import { page } from '../http/page.ts'
import { Data, Id, List } from '../http/schema.ts'
import type { Role } from '../http/scopes.ts'
import { findParcel, listAppliedEvents } from '../parcels/parcels.queries.ts'
import { accessStore, chosenStore } from '../stores/access.ts'
import type { Store } from '../stores/stores.model.ts'
import { findRole, findStore } from '../stores/stores.queries.ts'
import { changeOrder, deleteOrder } from './change.ts'
import { createOrder } from './create.ts'
import { NewOrder, Order, OrderChange, OrderQuery, OrderReplacement, Tracked } from './orders.model.ts'
import { findOrder, listOrders, type OrderRow } from './orders.queries.ts'
import { present } from './present.ts'

const describe = (summary: string, operationId: string) => ({ tags: ['Orders'], summary, operationId })
const ById = T.Object({ id: Id })

/** Orders of a store: taken from storefronts, confirmed by people, then followed through their parcels. */
export function orders(context: Context) {
  const { sql } = context
  const accessOrder = async (caller: Caller, id: string, role: Role) => {
    const row = await findOrder(sql, id)
    if (!row) throw notFound('The order')
    return { row, store: await accessStore(context, caller, row.storeId, role) }
  }
  return new Elysia({ name: 'orders', prefix: '/v1/orders' })
    .use(context.auth)
    .get(
      '',
      async ({ caller, query }) => {
        const store = await chosenStore(context, caller, query.storeId, 'viewer')
        const found = await page(query, (before, take) => listOrders(sql, store.id, query, before, take))
        return { ...found, data: found.data.map(present) }
      },
      {
        access: 'orders:read',
        query: OrderQuery,
        response: List(Order),
        detail: describe('List orders of a store, newest first', 'listOrders'),
      },
    )
    .post(
      '',
      async (creation) => {
        const { store, source } = await orderingStore(context, creation.caller, creation.body.storeId)
        return createOnce(context, creation, async (tx) => ({ data: await createOrder(tx, store, creation.body, source) }))
      },
      {
        open: true,
        body: NewOrder,
        response: { 201: Data(Order) },
        detail: describe('Take an order: priced here, stock reserved', 'createOrder'),
      },
    )
    .get('/:id', async ({ caller, params }) => ({ data: present((await accessOrder(caller, params.id, 'viewer')).row) }), {
      access: 'orders:read',
      params: ById,
      response: Data(Order),
      detail: describe('Read an order', 'readOrder'),
    })
    .put(
      '/:id',
      async ({ caller, params, body }) => {
        const { store } = await accessOrder(caller, params.id, 'agent')
        return { data: await transaction(sql, (tx) => changeOrder(tx, store, params.id, { note: '', metadata: {}, ...body })) }
      },
      {
        access: 'orders:write',
        params: ById,
        body: OrderReplacement,
        response: Data(Order),
        detail: describe('Replace an order that is not yet with a carrier', 'replaceOrder'),
      },
    )
    .patch(
      '/:id',
      async ({ caller, params, body }) => {
        const { store } = await accessOrder(caller, params.id, 'agent')
        return { data: await transaction(sql, (tx) => changeOrder(tx, store, params.id, body)) }
      },
      {
        access: 'orders:write',
        params: ById,
        body: OrderChange,
        response: Data(Order),
        detail: describe('Change an order or its status', 'changeOrder'),
      },
    )
    .delete(
      '/:id',
      async ({ caller, params, set }) => {
        const { store } = await accessOrder(caller, params.id, 'admin')
        await transaction(sql, (tx) => deleteOrder(tx, store, params.id))
        set.status = 204
      },
      {
        access: 'orders:write',
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

/** Members and keys by right; anybody where the store allows it, signed in somewhere else or not. */
async function orderingStore(
  context: Context,
  caller: Caller | null,
  storeId: string,
): Promise<{ store: Store; source: OrderRow['source'] }> {
  if (caller?.kind === 'project') {
    checkScope(caller, 'orders:write')
    return { store: await accessStore(context, caller, storeId, 'agent'), source: 'api' }
  }
  const role = caller ? await findRole(context.sql, storeId, caller.userId) : undefined
  if (caller && (role || caller.isAdmin)) return { store: await accessStore(context, caller, storeId, 'agent'), source: 'member' }
  const store = await findStore(context.sql, storeId)
  if (!store) throw notFound('The store')
  if (store.settings.publicOrders === false)
    throw new ApiError('unauthenticated', 'This store takes orders from its members and API keys only.')
  return { store, source: 'storefront' }
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
