import { AdapterError, type Answer, ask, isRow, problemOf, type Query, type Row, text, unreadable, wordsIn } from 'serai/spreadsheet'
import { type Context, HOSTS, LABEL } from './fields.ts'

export interface Asked {
  readonly method?: 'GET' | 'POST' | 'PATCH'
  readonly query?: Query
  readonly json?: unknown
  /** True for a POST that only reads. */
  readonly readsOnly?: boolean
}

/** Seconds until Airtable accepts calls again after its rate limit. */
const WAIT_SECONDS = 30
/** Errors for a field or record that was deleted since it was looked up: nothing was written. */
const STALE: readonly unknown[] = ['UNKNOWN_FIELD_NAME', 'ROW_DOES_NOT_EXIST']

/** Makes one call and returns its object. Each path segment is encoded. */
export async function call(context: Context, parts: readonly string[], { method = 'GET', ...question }: Asked = {}): Promise<Row> {
  const headers = { authorization: `Bearer ${context.credentials.accessToken ?? ''}` }
  const path = parts.map((part) => encodeURIComponent(part)).join('/')
  const answer = await ask(context, LABEL, `https://${HOSTS.api}/v0/${path}`, { method, headers, ...question })
  if (!answer.ok) throw failureOf(context, answer)
  if (!isRow(answer.value)) throw unreadable(LABEL, 'no object')
  return answer.value
}

export const callBases = (context: Context, asked: Asked = {}) => call(context, ['meta', 'bases'], asked)

/** Builds the error for an unsuccessful answer. A body in another format may come from a proxy, so the outcome is unknown then. */
function failureOf(context: Context, answer: Answer): AdapterError {
  const code = codeIn(answer.value)
  const said = wordsIn(answer.value)
  const upstream = { code: code ?? String(answer.status), ...(said !== undefined && { message: said }) }
  if (answer.status === 403)
    return new AdapterError('refused', `${LABEL} does not let this account do that${said === undefined ? '.' : `: ${said}`}`, upstream)
  if (answer.status === 404 && code !== undefined)
    return new AdapterError('not_found', 'The base or the table is not there any more. Choose another.', upstream)
  const { reason, message, upstream: found } = problemOf(context, LABEL, answer, { method: 'POST', said })
  const wait = reason === 'rate_limited' && { retryAfterSeconds: found.retryAfterSeconds ?? WAIT_SECONDS }
  return new AdapterError(reason, message, { ...upstream, ...wait })
}

/** Error code of `{"error":{"type":"…","message":"…"}}` or `{"error":"…"}`. */
const codeIn = (value: unknown) => (isRow(value) ? (isRow(value.error) ? text(value.error.type) : text(value.error)) : undefined)

export const isStale = (error: unknown): boolean =>
  error instanceof AdapterError && ['refused', 'not_found'].includes(error.reason) && STALE.includes(error.upstream.code)
