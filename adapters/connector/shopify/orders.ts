import {
  type ExternalOrder,
  instant,
  isRow,
  type PullAsked,
  type Pulled,
  present,
  type ReadAsked,
  type ReadOrder,
  type Row,
  readable,
  rows,
  text,
  unreadable,
} from 'serai/connector'
import { graphql, LABEL, numberOf } from './api.ts'
import type { Context } from './fields.ts'
import { orderOf, type Said } from './order-of.ts'

const MONEY = '{ shopMoney { amount currencyCode } }'
const ORDER = `{ id name email phone note createdAt updatedAt cancelledAt displayFinancialStatus displayFulfillmentStatus currencyCode
  totalPriceSet ${MONEY} totalShippingPriceSet ${MONEY} customer { firstName lastName email phone }
  shippingAddress { name phone address1 address2 city province zip countryCodeV2 } customAttributes { key value }
  lineItems(first: 100) { nodes { title variantTitle quantity sku originalUnitPriceSet ${MONEY} } } }`
const LIST = `query ($after: String, $query: String) { orders(first: 50, after: $after, query: $query, sortKey: UPDATED_AT) {
  nodes ${ORDER} pageInfo { hasNextPage endCursor } } }`
const ONE = `query ($id: ID!) { order(id: $id) ${ORDER} }`

/** Oldest change first: what is changed while pages are read comes again at the end. */
export async function pull(context: Context, { since, cursor }: PullAsked): Promise<Pulled> {
  const variables = { after: cursor, query: since === null ? null : `updated_at:>='${new Date(since).toISOString()}'` }
  const { orders } = await graphql(context, LIST, variables, { readsOnly: true })
  if (!isRow(orders)) throw unreadable(LABEL, 'no list of orders')
  const page = isRow(orders.pageInfo) ? orders.pageInfo : {}
  return {
    orders: readable(context, rows(orders.nodes), (node) => orderIn(node)),
    cursor: page.hasNextPage === true ? (text(page.endCursor) ?? null) : null,
  }
}

/** One that is not shown may only be old: without a right of its own an app sees the last sixty days. Of one that was deleted a callback tells. */
export async function readOrder(context: Context, { externalId }: ReadAsked): Promise<ReadOrder> {
  const { order } = await graphql(context, ONE, { id: `gid://shopify/Order/${externalId}` }, { readsOnly: true })
  if (order !== null && !isRow(order)) throw unreadable(LABEL, 'no order')
  return present({ order: order === null ? undefined : orderIn(order) })
}

const amountIn = (set: unknown): unknown => (isRow(set) && isRow(set.shopMoney) ? set.shopMoney.amount : undefined)
const row = (value: unknown): Row => (isRow(value) ? value : {})

function orderIn(node: Row): ExternalOrder | undefined {
  const [customer, address] = [row(node.customer), row(node.shippingAddress)]
  const said: Said = {
    id: numberOf(node.id),
    name: node.name,
    isCancelled: text(node.cancelledAt) !== undefined,
    fulfilment: node.displayFulfillmentStatus,
    words: node.displayFinancialStatus,
    currency: node.currencyCode,
    total: amountIn(node.totalPriceSet),
    delivery: amountIn(node.totalShippingPriceSet),
    names: [address.name, [customer.firstName, customer.lastName].filter(text).join(' ')],
    phones: [address.phone, node.phone, customer.phone],
    email: node.email ?? customer.email,
    country: address.countryCodeV2,
    state: address.province,
    city: address.city,
    street: [address.address1, address.address2, address.zip],
    answers: rows(node.customAttributes).map(({ key, value }) => ({ name: key, value })),
    items: rows(row(node.lineItems).nodes).map((item) => ({
      sku: item.sku,
      name: item.title,
      variant: item.variantTitle,
      quantity: item.quantity,
      price: amountIn(item.originalUnitPriceSet),
    })),
    note: node.note,
    createdAt: instant(node.createdAt, '+00:00'),
    updatedAt: instant(node.updatedAt, '+00:00'),
  }
  return orderOf(said)
}
