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

/** One call of the interface, by its path, or of another address; throws what the platform meant by anything but success. */
export async function call(context: Context, method: 'GET' | 'POST' | 'DELETE', path: string, asked: Asked = {}): Promise<Row> {
  const headers = { authorization: `Bearer ${context.credentials.accessToken ?? ''}` }
  const url = path.startsWith('https://') ? path : `${BASE}/${path}`
  const answer = await ask(context, LABEL, url, { method, headers, ...asked })
  const status = statusOf(answer)
  if (status >= 400) throw problemOf(context, LABEL, { ...answer, status }, { method })
  if (!isRow(answer.value)) throw unreadable(LABEL, 'no object')
  return answer.value
}

/** A failure may say its status in the answer alone. */
function statusOf({ status, ok, value }: Answer): number {
  if (!ok || !isRow(value) || value.success !== false) return ok ? status : Math.max(status, 400)
  return Math.max(number(value.status) ?? 500, 400)
}

export const row = (value: unknown): Row => (isRow(value) ? value : {})

/** Whether pages follow: as lists of this platform say it, beside their rows. */
export const hasMore = ({ pagination }: Row, page: number): boolean => {
  const pages = number(row(pagination).totalPages)
  return pages !== undefined && Number.isInteger(pages) && page < pages
}

/** How many rows a list has on all of its pages. */
export const totalIn = ({ pagination }: Row): number | undefined => number(row(pagination).total)

/** All rows of a list that is short. */
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
