// biome-ignore-all lint/suspicious/noTemplateCurlyInString: source texts

import type { Mutations } from '../plant.ts'

const ORDERS = ['woocommerce', 'orders.ts'] as const
const PUSH = ['woocommerce', 'push-status.ts'] as const
const HOOK = ['woocommerce', 'webhook.ts'] as const
const API = ['woocommerce', 'api.ts'] as const

/** Faults in one platform that an author with only the guide may make. */
export const authorMistakes: Mutations = {
  'wrong currency': [
    [...ORDERS, 'currencyOf(row.currency)', "'DZD'"],
    [...ORDERS, 'currencyOf(row.currency)', "currencyOf(row.currency ?? 'DZD').replace('EUR', 'DZD')"],
    [...ORDERS, 'currencyOf(row.currency)', 'String(row.currency)'],
  ],
  'customer data lost': [
    [...ORDERS, 'first && second && first !== second ? second : undefined', 'undefined'],
    [...ORDERS, 'phone: first || second || undefined,', 'phone: second || first || undefined,'],
    [...ORDERS, 'email: typed(billing.email, 254) || undefined', 'email: undefined'],
    [...ORDERS, 'note: typed(row.customer_note, 2000) || undefined, ', ''],
    [...ORDERS, 'name: of(shipping) || of(billing)', 'name: of(billing)'],
    [...ORDERS, 'name: of(shipping) || of(billing)', "name: ''"],
    [...ORDERS, 'note: typed(row.customer_note, 2000)', 'note: typed(row.note, 2000)'],
    [...ORDERS, 'typed(billing.email, 254)', "typed(billing.email, 254).replace('@', ' at ')"],
  ],
  'item read as another': [
    [...ORDERS, '  sku,\n  variant', '  sku: undefined,\n  variant'],
    [...ORDERS, '  sku,\n  variant', '  sku: name,\n  variant'],
    [...ORDERS, '  variant: versionIn(meta, name),\n', ''],
    [...ORDERS, '  name,\n  quantity,\n', '  name: sku,\n  quantity,\n'],
    [...ORDERS, 'printed(shown ?? value, 60)', 'printed(key, 60)'],
  ],
  'order lost without a trace': [
    [...ORDERS, 'items: linesOf(row.line_items, lineOf)', 'items: linesOf(rows(row.line_items).filter(({ name }) => name), lineOf)'],
    [...ORDERS, 'items: linesOf(row.line_items, lineOf)', 'items: linesOf(rows(row.line_items), lineOf)'],
    [
      ...ORDERS,
      'items: linesOf(row.line_items, lineOf)',
      'items: linesOf([row.line_items].flat().filter((one) => isRow(one) && count(one.quantity)), lineOf)',
    ],
    [
      ...ORDERS,
      '    ...readOrders(context, taken, readerOf(context)),',
      '    orders: readOrders(context, taken, readerOf(context)).orders,',
    ],
    [
      ...ORDERS,
      '    ...readOrders(context, taken, readerOf(context)),',
      '    orders: taken.flatMap((one) => readOrderOf(context, one, readerOf(context)).order ?? []),',
    ],
    [...HOOK, 'return read.order || read.unreadable ? [read]', 'return read.order ? [read]'],
    [...ORDERS, "required(statusTextIn(row), 'It has no status. Give it one in the shop.')", "statusTextIn(row) ?? ''"],
    [...ORDERS, 'return { externalId: row.id, number', 'return { externalId: undefined, number'],
    [...ORDERS, 'total: totalOf(row.total)', "total: money(row.total) ?? '0'"],
  ],
  'quantity or price guessed': [
    [...ORDERS, '  quantity,\n  unitPrice', '  quantity: Math.ceil(Number(quantity)) || 1,\n  unitPrice'],
    [...ORDERS, '  quantity,\n  unitPrice', '  quantity: Number(quantity),\n  unitPrice'],
    [...ORDERS, '  quantity,\n  unitPrice', '  quantity: Number.parseInt(String(quantity), 10),\n  unitPrice'],
    [...ORDERS, 'unitPrice: price ?? ', 'unitPrice: Math.round(Number(price)) || '],
    [...ORDERS, 'unitPrice: price ?? ', 'unitPrice: Math.abs(Number(price)) || '],
    [...ORDERS, 'unitPrice: price ?? ', 'unitPrice: Number(price).toFixed(2) ?? '],
  ],
  'order reported as deleted after any error': [
    [...ORDERS, "if (error instanceof AdapterError && error.reason === 'not_found') return null\n    throw error", 'return null'],
    [...ORDERS, "error.reason === 'not_found') return null", "error.reason !== 'unauthorized') return null"],
    [
      ...ORDERS,
      "error.reason === 'not_found') return null",
      "(error.reason === 'not_found' || error.reason === 'unauthorized')) return null",
    ],
    [
      ...ORDERS,
      "error.reason === 'not_found') return null",
      "(error.reason === 'not_found' || error.reason === 'rate_limited')) return null",
    ],
    [...ORDERS, "error.reason === 'not_found') return null", "error.reason === 'not_found') return {}"],
    [...ORDERS, '    assertOrderOf(LABEL, value.id, externalId)\n', ''],
    [...ORDERS, 'return readOrderOf(context, value, readerOf(context))', 'return {}'],
    [...ORDERS, '`orders/${encodeURIComponent(externalId)}`', '`orders/${encodeURIComponent(externalId)}0`'],
  ],
  'push lost or wrong': [
    [...PUSH, "await call(context, 'PUT', path, { json })", "await call(context, 'PUT', path, { json }).catch(() => undefined)"],
    [
      ...PUSH,
      "const { value: known } = await call(context, 'GET', path)",
      "const { value: known } = await call(context, 'GET', path).catch(() => ({ value: {} }))",
    ],
    [...PUSH, "if (Object.keys(json).length > 0) await call(context, 'PUT', path, { json })", ''],
    [...PUSH, "status === 'cancelled' || status === 'returned') return 'cancelled'", "status === 'cancelled') return 'cancelled'"],
    [
      ...PUSH,
      "status === 'cancelled' || status === 'returned') return 'cancelled'",
      "status === 'cancelled' || status === 'returned') return 'refunded'",
    ],
    [...PUSH, "return status === 'sent' ?", "return status === 'confirmed' ?"],
    [...PUSH, 'settings.sentStatus || undefined', "'completed'"],
    [...PUSH, '&& known.status !== wanted && ', '&& '],
    [...PUSH, 'value === undefined || had?.value === value', 'value === undefined'],
    [...PUSH, '[CARRIER]: carrier', '[TRACKING]: carrier'],
    [...PUSH, 'const path = `orders/${encodeURIComponent(externalId)}`', "const path = 'orders/102'"],
  ],
  'wrong webhook topic or address': [
    [
      ...HOOK,
      "'order.created', 'order.updated', 'order.deleted', 'order.restored'] as const",
      "'order.created', 'order.updated', 'order.deleted'] as const",
    ],
    [
      ...HOOK,
      "'order.created', 'order.updated', 'order.deleted', 'order.restored'] as const",
      "'order.updated', 'order.deleted', 'order.restored'] as const",
    ],
    [...HOOK, 'text(row.delivery_url) === address', "text(row.delivery_url)?.startsWith('https://ours') === true"],
    [...HOOK, 'topic, delivery_url: address, secret', "topic: 'order.updated', delivery_url: address, secret"],
    [...HOOK, 'delivery_url: address, secret', 'delivery_url: `${address}/x`, secret'],
  ],
  'rate limit not respected, or not reported': [
    [
      ...API,
      '  if (answer.ok) return answer\n',
      '  if (answer.status === 429) return call(context, method, path, asked).catch(() => call(context, method, path, asked))\n  if (answer.ok) return answer\n',
    ],
    [...API, 'throw problemOf(context, LABEL, answer, { method })', "throw new AdapterError('unavailable', 'It failed once more.')"],
    [
      ...API,
      'throw problemOf(context, LABEL, answer, { method })',
      "throw new AdapterError(answer.status === 429 ? 'rate_limited' : 'refused', 'It failed once more.')",
    ],
    [...API, 'throw problemOf(context, LABEL, answer, { method })', 'return answer'],
  ],
}
