import type { TestApp } from './app.ts'

export interface AnyLeg {
  readonly [field: string]: unknown
}

let keys = 0
/** An item that no other test has touched. */
export const newKey = () => `ITEM-${++keys}`

export const leg = (key: string, quantity: number, more: AnyLeg = {}) => ({ namespace: 'main', key, quantity, ...more })

/** What a refusal says: its status, its code, and the place of its first detail. */
export const refused = (answer: { status: number; body: { error?: { code: string; details?: { path: string }[] } } }) =>
  [answer.status, answer.body.error?.code, answer.body.error?.details?.[0]?.path] as unknown[]

/** The ledger of one project, as a client asks it. */
export function ledger({ call, ok }: Pick<TestApp, 'call' | 'ok'>, key: string) {
  const balances = async (item: string) =>
    (await ok('GET', `/v1/inventory/balances?key=${encodeURIComponent(item)}&limit=100`, { as: key })).data
  return {
    balances,
    post: (type: string, legs: readonly AnyLeg[], more: Record<string, unknown> = {}, as = key) =>
      call('POST', '/v1/inventory/operations', { as, body: { type, legs, ...more } }),
    posted: async (type: string, legs: readonly AnyLeg[], more: Record<string, unknown> = {}) =>
      (await ok('POST', '/v1/inventory/operations', { as: key, body: { type, legs, ...more } })).data,
    reserve: (legs: readonly AnyLeg[], more: Record<string, unknown> = {}) =>
      call('POST', '/v1/inventory/reservations', { as: key, body: { legs, ...more } }),
    reverse: (id: string, body?: unknown) =>
      call('POST', `/v1/inventory/operations/${id}/reverse`, { as: key, ...(body !== undefined && { body }) }),
    balance: async (item: string, batch = '', namespace = 'main') =>
      (await balances(item)).find((row: AnyLeg) => row.batch === batch && row.namespace === namespace),
  }
}
