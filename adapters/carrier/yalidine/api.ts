import { CarrierError } from 'serai/carrier'
import type { Company } from './companies.ts'
import type { Context } from './fields.ts'

export interface Account {
  readonly context: Context
  readonly company: Company
}

type Query = Readonly<Record<string, string | number | undefined>>
type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
export type Row = Readonly<Record<string, unknown>>

export const maxPageSize = 1000
const maxWords = 500

export const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value)
export const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
export const number = (value: unknown): number | undefined => {
  const found = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof found === 'number' && Number.isFinite(found) ? found : undefined
}
/** The carrier writes 0 and 1 as well as false and true. */
export const yes = (value: unknown): boolean => value === true || value === 1 || value === '1'

export function unreadable({ company }: Account, what: string): CarrierError {
  return new CarrierError('unavailable', `${company.label} answered something that cannot be read: ${what}.`)
}

/** One call; resolves to the answer's JSON. */
export async function call(account: Account, method: Method, path: string, query: Query = {}, body?: unknown): Promise<unknown> {
  const { response, words } = await answer(account, method, addressOf(account, path, query), body)
  if (!response.ok) throw problemOf(account, method, response, words)
  const value = jsonOf(words)
  if (value === undefined) throw unreadable(account, 'no JSON')
  return value
}

function addressOf({ company }: Account, path: string, query: Query): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  // A bare word such as `asc` goes without a value.
  const parts = given.map(([name, value]) => (value === '' ? name : `${name}=${encodeURIComponent(value!)}`))
  return `https://${company.host}/v1/${path}${parts.length > 0 ? `?${parts.join('&')}` : ''}`
}

async function answer({ context, company }: Account, method: Method, url: string, body: unknown) {
  const headers = {
    'x-api-id': context.credentials.apiId,
    'x-api-token': context.credentials.apiToken,
    accept: 'application/json',
    ...(body !== undefined && { 'content-type': 'application/json' }),
  }
  try {
    const response = await context.fetch(url, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { response, words: await response.text() }
  } catch (error) {
    if (error instanceof CarrierError) throw error
    throw new CarrierError('unavailable', `${company.label} did not answer.`, {}, { cause: error })
  }
}

function jsonOf(words: string): unknown {
  try {
    return JSON.parse(words)
  } catch {
    return undefined
  }
}

function problemOf({ company, context }: Account, method: Method, response: Response, words: string): CarrierError {
  const { status } = response
  const said = messageIn(jsonOf(words))
  const upstream = { code: String(status), ...(said !== undefined && { message: said }) }
  if (status === 429) {
    const retryAfterSeconds = secondsIn(response.headers.get('retry-after'), context.now())
    return new CarrierError('rate_limited', `${company.label} takes no more calls for now.`, {
      ...upstream,
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    })
  }
  if (status === 401 || status === 403) return new CarrierError('unauthorized', `${company.label} does not accept these keys.`, upstream)
  // Where a parcel is to be made there is nothing to be found: only a look-up can tell what became of it.
  if (status === 404 && method !== 'POST') return new CarrierError('not_found', `${company.label} does not have it.`, upstream)
  if (status === 400 || status === 409 || status === 413 || status === 422) {
    return new CarrierError('refused', `${company.label} refused${said === undefined ? '.' : `: ${said}`}`, upstream)
  }
  return new CarrierError('unavailable', `${company.label} answered with status ${status}.`, upstream)
}

/** `Retry-After` is a number of seconds or a date. */
function secondsIn(header: string | null, now: number): number | undefined {
  if (header === null) return undefined
  const seconds = /^\d+$/.test(header.trim()) ? Number(header) : (Date.parse(header) - now) / 1000
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : undefined
}

/** Where an error's words stand is not documented; these places are looked into. */
export function messageIn(value: unknown): string | undefined {
  if (!isRow(value)) return undefined
  const error = isRow(value.error) ? value.error : value
  const found = text(error.message) ?? text(error.description) ?? text(value.error)
  return found?.slice(0, maxWords)
}

export interface Page {
  readonly rows: readonly Row[]
  readonly hasMore: boolean
}

/** One page of a list; a single item comes in the same envelope. */
export async function page(account: Account, path: string, query: Query = {}): Promise<Page> {
  const value = await call(account, 'GET', path, query)
  if (isRow(value) && Array.isArray(value.data))
    return { rows: value.data.filter(isRow), hasMore: yes(value.has_more) && value.data.length > 0 }
  const said = messageIn(value)
  if (said !== undefined) throw new CarrierError('refused', `${account.company.label} refused: ${said}`, { message: said })
  throw unreadable(account, `no list at ${path}`)
}

/** A whole list, at most `maxPages` pages of it. */
export async function all(account: Account, path: string, query: Query = {}, maxPages = 20): Promise<Row[]> {
  const rows: Row[] = []
  for (let number = 1; number <= maxPages; number++) {
    const found = await page(account, path, { ...query, page: number, page_size: maxPageSize })
    rows.push(...found.rows)
    if (!found.hasMore) return rows
  }
  account.context.log('a list was longer than is read', { path, rows: rows.length })
  return rows
}
