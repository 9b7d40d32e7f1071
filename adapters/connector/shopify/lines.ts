import { isRow, LINES_MAX, type Row, rows, text, unreadable } from 'serai/connector'
import { graphql, LABEL, MONEY, row } from './api.ts'
import type { Context } from './fields.ts'

export const LINES = `{ nodes { title variantTitle quantity currentQuantity sku originalUnitPriceSet ${MONEY} } pageInfo { hasNextPage endCursor } }`
const MORE = `query ($id: ID!, $after: String) { order(id: $id) { lineItems(first: 100, after: $after) ${LINES} } }`

export const amountIn = (set: unknown): unknown => row(row(set).shopMoney).amount

/** Reads all lines of an order, or just more than the maximum, so that the order is refused. */
export async function withAllLines(context: Context, node: Row): Promise<Row> {
  let page = row(node.lineItems)
  const lines = rows(page.nodes)
  while (row(page.pageInfo).hasNextPage === true && countOf(lines) <= LINES_MAX) {
    const variables = { id: node.id, after: text(row(page.pageInfo).endCursor) ?? null }
    const { order } = await graphql(context, MORE, variables, { readsOnly: true })
    if (!isRow(order) || !isRow(order.lineItems)) throw unreadable(LABEL, 'not all lines of an order')
    page = order.lineItems
    lines.push(...rows(page.nodes))
  }
  return { ...node, lines }
}

const countOf = (lines: readonly Row[]) => lines.filter(({ currentQuantity }) => currentQuantity !== 0).length
