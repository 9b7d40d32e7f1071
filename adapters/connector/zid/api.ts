import { type Answer, ask, isRow, problemOf, type Query, type Row, unreadable } from 'serai/connector'
import type { Context } from './fields.ts'

export const LABEL = 'Zid'
export const API = 'api.zid.sa'
/** Language of product names. Fixed, because names are used for matching. */
const LANGUAGE = 'ar'

interface Asked {
  readonly query?: Query
  readonly json?: unknown
  /** Fields of a change, sent as a multipart form. */
  readonly form?: Readonly<Record<string, string>>
}

/** Makes one call; throws unless it succeeds. It needs two tokens, one of the app and one of the shop. */
export async function call(
  context: Context,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  { form, ...asked }: Asked = {},
): Promise<Answer> {
  const { authorization = '', accessToken = '' } = context.credentials
  const headers = {
    authorization: `Bearer ${authorization.replace(/^Bearer /i, '')}`,
    'x-manager-token': accessToken,
    'accept-language': LANGUAGE,
  }
  const answer = await ask(form ? await withMultipartForm(context, form) : context, LABEL, `https://${API}/v1/managers/${path}`, {
    method,
    headers,
    ...asked,
  })
  if (!answer.ok) throw problemOf(context, LABEL, answer, { method })
  return answer
}

/** Encodes a multipart form, with the boundary of its content type. */
async function withMultipartForm(context: Context, fields: Readonly<Record<string, string>>): Promise<Pick<Context, 'fetch' | 'now'>> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  const made = new Response(form)
  const [type, body] = [made.headers.get('content-type') ?? '', new Uint8Array(await made.arrayBuffer())]
  return {
    now: () => context.now(),
    fetch: (url, init = {}) => context.fetch(url, { ...init, headers: { ...init.headers, 'content-type': type }, body }),
  }
}

/** Makes one GET call and returns its object. */
export async function read(context: Context, path: string, query: Query = {}): Promise<Row> {
  const { value } = await call(context, 'GET', path, { query })
  if (!isRow(value)) throw unreadable(LABEL, 'no object')
  return value
}

/** Returns the value if it is an object, else an empty one. */
export const row = (value: unknown): Row => (isRow(value) ? value : {})
