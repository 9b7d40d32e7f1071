// biome-ignore-all lint/suspicious/noTemplateCurlyInString: source texts

import type { Mutations } from '../plant.ts'

/** Faults in requests to the platform. */
export const requestFaults: Mutations = {
  'error with status 200 read as success': [
    ['shopify', 'api.ts', "if (error) throw refusalOf(error)\n  if (!isRow(data)) throw unreadable(LABEL, 'no data')", ''],
    [
      'salla',
      'api.ts',
      '  if (!ok || !isRow(value) || value.success !== false) return ok ? status : Math.max(status, 400)\n',
      '  if (ok) return status\n',
    ],
    [
      'lightfunnels',
      'api.ts',
      "if (!isRow(data)) throw unreadable(LABEL, 'no data')",
      'if (!isRow(data)) return { orders: { edges: [] } }',
    ],
  ],
  'error read as an empty list': [
    [
      'woocommerce',
      'orders.ts',
      "if (!Array.isArray(answer.value)) throw unreadable(LABEL, 'no list of orders')",
      'if (!Array.isArray(answer.value)) return { orders: [], cursor: null }',
    ],
    [
      'zid',
      'orders.ts',
      "if (!Array.isArray(orders)) throw unreadable(LABEL, 'no list of orders')",
      'if (!Array.isArray(orders)) return []',
    ],
    [
      'easyorders',
      'orders.ts',
      "if (!found) throw unreadable(LABEL, 'no list of orders')",
      'if (!found) return { orders: [], cursor: null }',
    ],
    ['woocommerce', 'api.ts', 'throw problemOf(context, LABEL, answer, { method })', 'return { ...answer, value: [] }'],
    ['youcan', 'api.ts', 'if (!answer.ok) throw problemOf(context, LABEL, answer, { method })', ''],
  ],
  'invalid keys reported as another error': [
    [
      'easyorders',
      'api.ts',
      'if (!answer.ok) throw problemOf(context, LABEL, answer, { method })',
      'if (!answer.ok) throw problemOf(context, LABEL, { ...answer, status: 500 }, { method })',
    ],
    ['meta-leads', 'graph.ts', 'const DEAD_TOKEN = [102, 190]', 'const DEAD_TOKEN = [102]'],
    [
      'lightfunnels',
      'api.ts',
      "throw problemOf(context, LABEL, answer, { method: 'POST' })",
      "throw problemOf(context, LABEL, { ...answer, status: 400 }, { method: 'POST' })",
    ],
  ],
  'time to wait not reported': [
    [
      'zid',
      'api.ts',
      'throw problemOf(context, LABEL, answer, { method })',
      'throw problemOf(context, LABEL, { ...answer, headers: new Headers() }, { method })',
    ],
    ['salla', 'api.ts', '{ ...answer, status }, { method })', '{ ...answer, status, headers: new Headers() }, { method })'],
  ],
  'secret in a URL': [
    ['shopify', 'api.ts', '/graphql.json`, {', '/graphql.json?access_token=${context.credentials.accessToken}`, {'],
    ['easyorders', 'api.ts', '`${BASE}/${path}`', '`${BASE}/${path}?key=${context.credentials.apiKey}`'],
    ['woocommerce', 'api.ts', "const inQuery = keysIn === 'query'", 'const inQuery = true'],
  ],
}
