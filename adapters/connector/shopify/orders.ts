import {
  type ExternalOrder,
  instant,
  isRow,
  type OrderReader,
  type PullAsked,
  type Pulled,
  type ReadAsked,
  type ReadOrder,
  type Row,
  readOrderOf,
  readOrders,
  rows,
  text,
  unreadable,
} from 'serai/connector'
import { graphql, LABEL, MONEY, numberOf, row } from './api.ts'
import type { Context } from './fields.ts'
import { amountIn, LINES, withAllLines } from './lines.ts'
import { orderOf, type Said, statusOf } from './order-of.ts'

const ORDER = `{ id name email phone note createdAt updatedAt cancelledAt displayFinancialStatus displayFulfillmentStatus currencyCode
  totalPriceSet ${MONEY} currentTotalPriceSet ${MONEY} totalShippingPriceSet ${MONEY} customer { firstName lastName email phone }
  shippingAddress { name phone address1 address2 city province zip countryCodeV2 } customAttributes { key value }
  lineItems(first: 10) ${LINES} }`
/** Query for a page of orders. Its cost depends on the possible result, up to 1,000 points; further lines are read one order at a time. */
const LIST = `query ($after: String, $query: String) { orders(first: 20, after: $after, query: $query, sortKey: UPDATED_AT) {
  nodes ${ORDER} pageInfo { hasNextPage endCursor } } }`
const ONE = `query ($id: ID!) { order(id: $id) ${ORDER} }`

/** Reads orders, oldest change first: orders changed meanwhile come again at the end. */
export async function pull(context: Context, { since, cursor }: PullAsked): Promise<Pulled> {
  const variables = { after: cursor, query: since === null ? null : `updated_at:>='${new Date(since).toISOString()}'` }
  const { orders } = await graphql(context, LIST, variables, { readsOnly: true })
  if (!isRow(orders)) throw unreadable(LABEL, 'no list of orders')
  const page = row(orders.pageInfo)
  const whole: Row[] = []
  for (const node of rows(orders.nodes)) whole.push(await withAllLines(context, node))
  return {
    ...readOrders(context, whole, reader),
    cursor: page.hasNextPage === true ? (text(page.endCursor) ?? null) : null,
  }
}

/** Reads an order. A missing one may only be old: apps without a special permission see the last 60 days. A callback reports deletions. */
export async function readOrder(context: Context, { externalId }: ReadAsked): Promise<ReadOrder> {
  const { order } = await graphql(context, ONE, { id: `gid://shopify/Order/${externalId}` }, { readsOnly: true })
  if (order !== null && !isRow(order)) throw unreadable(LABEL, 'no order')
  return order === null ? {} : readOrderOf(context, await withAllLines(context, order), reader)
}

const reader: OrderReader<Row> = {
  identify: (node) => ({
    externalId: numberOf(node.id),
    number: node.name,
    status: statusOf({ isCancelled: isCancelled(node), fulfilment: node.displayFulfillmentStatus }),
    updatedAt: instant(node.updatedAt, '+00:00'),
  }),
  read: orderIn,
}

const remainingLines = ({ lines }: Row) => rows(lines).filter(({ currentQuantity }) => currentQuantity !== 0)
const isEmptied = (node: Row) => rows(node.lines).length > 0 && remainingLines(node).length === 0
const isCancelled = (node: Row) => isEmptied(node) || text(node.cancelledAt) !== undefined

/**
 * Presents an order without removed lines. An order with no line left is cancelled, and keeps the lines as ordered. Throws `OrderProblem`.
 */
function orderIn(node: Row): ExternalOrder {
  const [customer, address] = [row(node.customer), row(node.shippingAddress)]
  const isOver = isEmptied(node)
  const said: Said = {
    id: numberOf(node.id),
    name: node.name,
    isCancelled: isCancelled(node),
    fulfilment: node.displayFulfillmentStatus,
    words: node.displayFinancialStatus,
    currency: node.currencyCode,
    total: amountIn(isOver ? node.totalPriceSet : node.currentTotalPriceSet),
    delivery: amountIn(node.totalShippingPriceSet),
    names: [address.name, [customer.firstName, customer.lastName].filter(text).join(' ')],
    phones: [address.phone, node.phone, customer.phone],
    email: node.email ?? customer.email,
    country: address.countryCodeV2,
    state: address.province,
    city: address.city,
    street: [address.address1, address.address2, address.zip],
    answers: rows(node.customAttributes).map(({ key, value }) => ({ name: key, value })),
    items: (isOver ? rows(node.lines) : remainingLines(node)).map((item) => ({
      sku: item.sku,
      name: item.title,
      variant: item.variantTitle,
      quantity: isOver ? item.quantity : item.currentQuantity,
      unitPrice: amountIn(item.originalUnitPriceSet),
    })),
    note: node.note,
    createdAt: instant(node.createdAt, '+00:00'),
    updatedAt: instant(node.updatedAt, '+00:00'),
  }
  return orderOf(said)
}
