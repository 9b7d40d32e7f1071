import { type Answer, ask, isRow, number, problemOf, type Query, type Row, unreadable } from 'serai/connector'
import type { Context } from './fields.ts'

export const LABEL = 'YouCan'
const BASE = 'https://api.youcan.shop'

/** One call; throws what the platform meant by anything but success. */
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

/** What one call gives, which has to be an object. */
export async function read(context: Context, path: string, query: Query = {}): Promise<Row> {
  const { value } = await call(context, 'GET', path, { query })
  if (!isRow(value)) throw unreadable(LABEL, 'no object')
  return value
}

export const row = (value: unknown): Row => (isRow(value) ? value : {})

const paginationOf = ({ meta }: Row) => row(row(meta).pagination)

/** Whether pages follow: as lists of this platform say it, beside their rows. */
export const hasMore = (answer: Row, page: number): boolean => {
  const pages = Number(paginationOf(answer).total_pages)
  return Number.isInteger(pages) && page < pages
}

/** How many rows a list has on all of its pages. */
export const totalIn = (answer: Row): number | undefined => number(paginationOf(answer).total)
