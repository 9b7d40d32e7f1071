import { type Answer, ask, isRow, number, problemOf, type Query, type Row, unreadable } from 'serai/connector'
import type { Context } from './fields.ts'

export const LABEL = 'YouCan'
const BASE = 'https://api.youcan.shop'

/** Makes one call; throws unless it succeeds. */
export async function call(
  context: Context,
  method: 'GET' | 'POST',
  path: string,
  asked: { readonly query?: Query; readonly json?: unknown } = {},
): Promise<Answer> {
  const headers = { authorization: `Bearer ${context.credentials.accessToken ?? ''}` }
  const answer = await ask(context, LABEL, `${BASE}/${path}`, { method, headers, ...asked })
  if (!answer.ok) throw problemOf(context, LABEL, answer, { method })
  return answer
}

/** Makes one GET call and returns its object. */
export async function read(context: Context, path: string, query: Query = {}): Promise<Row> {
  const { value } = await call(context, 'GET', path, { query })
  if (!isRow(value)) throw unreadable(LABEL, 'no object')
  return value
}

/** Returns the value if it is an object, else an empty one. */
export const row = (value: unknown): Row => (isRow(value) ? value : {})

const paginationOf = ({ meta }: Row) => row(row(meta).pagination)

/** Returns true when more pages follow, from the list's pagination. */
export const hasMore = (answer: Row, page: number): boolean => {
  const pages = Number(paginationOf(answer).total_pages)
  return Number.isInteger(pages) && page < pages
}

/** Returns the number of rows on all pages. */
export const totalIn = (answer: Row): number | undefined => number(paginationOf(answer).total)
