import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../../context.ts'
import { notFound } from '../../../http/errors/errors.ts'
import { readKeysetPage } from '../../../http/resource/page.ts'
import { Data, Id, List, Maybe, oneOf, pageQuery } from '../../../http/schema.ts'
import { asApiError } from '../../../integrations/connections/calls/call.ts'
import { invariant } from '../../../lib/invariant.ts'
import { ConnectorGoods, ConnectorOrder, GoodsMatch, MatchedGoods, orderStates, whys } from '../channels.model.ts'
import { connectorOf, openConnector } from '../connector.ts'
import { type ChannelOrderRow, findOrderOfShop, listOrders } from '../orders/channel-orders.queries.ts'
import { shopOf, takeAgain } from '../orders/upsert.ts'
import { type GoodsRow, listGoods } from '../stock/goods.queries.ts'
import { matchGoodsWith } from './inbox.ts'

const describe = (summary: string, operationId: string) => ({ tags: ['Connectors'], summary, operationId })
const UNREADABLE_SHOWN = 20
const of = { storeId: Id, connectorId: Id }

const presentGoods = ({
  id,
  sku,
  name,
  variant,
  productId,
  variantId,
  matchedAt,
  waiting,
  createdAt,
}: GoodsRow & { readonly waiting: number }) => ({ id, sku, name, variant, productId, variantId, matchedAt, waiting, createdAt })

const presentOrder = ({
  told,
  toldAt,
  id,
  externalId,
  number,
  state,
  why,
  message,
  orderId,
  raw,
  createdAt,
}: ChannelOrderRow): ConnectorOrder => ({
  id,
  externalId,
  number,
  state,
  why,
  message,
  orderId,
  status: told.status,
  total: Number(told.total),
  currency: told.currency,
  customerName: told.customer.name,
  items: told.items.map(({ unitPrice, lineTotal, ...item }) => ({
    ...item,
    unitPrice: Number(unitPrice),
    ...(lineTotal !== undefined && { lineTotal: Number(lineTotal) }),
  })),
  raw: raw ?? null,
  changedAt: toldAt,
  createdAt,
})

/** What of a shop waits for a person: goods that nobody knows, and orders that could not become ours. */
export const inbox = (context: Context) =>
  new Elysia({ name: 'connector inbox', prefix: '/v1/stores/:storeId/integrations/connectors/:connectorId' })
    .use(context.authority)
    .get(
      '/inbox',
      async ({ store, params, query }) => {
        const { id } = await connectorOf(context, store.id, params.connectorId)
        const found = await readKeysetPage(query, (before, take) => listGoods(context.sql, id, query.state === 'matched', before, take))
        // Beside the first page of goods, what the shop sent and nobody can read.
        const unreadable =
          query.cursor === undefined ? await listOrders(context.sql, id, { why: 'unreadable' }, null, UNREADABLE_SHOWN) : []
        return { ...found, data: found.data.map(presentGoods), orders: unreadable.map(presentOrder) }
      },
      {
        store: ['viewer', 'orders:read'],
        params: T.Object(of),
        query: T.Object({
          ...pageQuery,
          state: Maybe(
            oneOf(['unmatched', 'matched'], {
              description: 'those that nobody has matched, or whose product is not on sale any more, unless said',
            }),
          ),
        }),
        response: T.Composite([
          List(ConnectorGoods),
          T.Object({
            orders: T.Array(ConnectorOrder, {
              description:
                'beside the first page: orders that could not be read, newest first, each with its reason and what the shop sent; all of them: …/orders?why=unreadable',
            }),
          }),
        ]),
        detail: describe('Goods of a shop that no product of the store is called, and how many orders wait for each', 'listConnectorInbox'),
      },
    )
    .post(
      '/inbox/:goodsId/match',
      async ({ store, params, body }) => {
        const { id } = await connectorOf(context, store.id, params.connectorId)
        const goods = presentGoods(await matchGoodsWith(context, store, id, params.goodsId, body))
        const productId = invariant(goods.productId, 'What goods were matched with')
        return { data: { ...goods, productId, matchedAt: invariant(goods.matchedAt, 'When goods were matched') } }
      },
      {
        store: ['agent', 'orders:write'],
        params: T.Object({ ...of, goodsId: Id }),
        body: GoodsMatch,
        response: Data(MatchedGoods),
        detail: describe(
          'Say which product some goods of a shop are, for all orders that wait and all to come; said again, in place of what was said',
          'matchConnectorGoods',
        ),
      },
    )
    .get(
      '/orders',
      async ({ store, params, query }) => {
        const { id } = await connectorOf(context, store.id, params.connectorId)
        const found = await readKeysetPage(query, (before, take) => listOrders(context.sql, id, query, before, take))
        return { ...found, data: found.data.map(presentOrder) }
      },
      {
        store: ['viewer', 'orders:read'],
        params: T.Object(of),
        query: T.Object({
          ...pageQuery,
          state: Maybe(oneOf(orderStates)),
          why: Maybe(
            oneOf(whys, {
              description: 'only those that wait, or are not followed, for this reason; `unreadable`: the shop sent what is no order',
            }),
          ),
        }),
        response: List(ConnectorOrder),
        detail: describe('Orders of a shop, which of ours each became, and why some did not', 'listConnectorOrders'),
      },
    )
    .post(
      '/orders/:channelOrderId/retry',
      async ({ store, params }) => {
        const connection = await openConnector(context, store.id, params.connectorId)
        const { id } = connection.row
        const find = async () => {
          const found = await findOrderOfShop(context.sql, id, params.channelOrderId)
          if (!found) throw notFound('The order of the shop')
          return found
        }
        const { externalId } = await find()
        const shop = await shopOf(context, connection)
        if (shop) await takeAgain(context, shop, externalId).catch((error) => Promise.reject(asApiError(error)))
        return { data: presentOrder(await find()) }
      },
      {
        store: ['agent', 'orders:write'],
        params: T.Object({ ...of, channelOrderId: Id }),
        response: Data(ConnectorOrder),
        detail: describe('Try again to make one of ours of an order that waits, or to follow what the shop changed', 'retryConnectorOrder'),
      },
    )
