import { type Answer, ask, isRow, number, problemOf, type Query, type Row, unreadable } from 'serai/connector'
import type { Context } from './fields.ts'

export const LABEL = 'Salla'
export const ACCOUNTS = 'accounts.salla.sa'
export const API = 'api.salla.dev'
const BASE = `https://${API}/admin/v2`
const PAGES_MAX = 50

interface Asked {
  readonly query?: Query
  readonly json?: unknown
}

/** Calls the API by path, or another address by URL; throws unless it succeeds. */
export async function call(context: Context, method: 'GET' | 'POST' | 'DELETE', path: string, asked: Asked = {}): Promise<Row> {
  const headers = { authorization: `Bearer ${context.credentials.accessToken ?? ''}` }
  const url = path.startsWith('https://') ? path : `${BASE}/${path}`
  const answer = await ask(context, LABEL, url, { method, headers, ...asked })
  const status = statusOf(answer)
  if (status >= 400) throw problemOf(context, LABEL, { ...answer, status }, { method })
  if (!isRow(answer.value)) throw unreadable(LABEL, 'no object')
  return answer.value
}

/** Returns the status; some failures have it in the body alone. */
function statusOf({ status, ok, value }: Answer): number {
  if (!ok || !isRow(value) || value.success !== false) return ok ? status : Math.max(status, 400)
  return Math.max(number(value.status) ?? 500, 400)
}

/** Returns the value if it is an object, else an empty one. */
export const row = (value: unknown): Row => (isRow(value) ? value : {})

/** Returns true when more pages follow, from the list's `pagination`. */
export const hasMore = ({ pagination }: Row, page: number): boolean => {
  const pages = number(row(pagination).totalPages)
  return pages !== undefined && Number.isInteger(pages) && page < pages
}

/** Returns the number of rows on all pages. */
export const totalIn = ({ pagination }: Row): number | undefined => number(row(pagination).total)

/** Reads all pages of a short list. */
export async function readAll(context: Context, path: string): Promise<Row[]> {
  const found: Row[] = []
  for (let page = 1; page <= PAGES_MAX; page += 1) {
    const answer = await call(context, 'GET', path, { query: { page } })
    if (!Array.isArray(answer.data)) throw unreadable(LABEL, 'no list')
    found.push(...answer.data.filter(isRow))
    if (answer.data.length === 0 || !hasMore(answer, page)) break
  }
  return found
}
