import { type Answer, ask, isRow, problemOf, type Query, type Row } from 'serai/connector'
import type { Context } from './fields.ts'

export const LABEL = 'EasyOrders'
const BASE = 'https://api.easy-orders.net/api/v1/external-apps'

/** Makes one call; throws unless it succeeds. */
export async function call(
  context: Context,
  method: 'GET' | 'PATCH',
  path: string,
  asked: { readonly query?: Query; readonly json?: unknown } = {},
): Promise<Answer> {
  const headers = { 'api-key': context.credentials.apiKey }
  const answer = await ask(context, LABEL, `${BASE}/${path}`, { method, headers, ...asked })
  if (!answer.ok) throw problemOf(context, LABEL, answer, { method })
  return answer
}

/** Returns the value if it is an object, else an empty one. */
export const row = (value: unknown): Row => (isRow(value) ? value : {})

/** Returns the rows of a list, bare or under `data`; undefined when it is neither. */
export const rowsIn = (value: unknown): readonly unknown[] | undefined => {
  const found = isRow(value) ? value.data : value
  return Array.isArray(found) ? (found as unknown[]) : undefined
}
