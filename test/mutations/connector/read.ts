// biome-ignore-all lint/suspicious/noTemplateCurlyInString: source texts

import type { Mutations } from '../plant.ts'

/** Faults in reading orders. */
export const readFaults: Mutations = {
  'amount in the wrong unit': [
    ['woocommerce', 'orders.ts', 'totalOf(row.total)', 'totalOf(Number(row.total) * 100)'],
    ['shopify', 'orders.ts', 'total: amountIn(isOver ?', 'total: Number(amountIn(node.totalPriceSet)) / 100 || amountIn(isOver ?'],
    ['zid', 'order-of.ts', 'amountIn(said.order_total)', 'amountIn(Math.round(Number(said.order_total) * 100))'],
    ['youcan', 'orders.ts', 'totalOf(said.total)', 'totalOf(Number(said.total) / 100)'],
  ],
  'incomplete total': [
    ['woocommerce', 'orders.ts', 'totalOf(row.total)', 'totalOf(Number(row.total) - Number(row.shipping_total))'],
    ['salla', 'order-of.ts', 'row(amounts.total)]', 'row(amounts.sub_total)]'],
    ['lightfunnels', 'orders.ts', 'totalOf(said.total)', 'totalOf(said.shipping)'],
  ],
  'price per piece and per line exchanged, or tax lost': [
    ['woocommerce', 'orders.ts', 'unitPrice: price ?? ', 'unitPrice: total ?? '],
    ['salla', 'order-of.ts', 'withTax(row(price).amount, row(tax).percent)', 'withTax(row(price).amount, 0)'],
    [
      'zid',
      'order-of.ts',
      '({ name, sku, quantity, unitPrice })',
      '({ name, sku, quantity, unitPrice: Number(unitPrice) * Number(quantity) })',
    ],
    [
      'shopify',
      'orders.ts',
      'unitPrice: amountIn(item.originalUnitPriceSet)',
      'unitPrice: Number(amountIn(item.originalUnitPriceSet)) * Number(item.quantity)',
    ],
  ],
  'quantity lost': [
    ['easyorders', 'orders.ts', 'quantity, unitPrice: price', 'quantity: 1, unitPrice: price'],
    ['lightfunnels', 'orders.ts', '(lines.get(key)?.quantity ?? 0) + quantity', 'quantity'],
    ['youcan', 'orders.ts', 'quantity, unitPrice: price ??', 'quantity: 1, unitPrice: price ??'],
  ],
  'delivery fee lost, or in the wrong unit': [
    ['zid', 'order-of.ts', 'fromMinor(Math.max(0, sum), 4)', 'fromMinor(Math.max(0, sum), 2)'],
    ['woocommerce', 'orders.ts', 'money(row.shipping_total)', 'money(0)'],
    ['salla', 'order-of.ts', 'row(amounts.shipping_cost).amount', 'row(amounts.cash_on_delivery).amount'],
  ],
  'wrong phone or place': [
    ['woocommerce', 'orders.ts', 'typed(shipping[name], max) || typed(billing[name], max)', 'typed(billing.company, max)'],
    ['shopify', 'orders.ts', 'city: address.city', 'city: address.province'],
    ['meta-leads', 'leads.ts', "phone: ['phone_number', 'phone']", "phone: ['secondary_phone_number']"],
    ['lightfunnels', 'orders.ts', 'city: typed(address.city, 120)', 'city: typed(address.state, 120)'],
    ['zid', 'order-of.ts', '[consignee.mobile, customer.mobile]', '[consignee.name, customer.name]'],
  ],
  'items left out': [
    ['woocommerce', 'orders.ts', 'linesOf(row.line_items, lineOf)', 'linesOf(row.line_items, lineOf).slice(0, 1)'],
    ['woocommerce', 'orders.ts', 'linesOf(row.line_items, lineOf)', 'linesOf(rows(row.line_items).slice(-1), lineOf)'],
  ],
  'time zone ignored': [
    ['salla', 'times.ts', 'return offset === undefined ? undefined : instant(date, offset)', "return instant(date, '+00:00')"],
    ['woocommerce', 'orders.ts', 'row.date_modified_gmt ?? row.date_created_gmt', 'row.date_modified ?? row.date_created'],
    ['zid', 'order-of.ts', "export const UTC = '+00:00'", "export const UTC = '+03:00'"],
    ['meta-leads', 'leads.ts', ".replace(/([+-]\\d\\d)(\\d\\d)$/, '$1:$2')", ".replace(/([+-]\\d\\d)(\\d\\d)$/, '+01:00')"],
  ],
  'status read wrongly': [
    ['woocommerce', 'orders.ts', "cancelled: 'cancelled',", "cancelled: 'open',"],
    ['easyorders', 'orders.ts', "  delivered: 'fulfilled'", "  delivered: 'open'"],
    ['shopify', 'order-of.ts', "isCancelled ? 'cancelled' : ", ''],
    ['zid', 'order-of.ts', "canceled: 'cancelled',\n  cancelled: 'cancelled',", "canceled: 'fulfilled',\n  cancelled: 'fulfilled',"],
    ['salla', 'statuses.ts', "canceled: 'cancelled'", "canceled: 'fulfilled'"],
    ['youcan', 'orders.ts', "isOf(settings.cancelledStatuses) ? 'cancelled' : isOf", 'isOf'],
  ],
  'unfinished order imported': [
    ['woocommerce', 'orders.ts', "wanted.includes(said) ? 'open' : undefined", "'open'"],
    ['easyorders', 'orders.ts', 'pending_payment: undefined,\n', "pending_payment: 'open',\n"],
    ['salla', 'statuses.ts', " || (slug !== '' && unpaid.includes(slug))", ''],
    ['lightfunnels', 'orders.ts', 'isReal(one) && (since', '(since'],
  ],
}

/** Faults in reading lists page by page. */
export const pageFaults: Mutations = {
  'list ends after its first page': [
    ['woocommerce', 'pages.ts', 'if (found.length === 0 || isLast) return', 'if (found.length >= 0 || isLast) return'],
    ['shopify', 'orders.ts', 'page.hasNextPage === true ? (text(page.endCursor) ?? null) : null', 'null'],
    ['zid', 'orders.ts', 'listed.length < PAGE ? null : next', 'null'],
    ['lightfunnels', 'api.ts', 'hasNextPage === true ? (text(endCursor) ?? null) : null', 'null'],
    ['meta-leads', 'graph.ts', 'present({ after: text(cursors.after) })', '{}'],
    ['salla', 'api.ts', 'Number.isInteger(pages) && page < pages', 'false'],
  ],
  'cursor does not advance': [
    ['woocommerce', 'orders.ts', ".exec(cursor ?? '')", ".exec('')"],
    ['shopify', 'orders.ts', 'const variables = { after: cursor,', 'const variables = { after: null,'],
    ['easyorders', 'orders.ts', ".exec(cursor ?? '')", ".exec('')"],
    ['meta-leads', 'leads.ts', '...(known >= 0 && after && { after })', ''],
  ],
  'page skipped': [
    ['zid', 'orders.ts', '`${page + 1}.${begun}`', '`${page + 2}.${begun}`'],
    ['easyorders', 'orders.ts', "at = '1'] =", "at = '2'] ="],
    ['salla', 'orders.ts', '`${position + read} ${total}`', '`${position + read + PAGE} ${total}`'],
    ['youcan', 'orders.ts', '`${page + 1} ${total}`', '`${page + 2} ${total}`'],
  ],
  'changed orders skipped, or all orders read again': [
    ['woocommerce', 'orders.ts', "...(after !== '' && { modified_after: after }),", ''],
    ['woocommerce', 'orders.ts', 'dates_are_gmt: true,', ''],
    ['woocommerce', 'orders.ts', 'modified_after: after', 'after'],
    ['shopify', 'orders.ts', "`updated_at:>='${", "`created_at:>='${"],
    ['salla', 'orders.ts', 'Date.parse(changed) >= from', 'Date.parse(changed) < from'],
    ['shopify', 'orders.ts', 'since === null ? null : ', 'true ? null : '],
  ],
  'one order returned as another': [
    ['shopify', 'api.ts', '?.[1]\n', '?.[0]\n'],
    ['woocommerce', 'orders.ts', 'required(word(row.id),', 'required(word(row.number),'],
    ['salla', 'order-of.ts', 'required(word(said.id),', 'required(word(said.reference_id),'],
  ],
}
