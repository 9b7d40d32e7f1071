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
  rows,
  text,
  toHex,
  unreadable,
  word,
} from 'serai/connector'
import { type Context, GRAPH, LABEL } from './fields.ts'

const DEAD_TOKEN = [102, 190]
const OVER_QUOTA = [4, 17, 32, 613]
const TRANSIENT = [1, 2]
const isOverQuota = (code: number) => OVER_QUOTA.includes(code) || (code >= 80_000 && code <= 80_014)
const isForbidden = (code: number) => code === 10 || (code >= 200 && code <= 299)
const FORBIDDEN =
  'Meta does not let this account read it. Where the business uses the Leads Access Manager, the app has to be assigned there.'

function refusalIn(context: Context, answer: Answer, method: Method): AdapterError {
  const error = isRow(answer.value) && isRow(answer.value.error) ? answer.value.error : undefined
  const code = number(error?.code)
  if (!error || code === undefined || answer.status >= 500) return problemOf(context, LABEL, answer, { method })
  const words = text(error.error_user_msg) ?? text(error.message)
  const upstream = { ...present({ message: words }), code: [code, word(error.error_subcode)].filter(Boolean).join('/') }
  if (DEAD_TOKEN.includes(code)) return new AdapterError('unauthorized', 'Meta does not take the token any more: sign in again.', upstream)
  if (isOverQuota(code)) return new AdapterError('rate_limited', 'Meta takes no more calls for now.', upstream)
  if (TRANSIENT.includes(code)) return new AdapterError('unavailable', 'Meta could not do it just now.', upstream)
  if (isForbidden(code)) return new AdapterError('refused', FORBIDDEN, upstream)
  return new AdapterError('refused', `Meta refused${words === undefined ? '.' : `: ${words}`}`, upstream)
}

type Method = 'GET' | 'POST' | 'DELETE'
interface Question {
  readonly query?: Query
  readonly method?: Method
  /** Access token; default: that of the signed-in user. */
  readonly token?: string | undefined
}

/** Makes one call, signed with the app secret, so that a stolen token cannot be used elsewhere. */
export async function graph(context: Context, path: string, { query = {}, method = 'GET', token }: Question = {}): Promise<Row> {
  const { accessToken, clientSecret } = context.credentials
  const bearer = token ?? accessToken
  if (!bearer) throw new AdapterError('unauthorized', 'Nobody has signed in at Meta yet.')
  const proof = clientSecret && toHex(await hmacSha256(clientSecret, bearer))
  const answer = await ask(context, LABEL, `https://${GRAPH}/${context.settings.apiVersion}/${path}`, {
    method,
    headers: { authorization: `Bearer ${bearer}` },
    query: { ...query, ...(proof && { appsecret_proof: proof }) },
  })
  if (!answer.ok) throw refusalIn(context, answer, method)
  if (!isRow(answer.value)) throw unreadable(LABEL, 'no object')
  return answer.value
}

/** Page of a list. */
export interface Page {
  readonly rows: Row[]
  /** Cursor of the next page. */
  readonly after?: string
}

export async function listOf(context: Context, path: string, question: Question): Promise<Page> {
  const { data, paging } = await graph(context, path, question)
  if (!Array.isArray(data)) throw unreadable(LABEL, 'no list')
  const cursors = isRow(paging) && text(paging.next) !== undefined && isRow(paging.cursors) ? paging.cursors : {}
  return { rows: rows(data), ...present({ after: text(cursors.after) }) }
}

/** Reads all pages of a list, up to `most` rows. */
export async function allOf(context: Context, path: string, { query = {}, ...question }: Question, most: number): Promise<Row[]> {
  const found: Row[] = []
  for (let after: string | undefined; found.length < most; ) {
    const page = await listOf(context, path, { ...question, query: { ...query, limit: 100, ...(after && { after }) } })
    found.push(...page.rows)
    after = page.after
    if (after === undefined) break
  }
  return found.slice(0, most)
}
