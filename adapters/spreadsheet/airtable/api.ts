import { AdapterError, type Answer, ask, isRow, problemOf, type Query, type Row, text, unreadable, wordsIn } from 'serai/spreadsheet'
import { type Context, HOSTS, LABEL } from './fields.ts'

export interface Asked {
  readonly method?: 'GET' | 'POST' | 'PATCH'
  readonly query?: Query
  readonly json?: unknown
  /** A POST that only reads. */
  readonly readsOnly?: boolean
}

/** Whoever was over quota is let in again after so long, whatever is asked meanwhile. */
const WAIT_SECONDS = 30
/** Somebody took away a field, or a record, since they were looked up: nothing was written. */
const STALE: readonly unknown[] = ['UNKNOWN_FIELD_NAME', 'ROW_DOES_NOT_EXIST']

/** One call; resolves to the object that was answered. Each part of the path is a name of its own. */
export async function call(context: Context, parts: readonly string[], { method = 'GET', ...question }: Asked = {}): Promise<Row> {
  const headers = { authorization: `Bearer ${context.credentials.accessToken ?? ''}` }
  const path = parts.map((part) => encodeURIComponent(part)).join('/')
  const answer = await ask(context, LABEL, `https://${HOSTS.api}/v0/${path}`, { method, headers, ...question })
  if (!answer.ok) throw failureOf(context, answer)
  if (!isRow(answer.value)) throw unreadable(LABEL, 'no object')
  return answer.value
}

export const callBases = (context: Context, asked: Asked = {}) => call(context, ['meta', 'bases'], asked)

/** What Airtable means by an answer that is no success. A body that is not in its form may come from anywhere: of that nobody knows. */
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

/** `{"error":{"type":"…","message":"…"}}`, or `{"error":"…"}`. */
const codeIn = (value: unknown) => (isRow(value) ? (isRow(value.error) ? text(value.error.type) : text(value.error)) : undefined)

export const isStale = (error: unknown): boolean =>
  error instanceof AdapterError && ['refused', 'not_found'].includes(error.reason) && STALE.includes(error.upstream.code)
