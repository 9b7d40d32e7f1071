import {
  type Answer,
  ask,
  CarrierError,
  isRow,
  problemOf,
  type Query,
  type Row,
  unreadable as unreadableOf,
  wordsIn,
  yes,
} from 'serai/carrier'
import type { Company } from './companies.ts'
import type { Context } from './fields.ts'

export interface Account {
  readonly context: Context
  readonly company: Company
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

export const maxPageSize = 1000

export const unreadable = ({ company }: Account, what: string) => unreadableOf(company.label, what)

/** Makes one call and returns its JSON. */
export async function call(account: Account, method: Method, path: string, query: Query = {}, json?: unknown): Promise<unknown> {
  const answer = await sendRequest(account, method, `https://${account.company.host}/v1/${path}${queryOf(query)}`, json)
  if (!answer.ok) throw problemOf(account.context, account.company.label, answer, { method })
  if (answer.value === undefined) throw unreadable(account, 'no JSON')
  return answer.value
}

function sendRequest({ context, company }: Account, method: Method, url: string, json: unknown): Promise<Answer> {
  const { apiId, apiToken } = context.credentials
  return ask(context, company.label, url, {
    method,
    headers: { 'x-api-id': apiId, 'x-api-token': apiToken },
    ...(json !== undefined && { json }),
  })
}

/** Builds the query string. An empty value writes the bare name, such as `asc`; undefined ones are left out. */
function queryOf(query: Query): string {
  const parts = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [value === '' ? name : `${name}=${encodeURIComponent(String(value))}`],
  )
  return parts.length > 0 ? `?${parts.join('&')}` : ''
}

/** Page of a list. */
export interface Page {
  readonly rows: readonly Row[]
  readonly hasMore: boolean
}

/** Reads one page of a list; a single item comes in the same envelope. */
export async function page(account: Account, path: string, query: Query = {}): Promise<Page> {
  const value = await call(account, 'GET', path, query)
  if (isRow(value) && Array.isArray(value.data))
    return { rows: value.data.filter(isRow), hasMore: yes(value.has_more) && value.data.length > 0 }
  const said = wordsIn(value)
  if (said !== undefined) throw new CarrierError('refused', `${account.company.label} refused: ${said}`, { message: said })
  throw unreadable(account, `no list at ${path}`)
}

/** Reads a whole list, up to `maxPages` pages. */
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
