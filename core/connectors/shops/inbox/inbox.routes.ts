import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../../context.ts'
import { readKeysetPage } from '../../../http/resource/page.ts'
import { tagOperations } from '../../../http/route.ts'
import { Data, Id, List, Maybe, oneOf, pageQuery } from '../../../http/schema.ts'
import { toDomainError } from '../../../integrations/connections/calls/adapter-failures.ts'
import { notFound } from '../../../lib/errors/domain-error.ts'
import { invariant } from '../../../lib/invariant.ts'
import { findConnector, openConnector } from '../connector.ts'
import { ConnectorGoods, ConnectorOrder, connectorOrderStates, GoodsMatch, importProblems, MatchedGoods } from '../connectors.model.ts'
import { findShopOrder, listShopOrders, type ShopOrderRow } from '../orders/shop-orders.queries.ts'
import { findShop, retryImport } from '../orders/upsert-order.ts'
import { type GoodsRow, listGoods } from '../stock/goods.queries.ts'
import { matchGoods } from './match-goods.ts'

const describe = tagOperations('Connectors')
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
}: ShopOrderRow): ConnectorOrder => ({
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

/** Routes of a shop's inbox: items without a product, and orders that could not be imported. */
export const inboxRoutes = (context: Context) =>
  new Elysia({ name: 'connector inbox', prefix: '/v1/stores/:storeId/integrations/connectors/:connectorId' })
    .use(context.authority)
    .get(
      '/inbox',
      async ({ store, params, query }) => {
        const connector = await findConnector(context, store.id, params.connectorId)
        const found = await readKeysetPage(query, (before, take) =>
          listGoods(context.sql, connector, { areMatched: query.state === 'matched' }, before, take),
        )
        // The first page of items also has the orders that could not be read.
        const unreadable =
          query.cursor === undefined ? await listShopOrders(context.sql, connector, { why: 'unreadable' }, null, UNREADABLE_SHOWN) : []
        return { ...found, data: found.data.map(presentGoods), orders: unreadable.map(presentOrder) }
      },
      {
        store: ['viewer', 'orders:read'],
        params: T.Object(of),
        query: T.Object({
          ...pageQuery,
          state: Maybe(
            oneOf(['unmatched', 'matched'], {
              description: 'by default the unmatched: items without a match, or whose product is no longer on sale',
            }),
          ),
        }),
        response: T.Composite([
          List(ConnectorGoods),
          T.Object({
            orders: T.Array(ConnectorOrder, {
              description:
                'on the first page: orders that could not be read, newest first, each with its reason and what the shop sent; all of them: …/orders?why=unreadable',
            }),
          }),
        ]),
        detail: describe(
          'Items of a shop that match no product of the store, with the number of orders that wait for each',
          'listConnectorInbox',
        ),
      },
    )
    .post(
      '/inbox/:goodsId/match',
      async ({ store, params, body }) => {
        const connector = await findConnector(context, store.id, params.connectorId)
        const goods = presentGoods(await matchGoods(context, store, connector, params.goodsId, body))
        const productId = invariant(goods.productId, 'The product of a match')
        return { data: { ...goods, productId, matchedAt: invariant(goods.matchedAt, 'The time of a match') } }
      },
      {
        store: ['agent', 'orders:write'],
        params: T.Object({ ...of, goodsId: Id }),
        body: GoodsMatch,
        response: Data(MatchedGoods),
        detail: describe(
          'Match an item of a shop with a product, for all waiting and future orders; replaces an earlier match',
          'matchConnectorGoods',
        ),
      },
    )
    .get(
      '/orders',
      async ({ store, params, query }) => {
        const connector = await findConnector(context, store.id, params.connectorId)
        const found = await readKeysetPage(query, (before, take) => listShopOrders(context.sql, connector, query, before, take))
        return { ...found, data: found.data.map(presentOrder) }
      },
      {
        store: ['viewer', 'orders:read'],
        params: T.Object(of),
        query: T.Object({
          ...pageQuery,
          state: Maybe(oneOf(connectorOrderStates)),
          why: Maybe(
            oneOf(importProblems, {
              description:
                'only orders that wait, or whose change is not applied, for this reason; `unreadable`: what the shop sent is not an order',
            }),
          ),
        }),
        response: List(ConnectorOrder),
        detail: describe('Orders of a shop, with the imported order or the reason why there is none', 'listConnectorOrders'),
      },
    )
    .post(
      '/orders/:channelOrderId/retry',
      async ({ store, params }) => {
        const connection = await openConnector(context, store.id, params.connectorId)
        const find = async () => {
          const found = await findShopOrder(context.sql, connection.row, params.channelOrderId)
          if (!found) throw notFound('The order of the shop')
          return found
        }
        const { externalId } = await find()
        const shop = await findShop(context, connection)
        if (shop) await retryImport(context, shop, externalId).catch((error) => Promise.reject(toDomainError(error)))
        return { data: presentOrder(await find()) }
      },
      {
        store: ['agent', 'orders:write'],
        params: T.Object({ ...of, channelOrderId: Id }),
        response: Data(ConnectorOrder),
        detail: describe('Retry the import of a waiting order, or of a change of the shop', 'retryConnectorOrder'),
      },
    )
