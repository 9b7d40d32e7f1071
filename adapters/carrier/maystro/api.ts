import {
  type Answer,
  ask,
  type CarrierError,
  type FetchInit,
  isRow,
  problemOf,
  type Query,
  type Row,
  unreadable,
  wordsIn,
} from 'serai/carrier'
import type { Context } from './fields.ts'

export const LABEL = 'Maystro'

interface Asked {
  readonly query?: Query
  readonly json?: unknown
  readonly accept?: string
}

/** Makes one call and returns the answer, whatever its status. */
export function call(context: Context, method: NonNullable<FetchInit['method']>, path: string, asked: Asked = {}): Promise<Answer> {
  const { credentials, settings } = context
  const { accept, ...sent } = asked
  const authorization = settings.authScheme === 'bare' ? credentials.apiToken : `Token ${credentials.apiToken}`
  const headers = { authorization, ...(accept !== undefined && { accept }) }
  return ask(context, LABEL, `https://${settings.host}/api/${path}`, { method, headers, ...sent })
}

/** Makes one GET call and returns its JSON. */
export async function get(context: Context, path: string, query: Query = {}): Promise<unknown> {
  return jsonOf(expectSuccess(context, await call(context, 'GET', path, { query })))
}

/** Returns the answer if it is a success. Pass `POST` for a call that creates a parcel: its outcome after a 404 is unknown. */
export function expectSuccess(context: Context, answer: Answer, method: FetchInit['method'] = 'GET'): Answer {
  if (!answer.ok) throw problem(context, answer, method)
  return answer
}

export function jsonOf({ value }: Answer): unknown {
  if (value === undefined) throw unreadable(LABEL, 'no JSON')
  return value
}

/** Throws unless a change succeeded. The body of a success is not documented: empty is accepted, an HTML page is not. */
export function expectChange(context: Context, answer: Answer): void {
  const { value, words } = expectSuccess(context, answer)
  if (value === undefined && words.trim() !== '') throw unreadable(LABEL, 'no JSON')
}

export function rowOf(value: unknown, what: string): Row {
  if (!isRow(value)) throw unreadable(LABEL, what)
  return value
}

const problem = (context: Context, answer: Answer, method: FetchInit['method']): CarrierError =>
  problemOf(context, LABEL, answer, { method, said: wordsIn(answer.value) ?? fieldFault(answer.value) })

/** First field error, as in `{"customer_phone": ["…"]}`. */
function fieldFault(value: unknown): string | undefined {
  const [first] = isRow(value) ? Object.entries(value) : []
  return first && `${first[0]}: ${String([first[1]].flat()[0])}`.slice(0, 500)
}

/** Reads a list, bare or in a page. */
export function listIn(value: unknown, what: string): readonly unknown[] {
  const list = isRow(value) ? value.results : value
  if (!Array.isArray(list)) throw unreadable(LABEL, `no ${what}`)
  return list
}

export const orderPath = (id: string) => `stores/orders/${encodeURIComponent(id)}/`
