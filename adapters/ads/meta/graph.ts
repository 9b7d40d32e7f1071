import {
  AdapterError,
  type Answer,
  ask,
  hmacSha256,
  isRow,
  number,
  present,
  problemOf,
  type Query,
  type Row,
  text,
  toHex,
  unreadable,
  word,
} from 'serai/ads'
import { type Context, GRAPH, LABEL } from './fields.ts'

/** Error codes, which mostly come with status 400. A missing permission does not invalidate the token. */
const DEAD_TOKEN = [102, 190]
const OVER_QUOTA = [4, 17, 32, 613]
const TRANSIENT = [1, 2]
const isOverQuota = (code: number) => OVER_QUOTA.includes(code) || (code >= 80_000 && code <= 80_014)

function refusalIn(context: Context, answer: Answer, method: 'GET' | 'POST'): AdapterError {
  const error = isRow(answer.value) && isRow(answer.value.error) ? answer.value.error : undefined
  const code = number(error?.code)
  // Meta's own 500 has a code; one of a proxy before it has none.
  if (!error || code === undefined) return problemOf(context, LABEL, answer, { method })
  const words = text(error.error_user_msg) ?? text(error.message)
  const upstream = { ...present({ message: words }), code: [code, word(error.error_subcode)].filter(Boolean).join('/') }
  if (DEAD_TOKEN.includes(code)) return new AdapterError('unauthorized', 'Meta does not take the token any more: sign in again.', upstream)
  if (isOverQuota(code)) return new AdapterError('rate_limited', 'Meta takes no more calls for now.', upstream)
  if (TRANSIENT.includes(code)) return new AdapterError('unavailable', 'Meta could not do it just now.', upstream)
  if (answer.status >= 500) return problemOf(context, LABEL, answer, { method })
  return new AdapterError('refused', `Meta refused${words === undefined ? '.' : `: ${words}`}`, upstream)
}

/** Returns true when Meta asks for less data per answer. It uses the same codes as for temporary failures. */
export const wasTooMuch = (error: unknown): boolean =>
  error instanceof AdapterError && error.reason === 'unavailable' && TRANSIENT.includes(Number(error.upstream?.code?.split('/')[0]))

const FORBIDDEN = 10
const isForbidden = (code: number) => code === FORBIDDEN || (code >= 200 && code < 300)
/** The object does not exist, or the signed-in user cannot see it. */
const UNSEEN = '100/33'
/** Returns true when the signed-in user lacks the permission. */
export const wasForbidden = (error: unknown): error is AdapterError =>
  error instanceof AdapterError &&
  error.reason === 'refused' &&
  (error.upstream.code === UNSEEN || isForbidden(Number(error.upstream.code?.split('/')[0])))

interface Question {
  readonly query?: Query
  readonly json?: unknown
  readonly readsOnly?: boolean
}

/** Makes one call, signed with the app secret, so that a stolen token cannot be used elsewhere. */
export async function graph(context: Context, path: string, { query = {}, json, readsOnly }: Question = {}): Promise<Row> {
  const { accessToken, clientSecret } = context.credentials
  if (!accessToken) throw new AdapterError('unauthorized', 'Nobody has signed in at Meta yet.')
  const proof = clientSecret && toHex(await hmacSha256(clientSecret, accessToken))
  const method = json === undefined ? 'GET' : 'POST'
  const answer = await ask(context, LABEL, `https://${GRAPH}/${context.settings.apiVersion}/${path}`, {
    method,
    headers: { authorization: `Bearer ${accessToken}` },
    query: { ...query, ...(proof && { appsecret_proof: proof }) },
    ...(json !== undefined && { json }),
    ...(readsOnly && { readsOnly }),
  })
  if (!answer.ok) throw refusalIn(context, answer, method)
  if (!isRow(answer.value)) throw unreadable(LABEL, 'no object')
  return answer.value
}

/** Reads one page of a list, with the cursor of the next page. */
export async function listOf(context: Context, path: string, query: Query): Promise<{ rows: Row[]; cursor?: string }> {
  const { data, paging } = await graph(context, path, { query })
  if (!Array.isArray(data)) throw unreadable(LABEL, 'no list')
  const cursors = isRow(paging) && text(paging.next) !== undefined && isRow(paging.cursors) ? paging.cursors : {}
  return { rows: data.filter(isRow), ...present({ cursor: text(cursors.after) }) }
}
