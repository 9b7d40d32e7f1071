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

/** What its codes mean, which come with 400 mostly. Permissions that are lacking are no reason to throw the token away. */
const DEAD_TOKEN = [102, 190]
const OVER_QUOTA = [4, 17, 32, 613]
const TRANSIENT = [1, 2]
const isOverQuota = (code: number) => OVER_QUOTA.includes(code) || (code >= 80_000 && code <= 80_014)

function refusalIn(context: Context, answer: Answer, method: 'GET' | 'POST'): AdapterError {
  const error = isRow(answer.value) && isRow(answer.value.error) ? answer.value.error : undefined
  const code = number(error?.code)
  // A 500 of its own has a code as well; one of what stands before it has none.
  if (!error || code === undefined) return problemOf(context, LABEL, answer, { method })
  const words = text(error.error_user_msg) ?? text(error.message)
  const upstream = { ...present({ message: words }), code: [code, word(error.error_subcode)].filter(Boolean).join('/') }
  if (DEAD_TOKEN.includes(code)) return new AdapterError('unauthorized', 'Meta does not take the token any more: sign in again.', upstream)
  if (isOverQuota(code)) return new AdapterError('rate_limited', 'Meta takes no more calls for now.', upstream)
  if (TRANSIENT.includes(code)) return new AdapterError('unavailable', 'Meta could not do it just now.', upstream)
  if (answer.status >= 500) return problemOf(context, LABEL, answer, { method })
  return new AdapterError('refused', `Meta refused${words === undefined ? '.' : `: ${words}`}`, upstream)
}

/** Whether what was asked for is more than Meta answers at once. It says so as it says that it could not do something just now. */
export const wasTooMuch = (error: unknown): boolean =>
  error instanceof AdapterError && error.reason === 'unavailable' && TRANSIENT.includes(Number(error.upstream?.code?.split('/')[0]))

const FORBIDDEN = 10
const isForbidden = (code: number) => code === FORBIDDEN || (code >= 200 && code < 300)
/** Nothing that whoever signed in may see: it is not there, or was taken away from him. */
const UNSEEN = '100/33'
/** Whether whoever signed in has no right to it, or none any more. */
export const wasForbidden = (error: unknown): error is AdapterError =>
  error instanceof AdapterError &&
  error.reason === 'refused' &&
  (error.upstream.code === UNSEEN || isForbidden(Number(error.upstream.code?.split('/')[0])))

interface Question {
  readonly query?: Query
  readonly json?: unknown
  readonly readsOnly?: boolean
}

/** One call, proven with the secret of the app, so that a token that was taken from here is of no use elsewhere. */
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

/** A page of a list, and where the next one begins. */
export async function listOf(context: Context, path: string, query: Query): Promise<{ rows: Row[]; cursor?: string }> {
  const { data, paging } = await graph(context, path, { query })
  if (!Array.isArray(data)) throw unreadable(LABEL, 'no list')
  const cursors = isRow(paging) && text(paging.next) !== undefined && isRow(paging.cursors) ? paging.cursors : {}
  return { rows: data.filter(isRow), ...present({ cursor: text(cursors.after) }) }
}
