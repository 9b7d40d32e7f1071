import { AdapterError, ask, isRow, number, present, problemOf, type Query, type Row, rows, text, unreadable } from 'serai/ads'
import { type Context, HOST, LABEL } from './fields.ts'

const OK = 0
const OVER_QUOTA = 40_100
const DEAD_TOKEN = 40_105
const FORBIDDEN = 40_001

interface Question {
  readonly query?: Query
  readonly json?: unknown
  readonly token?: string | undefined
}

/** Makes one call and returns its `data`. The HTTP status is always 200; `code` in the body holds the result. */
export async function api(context: Context, path: string, { query, json, token }: Question = {}): Promise<Row> {
  const accessToken = token ?? context.credentials.accessToken
  if (!accessToken) throw new AdapterError('unauthorized', 'Nobody has signed in at TikTok yet.')
  const method = json === undefined ? 'GET' : 'POST'
  const answer = await ask(context, LABEL, `https://${HOST}/open_api/v1.3/${path}/`, {
    method,
    headers: { 'access-token': accessToken },
    ...(query && { query }),
    ...(json !== undefined && { json }),
  })
  if (!answer.ok) throw problemOf(context, LABEL, answer, { method })
  const code = isRow(answer.value) ? number(answer.value.code) : undefined
  if (!isRow(answer.value) || code === undefined) throw unreadable(LABEL, 'no code')
  if (code === OK) return isRow(answer.value.data) ? answer.value.data : {}
  throw refusalOf(code, text(answer.value.message), token === undefined ? 'sign in again' : 'enter another token of the Events API')
}

function refusalOf(code: number, message: string | undefined, cure: string): AdapterError {
  const upstream = { code: String(code), ...present({ message }) }
  if (code === OVER_QUOTA) return new AdapterError('rate_limited', 'TikTok takes no more calls for now.', upstream)
  if (code === DEAD_TOKEN) return new AdapterError('unauthorized', `TikTok does not take the token any more: ${cure}.`, upstream)
  if (code >= 40_000 && code < 50_000) return new AdapterError('refused', `TikTok refused${message ? `: ${message}` : '.'}`, upstream)
  return new AdapterError('unavailable', `TikTok could not do it just now (${code}).`, upstream)
}

/** Returns true when the signed-in user lacks the permission. */
export const wasForbidden = (error: unknown): error is AdapterError =>
  error instanceof AdapterError && error.upstream?.code === String(FORBIDDEN)

/**
 * Reads a page of a list. Pages are numbered from 1: when the page size changes between reads, rows already read are skipped. Lists and
 * objects in a query are JSON.
 */
export async function listOf(
  context: Context,
  path: string,
  { page_size, cursor, ...query }: Query & { readonly page_size: number; readonly cursor?: string | undefined },
) {
  const read = cursor === undefined ? 0 : Number(cursor)
  if (!Number.isInteger(read) || read < 0) throw new AdapterError('refused', 'There is no such page.')
  const page = Math.floor(read / page_size) + 1
  const data = await api(context, path, { query: { ...query, page, page_size } })
  if (!Array.isArray(data.list)) throw unreadable(LABEL, 'no list')
  const pages = isRow(data.page_info) ? (number(data.page_info.total_page) ?? page) : page
  return { rows: rows(data.list).slice(read % page_size), ...(page < pages && { cursor: String(page * page_size) }) }
}
